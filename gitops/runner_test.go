package gitops

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestNewRunnerRefusals(t *testing.T) {
	fake := func(t *testing.T, script string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
	}
	t.Run("missing", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if _, err := NewRunner(t.Context()); !errors.Is(err, ErrGitMissing) {
			t.Error(err)
		}
	})
	t.Run("old", func(t *testing.T) {
		fake(t, "echo git version 2.33.9")
		_, err := NewRunner(t.Context())
		var old *VersionError
		if !errors.As(err, &old) || old.Needed != "2.34" || err.Error() != "git 2.34 or newer is needed, found git version 2.33.9" {
			t.Error(err)
		}
	})
	t.Run("not git", func(t *testing.T) {
		fake(t, "echo hello")
		var other *VersionError
		if _, err := NewRunner(t.Context()); !errors.As(err, &other) {
			t.Error(err)
		}
	})
	t.Run("broken", func(t *testing.T) {
		fake(t, "echo broken >&2; exit 3")
		_, err := NewRunner(t.Context())
		var failed *CommandError
		if !errors.As(err, &failed) || failed.ExitCode != 3 || !strings.HasSuffix(err.Error(), "git version: exit 3: broken") {
			t.Error(err)
		}
	})
	t.Run("vendor", func(t *testing.T) {
		fake(t, "echo 'git version 2.39.5 (Apple Git-154)'")
		r, err := NewRunner(t.Context())
		if err != nil || r.Version() != (Version{2, 39, 5}) {
			t.Error(r, err)
		}
	})
}

func TestScrub(t *testing.T) {
	t.Parallel()
	got := scrub([]string{
		"PATH=/bin", "GIT_DIR=/x", "GIT_CONFIG_COUNT=1", "git_dir=/y", "GIT_SSH_COMMAND=evil", "GITHUB_TOKEN=t",
		"LC_ALL=de_DE.UTF-8", "LANG=de_DE", "LANGUAGE=de", "GIT_TRACE=1", "HOME=/h",
	})
	want := "PATH=/bin GITHUB_TOKEN=t LANG=de_DE HOME=/h LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_OPTIONAL_LOCKS=0 GIT_NO_REPLACE_OBJECTS=1"
	if strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
}

// Whatever the git at hand calls local to a repository must be scrubbed.
func TestScrubCoversLocalEnvVars(t *testing.T) {
	t.Parallel()
	out, err := newRunner(t).Run(t.Context(), t.TempDir(), RunOptions{}, "rev-parse", "--local-env-vars")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		for _, kv := range scrub([]string{name + "=x"}) {
			if kv == name+"=x" {
				t.Errorf("%s is passed on", name)
			}
		}
	}
}

func TestPrivateModeReadsNoUserConfig(t *testing.T) {
	home := testkit.Home(t)
	write := func(rel, text string) {
		path := filepath.Join(home, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitconfig", "[test]\n\tkey = global\n")
	write(".config/git/config", "[test]\n\tother = xdg\n")
	write(".config/git/ignore", "*.ign\n")
	write(".config/git/attributes", "*.x attr=set\n")
	repo, r := testkit.NewRepo(t).Write("a.ign", "x\n"), newRunner(t)

	run := func(private bool, args ...string) string {
		t.Helper()
		out, err := r.Run(t.Context(), repo.Dir, RunOptions{Private: private}, args...)
		var failed *CommandError
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, c := range []struct{ args, public, private string }{
		{"config test.key", "global\n", ""},
		{"config test.other", "xdg\n", ""},
		{"check-ignore a.ign", "a.ign\n", ""},
		{"check-attr attr a.x", "a.x: attr: set\n", "a.x: attr: unspecified\n"},
		{"config core.hooksPath", "", os.DevNull + "\n"},
	} {
		if got := run(false, strings.Fields(c.args)...); got != c.public {
			t.Errorf("git %s: %q, want %q", c.args, got, c.public)
		}
		if got := run(true, strings.Fields(c.args)...); got != c.private {
			t.Errorf("private git %s: %q, want %q", c.args, got, c.private)
		}
	}
}

func TestRunStreamsAndFails(t *testing.T) {
	t.Parallel()
	r, repo := newRunner(t), testkit.NewRepo(t)
	var out bytes.Buffer
	got, err := r.Run(t.Context(), repo.Dir, RunOptions{Stdin: strings.NewReader("x"), Stdout: &out}, "hash-object", "--stdin")
	if err != nil || len(got) != 0 || out.Len() != 41 {
		t.Errorf("%q, %q, %v", got, out.String(), err)
	}
	_, err = r.Run(t.Context(), repo.Dir, RunOptions{}, "rev-parse", "--verify", "no\nsuch")
	var failed *CommandError
	if !errors.As(err, &failed) || failed.ExitCode != 128 || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%v", err)
	}
	want := "git rev-parse in " + repo.Dir + ": exit 128: fatal: Needed a single revision"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if _, err := r.Run(t.Context(), filepath.Join(repo.Dir, "missing"), RunOptions{}, "version"); err == nil || errors.As(err, &failed) && failed.ExitCode == 0 {
		t.Errorf("%v", err)
	}
}

func TestStderrIsCapped(t *testing.T) {
	t.Parallel()
	r, repo := newRunner(t), testkit.NewRepo(t)
	// An alias that starts with ! is a shell line.
	opt := RunOptions{Config: []string{"alias.loud=!yes x | head -c 10000000 >&2; exit 7"}}
	_, err := r.Run(t.Context(), repo.Dir, opt, "loud")
	var failed *CommandError
	if !errors.As(err, &failed) || failed.ExitCode != 7 || len(failed.Stderr) != stderrCap {
		t.Errorf("%.200v", err)
	}
}

func TestCancelKillsTheGroup(t *testing.T) {
	t.Parallel()
	r, repo := newRunner(t), testkit.NewRepo(t)
	fifo := repo.Path("pid")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped by the test")
	done := make(chan error, 1)
	go func() {
		opt := RunOptions{Config: []string{"alias.hang=!echo $$ >" + fifo + ".tmp && mv " + fifo + ".tmp " + fifo + "; sleep 1000; true"}}
		_, err := r.Run(ctx, repo.Dir, opt, "hang")
		done <- err
	}()
	var pid []byte
	for len(pid) == 0 {
		pid, _ = os.ReadFile(fifo)
		time.Sleep(time.Millisecond)
	}
	cancel(stop)
	if err := <-done; !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	// The shell below git is in the group; its parent's reaper may need a moment.
	for proc := "/proc/" + strings.TrimSpace(string(pid)); ; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(proc + "/stat")
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			break
		}
	}
	if _, err := r.Run(ctx, repo.Dir, RunOptions{}, "version"); !errors.Is(err, stop) {
		t.Errorf("a cancelled context starts git: %v", err)
	}
}
