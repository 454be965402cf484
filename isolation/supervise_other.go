//go:build !linux

package isolation

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"time"
)

// supervise runs a program in a process group of its own, without a launcher:
// this system has no reaper of orphans. When the program has ended, or ctx has,
// what is left of the group is killed. A process that left the group (setsid)
// is not found, and nothing dies when this process is killed.
func supervise(ctx context.Context, p program, out *os.File) (ending, error) {
	if err := enterable(p.dir); err != nil {
		return ending{}, err
	}
	cmd := &exec.Cmd{
		Path: p.path, Args: p.args, Env: p.env, Dir: p.dir,
		Stdout: out, Stderr: out,
		// The streams are files, so Wait waits for the process alone; the
		// delay guards that should it ever change.
		WaitDelay: time.Second,
	}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return ending{}, &startError{
			path:     p.path,
			notFound: errors.Is(err, fs.ErrNotExist),
			refused:  errors.Is(err, fs.ErrPermission),
			err:      err,
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	killed := false
	for done := ctx.Done(); ; {
		select {
		case <-done:
			done, killed = nil, true
			killGroup(cmd)
		case <-ended:
			e := endingOf(cmd.ProcessState)
			e.killed = killed
			if killGroup(cmd) && !killed {
				e.survivors = 1 // at least
			}
			return e, nil
		}
	}
}

// enterable tells a folder that cannot be entered from a program that does not
// exist, which a failed start reports alike.
func enterable(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return f.Close()
}

// RunLauncher is for Linux, where it prepares the process for boxes. Elsewhere
// there is no launcher and it reports false.
func RunLauncher() bool { return false }
