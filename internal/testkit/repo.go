package testkit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Repo is a throwaway repository. Its methods end the test on any error and
// most return the Repo again, so that a repository reads as one sentence:
//
//	repo := testkit.NewRepo(t).Write("a.go", "package a\n").Commit("base")
type Repo struct {
	Dir string // worktree root, or the repository itself when bare
	t   testing.TB
}

// NewRepo makes an empty repository with the branch main. args go to git init,
// for example "--object-format=sha256".
func NewRepo(t testing.TB, args ...string) *Repo {
	t.Helper()
	return NewRepoAt(t, filepath.Join(realTemp(t), "repo"), args...)
}

// NewRepoAt is NewRepo at a path of the caller's choice.
func NewRepoAt(t testing.TB, dir string, args ...string) *Repo {
	t.Helper()
	r := &Repo{Dir: dir, t: t}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

// realTemp is a temporary folder without symbolic links in its path: git
// reports real paths.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Git runs git in the repository and returns its standard output without the
// last line end.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.TryGit(args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSuffix(out, "\n")
}

// TryGit is Git for commands that may fail; the error holds standard error.
func (r *Repo) TryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = gitEnv()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return out.String(), &gitError{args: args, err: err, stderr: stderr.String()}
	}
	return out.String(), nil
}

// GitInput is Git with standard input.
func (r *Repo) GitInput(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = gitEnv()
	cmd.Stdin = strings.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		r.t.Fatal(&gitError{args: args, err: err, stderr: stderr.String()})
	}
	return strings.TrimSuffix(out.String(), "\n")
}

type gitError struct {
	args   []string
	err    error
	stderr string
}

func (e *gitError) Error() string {
	return "git " + strings.Join(e.args, " ") + ": " + e.err.Error() + ": " + e.stderr
}

func (e *gitError) Unwrap() error { return e.err }

// gitEnv is the environment without GIT_*, so that a test which sets such
// variables for the code under test does not disturb its own preparation.
// Dates are fixed: the same content gives the same commit id.
func gitEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return append(env,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		"GIT_AUTHOR_DATE=2024-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2024-01-02T03:04:05Z")
}

// For is the same repository on behalf of another test.
func (r *Repo) For(t testing.TB) *Repo { return &Repo{Dir: r.Dir, t: t} }
