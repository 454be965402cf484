package launcher

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// init turns the process into a launcher when it was started as one. It runs
// on the process's main thread, to which the runtime ties package
// initialisation; the thread lives as long as the process, which is what
// Pdeathsig of the command needs (prctl(2), PR_SET_PDEATHSIG: the signal comes
// when the thread ends).
func init() {
	if len(os.Args) == 1 && os.Args[0] == Name && isSocket(ControlFD) {
		runtime.LockOSThread()
		serve(control(ControlFD))
		// Not os.Exit: its hooks write coverage data and warnings, and
		// standard error is the command's log.
		syscall.Exit(0)
	}
}

func isSocket(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFSOCK
}

// control is the launcher's end of the control socket, read and written with
// plain blocking system calls.
type control int

func (c control) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(c), p)
		if err == unix.EINTR {
			continue
		}
		if n < 0 {
			n = 0
		}
		if n == 0 && err == nil {
			err = unix.EPIPE
		}
		return n, err
	}
}

func (c control) Write(p []byte) (int, error) {
	for {
		n, err := unix.Write(int(c), p)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// harden is what must hold before the command exists.
func harden() error {
	unix.CloseOnExec(ControlFD)
	if err := closeInherited(); err != nil {
		return err
	}
	// Not dumpable: a command of an ordinary user can neither trace the
	// launcher nor look into its /proc folder. execve resets it for the
	// command itself.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	ignoreSignals()
	return nil
}

// ignoreSignals lets a command signal its parent, as tests of signals do,
// without ending the launcher. The command itself does not start with them
// ignored: the runtime has handlers of its own for these four, and resets what
// it handles before a child executes. It is bypassed here, as os/signal starts
// two threads for the same, which takes half a millisecond.
func ignoreSignals() {
	// The kernel's struct sigaction: the handler (1 is SIG_IGN), flags and mask.
	action := [8]uintptr{1}
	const maskSize = 8
	for _, sig := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM} {
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, maskSize, 0, 0)
	}
}

// closeInherited closes what the launcher's ancestors left open without
// close-on-exec. Descriptors of the Go runtime all have that flag.
func closeInherited() error {
	names, err := readDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= 2 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
	return nil
}
