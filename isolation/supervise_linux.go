package isolation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
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
	takeBack, err := p.box.give(out)
	if err != nil {
		return ending{}, fmt.Errorf("give the log to the command's user: %w", err)
	}
	defer takeBack()
	if p.box != nil {
		// The kernel kills a box when the thread that started it ends
		// (prctl(2), PR_SET_PDEATHSIG).
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	l, err := startLauncher(p, out)
	if err != nil {
		return ending{}, fmt.Errorf("start the launcher through /proc/self/exe: %w", p.box.startFailure(err))
	}
	defer l.control.Close()
	defer l.group.remove()

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
				if p.box != nil {
					return ending{}, lostBox(l)
				}
				return ending{}, lost(l, leader, started)
			case r.Kind == launcher.Started:
				leader = int(r.Leader)
			case r.Kind == launcher.Failed:
				<-l.dead
				return ending{}, startFailure(p, r)
			case r.Kind == launcher.Done:
				<-l.dead
				end, err := endingOf(r)
				end.memory = l.group.outOfMemory()
				return end, err
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
	group   *group // of a box
	control *os.File
	reports chan launcher.Report // closed at the end of the stream
	dead    chan struct{}        // closed when the launcher has been reaped
}

func startLauncher(p program, out *os.File) (*running, error) {
	spec := launcher.Spec{Path: p.path, Args: p.args, Env: p.env, Dir: p.dir, Box: p.box.plan()}.Encode()
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
		Path:        "/proc/self/exe", // the running binary, also after it was replaced on disk
		Args:        []string{launcher.Name},
		Env:         []string{"GOGC=off"}, // short-lived, and nothing of ours is to be read in its /proc
		Dir:         "/",
		Stdout:      out,
		Stderr:      out,
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: p.box.attributes(),
	}
	if err := cmd.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	var group *group
	if p.box != nil {
		// Before it is told to go on.
		if group, err = p.box.groups.place(cmd.Process.Pid, p.box.limits); err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			ours.Close()
			return nil, err
		}
	}
	l := &running{cmd: cmd, group: group, control: ours, reports: make(chan launcher.Report, 2), dead: make(chan struct{})}
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
		group.remove()
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
	if p.box != nil && r.Stage != launcher.StageSetup {
		return p.box.stepFailure(r)
	}
	return fmt.Errorf("prepare the launcher: %w", errno)
}

// lostBox is the error for a box whose first process ended without a report.
// Everything in it was killed by the kernel with it.
func lostBox(l *running) error {
	reason := "its first process was killed"
	if l.group.outOfMemory() {
		reason = "the kernel killed its first process for memory"
	}
	return fmt.Errorf("%w: %s (%s), and everything in the box with it", errLost, reason, l.cmd.ProcessState)
}
