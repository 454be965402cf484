package isolation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What says nothing about the command is an error and never a class of its.
func TestNotStarted(t *testing.T) {
	tests := []struct {
		name string
		edit func(t *testing.T, j *Job)
		want string
	}{
		{"no command", func(_ *testing.T, j *Job) { j.Command = Command{} }, "empty"},
		{"two commands", func(_ *testing.T, j *Job) { j.Command.Argv = []string{"true"} }, "twice"},
		{"NUL in a line", func(_ *testing.T, j *Job) { j.Command.Shell = "true\x00" }, "NUL"},
		{"NUL in argv", func(_ *testing.T, j *Job) { j.Command = Command{Argv: []string{"true", "\x00"}} }, "NUL"},
		{"empty name", func(_ *testing.T, j *Job) { j.Command = Command{Argv: []string{""}} }, "name is empty"},
		{"no such folder", func(_ *testing.T, j *Job) { j.Dir += "/gone" }, "no such file"},
		{"folder is a file", func(t *testing.T, j *Job) {
			j.Dir = filepath.Join(j.Dir, "file")
			if err := os.WriteFile(j.Dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not a folder"},
		{"relative folder", func(_ *testing.T, j *Job) { j.Dir = "." }, "not absolute"},
		{"relative log", func(_ *testing.T, j *Job) { j.Log = "log" }, "not absolute"},
		{"log exists", func(t *testing.T, j *Job) {
			if err := os.WriteFile(j.Log, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "exists"},
		{"log is a dangling link", func(t *testing.T, j *Job) {
			if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), j.Log); err != nil {
				t.Fatal(err)
			}
		}, "exists"},
		{"bad environment", func(_ *testing.T, j *Job) { j.Env = []string{"SECRET"} }, "NAME=value"},
		{"negative limit", func(_ *testing.T, j *Job) { j.Limits.MaxOutput = -1 }, "negative"},
		{"line too long", func(_ *testing.T, j *Job) { j.Command.Shell = "true " + strings.Repeat("x", 3<<20) }, "too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachBox(t, func(t *testing.T, box Box) {
				job := newJob(t, "true")
				tt.edit(t, &job)
				r, err := box.Run(t.Context(), job)
				if !errors.Is(err, ErrNotStarted) || r.Class != ClassInfra || r.ExitCode != -1 {
					t.Fatalf("result %+v, error %v", r, err)
				}
				want := tt.want
				if box.Describe().Mounts && want == "not a folder" {
					want = "not a directory" // it cannot be entered, inside
				}
				if !strings.Contains(err.Error(), want) || r.Reason == "" {
					t.Errorf("error %q lacks %q, reason %q", err, want, r.Reason)
				}
			})
		})
	}
}

func TestCancelledBefore(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		job := newJob(t, "touch ran")
		r, err := box.Run(ctx, job)
		if !errors.Is(err, context.Canceled) || r.Class != ClassInfra {
			t.Errorf("result %+v, error %v", r, err)
		}
		if _, err := os.Stat(filepath.Join(job.Dir, "ran")); err == nil {
			t.Error("it ran all the same")
		}
	})
}
