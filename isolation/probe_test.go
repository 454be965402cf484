package isolation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProbeWrapper(t *testing.T) {
	elsewhere := t.TempDir()
	for via, want := range map[string]string{
		"none":                            "",
		"sh -c":                           "",
		"bash -c":                         "",
		"env -i PATH=/usr/bin:/bin sh -c": "",
		"sh -c 'sh -c \"$0\"'":            "",
		"true":                            "exited with 0",
		"false":                           "exited with 1",
		"echo":                            "exited with 0",
		"sh":                              "exited with",
		"no-such-wrapper -c":              "exit code 12",
		"env":                             "not-found",
		"sh -c 'exit 37'":                 "output did not",
		"env -C " + elsewhere + " sh -c":  "exits with 37",
		"sh -c 'sh -c \"$0\"; true'":      "exited with 0",
		"sh -c 'sh -c \"$0\" >/dev/null'": "output did not",
		"sh -c 'sh -c \"$*\" $0'":         "exit",
		"sh -c 'kill -9 $$'":              "signal",
		"sh -c 'printf \"\\033[31mred\"; exit 5'": `"red"`,
	} {
		t.Run(via, func(t *testing.T) {
			t.Parallel()
			box, err := New(via, Options{AllowUnsafeHost: true})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			err = ProbeWrapper(t.Context(), box, dir)
			var bad *WrapperError
			switch {
			case want == "" && err != nil:
				t.Errorf("error %v", err)
			case want != "" && (!errors.As(err, &bad) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "sh -c") || bad.Via != via):
				t.Errorf("error %v, want %q", err, want)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("error %q is not one clean line", err)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 0 {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
	}
}

func TestProbeCancelled(t *testing.T) {
	box, err := New("sh -c", Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ProbeWrapper(ctx, box, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := ProbeWrapper(t.Context(), box, filepath.Join(t.TempDir(), "gone")); !errors.Is(err, ErrNotStarted) {
		t.Errorf("error %v", err)
	}
}
