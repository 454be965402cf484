package launcher

import (
	"runtime"
	"strconv"
	"syscall"
)

// init turns the process into a launcher when it was started as one. It runs
// on the process's main thread, to which the runtime ties package
// initialisation; the thread lives as long as the process, which is what
// Pdeathsig of the command needs (prctl(2), PR_SET_PDEATHSIG: the signal comes
// when the thread ends).
func init() {
	if isSocket(ControlFD) && isNamed() {
		runtime.LockOSThread()
		serve(control(ControlFD))
		syscall.Exit(0)
	}
}

func isSocket(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFSOCK
}

// isNamed says whether argv is the launcher's. os.Args is not there yet.
func isNamed() bool {
	argv, err := readFile("/proc/self/cmdline")
	return err == nil && string(argv) == Name+"\x00"
}

// harden is what must hold before the command exists.
func harden() error {
	syscall.CloseOnExec(ControlFD)
	if err := closeInherited(); err != nil {
		return err
	}
	// Not dumpable: a command of an ordinary user can neither trace the
	// launcher nor look into its /proc folder. execve resets it for the
	// command itself.
	if err := prctl(syscall.PR_SET_DUMPABLE, 0); err != nil {
		return err
	}
	if err := prctl(setChildSubreaper, 1); err != nil {
		return err
	}
	ignoreSignals()
	return nil
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
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 {
			_ = syscall.Close(fd)
		}
	}
	return nil
}
