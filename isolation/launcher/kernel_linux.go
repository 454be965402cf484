package launcher

import (
	"syscall"
	"unsafe"
)

// What package syscall lacks. The numbers of these calls are the same on every
// machine (syscalls(2)).
const (
	sysOpenTree           = 428
	sysMoveMount          = 429
	sysMountSetattr       = 442
	landlockCreateRuleset = 444
	landlockAddRule       = 445
	landlockRestrictSelf  = 446

	cloneNewCgroup      = 0x02000000
	ambientCapabilities = 47 // PR_CAP_AMBIENT
	clearAmbient        = 4  // PR_CAP_AMBIENT_CLEAR_ALL
	setNoNewPrivs       = 38 // PR_SET_NO_NEW_PRIVS
	seccompFilter       = 2  // SECCOMP_MODE_FILTER
	capabilityVersion   = 0x20080522

	atCWD       = -100
	atEmptyPath = 0x1000
	atRecursive = 0x8000
	openPath    = 0x200000 // O_PATH

	attrReadOnly = 0x1
	attrNoSUID   = 0x2
	attrNoDev    = 0x4
)

func call(number, a, b, c uintptr) error {
	if _, _, errno := syscall.RawSyscall(number, a, b, c); errno != 0 {
		return errno
	}
	return nil
}

func prctl2(option, a, b uintptr) error {
	return call(syscall.SYS_PRCTL, option, a, b)
}

// openTree gets hold of a copy of what is mounted at a path and below
// (open_tree(2)).
func openTree(path string) (int, error) {
	p, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, err
	}
	const clone = 1 // OPEN_TREE_CLONE
	at := atCWD
	fd, _, errno := syscall.RawSyscall(sysOpenTree, uintptr(at), uintptr(unsafe.Pointer(p)), clone|syscall.O_CLOEXEC|atRecursive)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// moveMount puts such a copy at a path (move_mount(2)).
func moveMount(tree int, path string) error {
	to, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	const fromEmptyPath = 4 // MOVE_MOUNT_F_EMPTY_PATH
	at, empty := atCWD, byte(0)
	_, _, errno := syscall.RawSyscall6(sysMoveMount, uintptr(tree), uintptr(unsafe.Pointer(&empty)), uintptr(at), uintptr(unsafe.Pointer(to)), fromEmptyPath, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// setAttr adds attributes to a mount (mount_setattr(2)).
func setAttr(fd int, path string, flags uintptr, set uint64) error {
	p, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	attr := struct{ set, clear, propagation, userns uint64 }{set: set}
	_, _, errno := syscall.RawSyscall6(sysMountSetattr, uintptr(fd), uintptr(unsafe.Pointer(p)), flags, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	return nil
}
