package launcher

import (
	"syscall"
	"unsafe"
)

// setChildSubreaper is PR_SET_CHILD_SUBREAPER (prctl(2)), which package syscall
// lacks.
const setChildSubreaper = 36

func prctl(option, value uintptr) error {
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0); errno != 0 {
		return errno
	}
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
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, maskSize, 0, 0)
	}
}

// pidOffset is the place of si_pid in siginfo_t (sigaction(2)): after three
// ints, aligned to the size of a pointer, because the union there holds some.
const pidOffset = (12 + unsafe.Sizeof(uintptr(0)) - 1) &^ (unsafe.Sizeof(uintptr(0)) - 1)

// waitable blocks until a child has ended, and returns its id without reaping
// it. Children of clone(2) that send no SIGCHLD count (WALL).
func waitable() (int, error) {
	const allChildren = 0 // P_ALL
	var info [128]byte    // siginfo_t
	_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, allChildren, 0, uintptr(unsafe.Pointer(&info)),
		syscall.WEXITED|syscall.WNOWAIT|syscall.WALL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(*(*int32)(unsafe.Pointer(&info[pidOffset]))), nil
}

// now is the time of the monotonic clock in nanoseconds.
func now() int64 {
	const monotonic = 1 // CLOCK_MONOTONIC
	var ts syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

// sleep takes at least that many nanoseconds.
func sleep(nanoseconds int64) {
	for end := now() + nanoseconds; ; {
		left := end - now()
		if left <= 0 {
			return
		}
		ts := syscall.NsecToTimespec(left)
		_ = syscall.Nanosleep(&ts, nil)
	}
}
