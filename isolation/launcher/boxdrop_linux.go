package launcher

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lastCapability is above every capability; asking for one that the kernel
// does not know ends the loop before (prctl(2), PR_CAPBSET_DROP).
const lastCapability = 63

// drop gives up everything that the launcher could do beyond the command's
// user, for good.
func drop(b *Box) error {
	// While CAP_SETPCAP is still there.
	for c := uintptr(0); c <= lastCapability; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err == unix.EINVAL {
			break
		} else if err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	if unix.Getuid() == 0 && b.UID != 0 {
		if err := become(int(b.UID), int(b.GID)); err != nil {
			return err
		}
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	// A change of credentials clears the one and may set the other
	// (prctl(2), PR_SET_PDEATHSIG and PR_SET_DUMPABLE).
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// become changes the user of all threads (setresuid(2), C library/kernel
// differences).
func become(uid, gid int) error {
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setresgid(gid, gid, gid); err != nil {
		return err
	}
	return syscall.Setresuid(uid, uid, uid)
}

// dropCapabilities empties the sets of this thread, which starts the command.
// The launcher's other threads lose theirs with the change of user; in a user
// namespace they keep what they have in it, and start nothing.
func dropCapabilities() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&head, &none[0])
}

// limit sets the bounds that the command inherits. The launcher keeps within
// them too.
func limit(limits []Rlimit) error {
	for _, l := range limits {
		if err := unix.Setrlimit(int(l.Resource), &unix.Rlimit{Cur: l.Value, Max: l.Value}); err != nil {
			return err
		}
	}
	return nil
}

// filters installs the seccomp programs, for this thread and what it starts.
func filters(programs [][]byte) error {
	for _, p := range programs {
		const size = int(unsafe.Sizeof(unix.SockFilter{}))
		if len(p) == 0 || len(p)%size != 0 {
			return unix.EINVAL
		}
		code := make([]unix.SockFilter, len(p)/size)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&code[0])), len(p)), p)
		prog := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
		if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
			return errno
		}
	}
	return nil
}
