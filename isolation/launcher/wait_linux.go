package launcher

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// pidOffset is the place of si_pid in siginfo_t (sigaction(2)): after three
// ints, aligned to the size of a pointer, because the union there holds some.
const pidOffset = (12 + unsafe.Sizeof(uintptr(0)) - 1) &^ (unsafe.Sizeof(uintptr(0)) - 1)

// waitable blocks until a child has ended, and returns its id without reaping
// it. Children of clone(2) that send no SIGCHLD count (WALL).
func waitable() (int, error) {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT|unix.WALL, nil)
	if err != nil {
		return 0, err
	}
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pidOffset))), nil
}
