package isolation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testTimeout ends a job that hangs because of a defect. No test waits for it.
const testTimeout = 2 * time.Minute

// boxes are the back-ends that every conformance test runs in.
func boxes(t *testing.T) map[string]Box {
	t.Helper()
	out := map[string]Box{}
	for name, via := range map[string]string{"none": "none", "wrapper": "env WRAPPED=1 sh -c"} {
		box, err := New(via, Options{AllowUnsafeHost: true})
		if err != nil {
			t.Fatal(err)
		}
		out[name] = box
	}
	addNative(t, out)
	return out
}

// eachBox runs a test in every back-end.
func eachBox(t *testing.T, test func(t *testing.T, box Box)) {
	t.Helper()
	for name, box := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, box)
		})
	}
}

// newJob is a job for a shell line in folders of its own.
func newJob(t *testing.T, line string) Job {
	t.Helper()
	return Job{
		Role:    RoleVerify,
		Command: Command{Shell: line},
		Dir:     t.TempDir(),
		Env:     []string{"PATH=/usr/local/bin:/usr/bin:/bin"},
		Log:     filepath.Join(t.TempDir(), "log"),
		Limits:  Limits{Timeout: testTimeout},
	}
}

// runJob runs a job that must be started.
func runJob(t *testing.T, box Box, job Job) (Result, string) {
	t.Helper()
	result, err := box.Run(t.Context(), job)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return result, readLog(t, job)
}

func readLog(t *testing.T, job Job) string {
	t.Helper()
	log, err := os.ReadFile(job.Log)
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

func TestClasses(t *testing.T) {
	tests := []struct {
		name   string
		line   string
		argv   []string
		class  Class
		code   int
		signal string
		log    string // substring
	}{
		{name: "pass", line: "echo fine", class: ClassPass, log: "fine\n"},
		{name: "both streams", line: "echo out; echo err >&2", class: ClassPass, log: "out\nerr\n"},
		{name: "exit 3", line: "exit 3", class: ClassTestFail, code: 3},
		{name: "exit 125", line: "exit 125", class: ClassTestFail, code: 125},
		{name: "exit 128", line: "exit 128", class: ClassTestFail, code: 128},
		{name: "exit 255", line: "exit 255", class: ClassTestFail, code: 255},
		{name: "not found", line: "no-such-command-here", class: ClassNotFound, code: 127, log: "no-such-command-here"},
		{name: "not executable", line: "/etc/passwd", class: ClassError, code: 126},
		{name: "killed", line: "kill -9 $$", class: ClassSignal, code: 137, signal: "SIGKILL"},
		{name: "killed child", line: "sh -c 'kill -TERM $$'", class: ClassSignal, code: 143, signal: "SIGTERM"},
		{name: "as a shell reports it", line: "exit 139", class: ClassSignal, code: 139, signal: "SIGSEGV"},
		{name: "real-time", line: "exit 168", class: ClassSignal, code: 168, signal: "signal 40"},
		{name: "no such signal", line: "exit 193", class: ClassTestFail, code: 193},
		{name: "stdin is empty", line: "cat", class: ClassPass},
		{name: "like an option", line: "-x", class: ClassNotFound, code: 127},
		{name: "argv", argv: []string{"sh", "-c", "echo $0 \"$1\"; exit 4", "zero", "a  b"}, class: ClassTestFail, code: 4, log: "zero a  b\n"},
		{name: "argv not found", argv: []string{"no-such-command-here"}, class: ClassNotFound, code: 127, log: "no-such-command-here"},
		{name: "argv path not found", argv: []string{"./no/such"}, class: ClassNotFound, code: 127},
		{name: "argv not executable", argv: []string{"/etc/passwd"}, class: ClassError, code: 126},
		{name: "argv is no builtin", argv: []string{"cd", "/"}, class: ClassNotFound, code: 127},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachBox(t, func(t *testing.T, box Box) {
				if tt.line == "-x" && box.Describe().Via != "none" {
					t.Skip("a wrapper's own shell takes it for an option")
				}
				job := newJob(t, tt.line)
				job.Command.Argv = tt.argv
				r, log := runJob(t, box, job)
				if r.Class != tt.class || r.ExitCode != tt.code || r.Signal != tt.signal {
					t.Errorf("class %s code %d signal %q, want %s %d %q; log %q", r.Class, r.ExitCode, r.Signal, tt.class, tt.code, tt.signal, log)
				}
				if !strings.Contains(log, tt.log) {
					t.Errorf("log %q lacks %q", log, tt.log)
				}
				if r.OutputBytes != int64(len(log)) || r.Truncated || r.Survivors != 0 || r.LogReset {
					t.Errorf("result %+v with a log of %d bytes", r, len(log))
				}
			})
		})
	}
}

// What a job is told is all that it gets.
func TestJobEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	for name, box := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			job := newJob(t, `env; tr '\0' '\n' </proc/$PPID/environ; cat /proc/$PPID/cmdline; pwd -P`)
			job.Env = append(job.Env, "GIVEN=a=b\nc", "EMPTY=")
			r, log := runJob(t, box, job)
			if r.Class != ClassPass && !strings.Contains(log, "ermission denied") {
				t.Errorf("class %s, log %q", r.Class, log)
			}
			if strings.Contains(log, "hunter2") {
				t.Errorf("a secret leaked: %q", log)
			}
			if !strings.Contains(log, "GIVEN=a=b\nc\n") || !strings.Contains(log, "EMPTY=\n") {
				t.Errorf("given variables are missing: %q", log)
			}
			dir, err := filepath.EvalSymlinks(job.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(log, dir+"\n") {
				t.Errorf("did not run in %s: %q", dir, log)
			}
		})
	}
}
