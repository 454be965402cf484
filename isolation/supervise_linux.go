package isolation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// supervise runs a program under a launcher until it and everything that it
// started is dead. Both output streams go to out. When ctx ends, the whole tree
// is killed. An error is a *startError or wraps errLost.
func supervise(ctx context.Context, p program, out *os.File) (ending, error) {
	started := bootTicks()
	l, err := startLauncher(p, out)
	if err != nil {
		return ending{}, fmt.Errorf("start the launcher through /proc/self/exe: %w", err)
	}
	defer l.control.Close()

	var (
		leader int
		grace  <-chan time.Time
		done   = ctx.Done()
		dead   = l.dead
	)
	for {
		select {
		case r, ok := <-l.reports:
			switch {
			case !ok:
				<-l.dead
				return ending{}, lost(l, leader, started)
			case r.Kind == launcher.Started:
				leader = int(r.Leader)
			case r.Kind == launcher.Failed:
				<-l.dead
				return ending{}, startFailure(p, r)
			case r.Kind == launcher.Done:
				<-l.dead
				return endingOf(r)
			}
		case <-done:
			done = nil
			// A launcher that the command stopped must run to obey.
			_ = l.cmd.Process.Signal(unix.SIGCONT)
			_, _ = l.control.Write([]byte{'k'})
			grace = time.After(launcher.Patience + 3*time.Second)
		case <-grace:
			_ = l.cmd.Process.Kill()
		case <-dead:
			// What it wrote before its end is still to be read, but another
			// process that got hold of its socket must not keep us waiting.
			dead = nil
			_ = l.control.SetReadDeadline(time.Now().Add(time.Second))
		}
	}
}

// running is a started launcher.
type running struct {
	cmd     *exec.Cmd
	control *os.File
	reports chan launcher.Report // closed at the end of the stream
	dead    chan struct{}        // closed when the launcher has been reaped
}

func startLauncher(p program, out *os.File) (*running, error) {
	spec := launcher.Spec{Path: p.path, Args: p.args, Env: p.env, Dir: p.dir}.Encode()
	if len(spec) > launcher.MaxSpec {
		return nil, unix.E2BIG
	}
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(fds[1]), "launcher control")
	defer theirs.Close()
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		return nil, err
	}
	ours := os.NewFile(uintptr(fds[0]), "launcher control")

	cmd := &exec.Cmd{
		Path:       "/proc/self/exe", // the running binary, also after it was replaced on disk
		Args:       []string{launcher.Name},
		Env:        []string{"GOGC=off"}, // short-lived, and nothing of ours is to be read in its /proc
		Dir:        "/",
		Stdout:     out,
		Stderr:     out,
		ExtraFiles: []*os.File{theirs},
		// A process group of its own: Ctrl-C at the terminal is for patchvet,
		// which tells the launcher. Not a session: the command gets one, and
		// each session is a scheduling group (sched(7), autogroup) that waits
		// for its first turn on a busy machine.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if err := cmd.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	l := &running{cmd: cmd, control: ours, reports: make(chan launcher.Report, 2), dead: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(l.dead)
	}()
	go func() {
		defer close(l.reports)
		for {
			var buf [launcher.ReportSize]byte
			if _, err := io.ReadFull(ours, buf[:]); err != nil {
				return
			}
			l.reports <- launcher.DecodeReport(buf)
		}
	}()
	_ = ours.SetWriteDeadline(time.Now().Add(30 * time.Second))
	// EPIPE: it is dead already, and the end of its reports will say so.
	if _, err := ours.Write(spec); err != nil && !errors.Is(err, syscall.EPIPE) {
		_ = cmd.Process.Kill()
		<-l.dead
		ours.Close()
		return nil, err
	}
	return l, nil
}

func endingOf(r launcher.Report) (ending, error) {
	if r.Left > 0 {
		return ending{}, fmt.Errorf("%w: %d of its processes could not be killed, as they run as another user or hang in the kernel", errLost, r.Left)
	}
	ws := syscall.WaitStatus(r.Status)
	e := ending{code: ws.ExitStatus(), killed: r.Killed != 0, survivors: int(r.Survivors)}
	if ws.Signaled() {
		e.code, e.signal = -1, int(ws.Signal())
	}
	return e, nil
}

func startFailure(p program, r launcher.Report) error {
	errno := syscall.Errno(r.Errno)
	switch r.Stage {
	case launcher.StageDir:
		return fmt.Errorf("enter %s: %w", p.dir, errno)
	case launcher.StageExec:
		return &startError{
			path:     p.path,
			notFound: errno == unix.ENOENT || errno == unix.ENOTDIR,
			refused:  errno == unix.EACCES || errno == unix.EPERM || errno == unix.ENOEXEC,
			err:      errno,
		}
	}
	return fmt.Errorf("prepare the launcher: %w", errno)
}
