package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// ErrGitMissing says that no program named git is on PATH.
var ErrGitMissing = errors.New("git was not found on PATH: install git " + neededVersion.String() + " or newer")

// Limits of one git child.
const (
	stderrCap = 64 << 10        // bytes of standard error that an error may carry
	waitDelay = 2 * time.Second // how long a killed git may keep its pipes open
)

// Runner is the one place where git is executed. It knows where git is and
// which environment its children get. It is safe for concurrent use.
type Runner struct {
	path    string
	version Version
	env     []string
}

// RunOptions says how one git child differs from the plain call. The zero
// value runs git with the user's own configuration and no standard input.
type RunOptions struct {
	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: Run returns the output; else it is streamed here and Run returns nil
	Stderr io.Writer // gets a copy of standard error; nil: only an error tells it
	Env    []string  // NAME=value pairs added after the scrub, so GIT_* is possible here
	Config []string  // key=value pairs, each passed with -c

	// Private is for repositories that patchvet itself wrote: neither the
	// system's nor the user's configuration, attributes and ignores are read,
	// and nothing is started on the side (hooks, fsmonitor, maintenance).
	Private bool
}

// NewRunner looks for git on PATH and asks for its version, once. It returns
// ErrGitMissing or a *VersionError where there is no git that would do.
func NewRunner(ctx context.Context) (*Runner, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrGitMissing
	}
	r := &Runner{path: path, env: scrub(os.Environ())}
	out, err := r.Run(ctx, "", RunOptions{}, "version")
	if err != nil {
		return nil, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	v, ok := parseVersion(string(out))
	if !ok || v.Less(neededVersion) {
		return nil, &VersionError{Found: strings.TrimSpace(string(out)), Needed: neededVersion.String()}
	}
	r.version = v
	return r, nil
}

// Version is the version of the git that was found.
func (r *Runner) Version() Version { return r.version }

// Run executes git with args in the folder dir and returns its standard
// output. A non-zero exit is a *CommandError; a cancelled ctx kills git and
// everything it started, and is returned as the context's cause.
func (r *Runner) Run(ctx context.Context, dir string, opt RunOptions, args ...string) ([]byte, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("git %s: %w", subcommand(args), err)
	}
	full := []string{"--no-pager"}
	env := append([]string{}, r.env...)
	if opt.Private {
		env = append(env, privateEnv()...)
		for _, kv := range privateConfig() {
			full = append(full, "-c", kv)
		}
	}
	for _, kv := range opt.Config {
		full = append(full, "-c", kv)
	}
	cmd := exec.CommandContext(ctx, r.path, append(full, args...)...)
	cmd.Dir = dir
	cmd.Env = append(env, opt.Env...)
	cmd.Stdin = opt.Stdin
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)

	var out bytes.Buffer
	stderr := &capped{limit: stderrCap}
	cmd.Stdout, cmd.Stderr = &out, stderr
	if opt.Stdout != nil {
		cmd.Stdout = opt.Stdout
	}
	if opt.Stderr != nil {
		cmd.Stderr = io.MultiWriter(stderr, opt.Stderr)
	}
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, fmt.Errorf("git %s: %w", subcommand(args), cause)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, &CommandError{Args: args, Dir: dir, ExitCode: exit.ExitCode(), Stderr: stderr.String()}
	}
	return nil, fmt.Errorf("git %s in %s: %w", subcommand(args), dir, err)
}

// capped keeps the first bytes that are written to it and drops the rest.
type capped struct {
	buf   bytes.Buffer
	limit int
}

func (c *capped) Write(p []byte) (int, error) {
	if room := c.limit - c.buf.Len(); room > 0 {
		c.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (c *capped) String() string { return c.buf.String() }
