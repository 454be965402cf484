package launcher

import (
	"syscall"
	"unsafe"
)

// lastCapability is above every capability; asking for one that the kernel
// does not know ends the loop before (prctl(2), PR_CAPBSET_DROP).
const lastCapability = 63

// drop gives up everything that the launcher could do beyond the command's
// user, for good.
func drop(b *Box) error {
	// While CAP_SETPCAP is still there.
	for c := uintptr(0); c <= lastCapability; c++ {
		if err := prctl(syscall.PR_CAPBSET_DROP, c); err == syscall.EINVAL {
			break
		} else if err != nil {
			return err
		}
	}
	if err := prctl(ambientCapabilities, clearAmbient); err != nil {
		return err
	}
	if syscall.Getuid() == 0 && b.UID != 0 {
		if err := become(int(b.UID), int(b.GID)); err != nil {
			return err
		}
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := prctl(setNoNewPrivs, 1); err != nil {
		return err
	}
	// A change of credentials clears the one and may set the other
	// (prctl(2), PR_SET_PDEATHSIG and PR_SET_DUMPABLE).
	if err := prctl(syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL)); err != nil {
		return err
	}
	return prctl(syscall.PR_SET_DUMPABLE, 0)
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
	head := struct {
		version uint32
		pid     int32
	}{version: capabilityVersion}
	var none [6]uint32 // effective, permitted and inheritable, twice
	return call(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&none)), 0)
}

// limit sets the bounds that the command inherits. The launcher keeps within
// them too.
func limit(limits []Rlimit) error {
	for _, l := range limits {
		bound := syscall.Rlimit{Cur: l.Value, Max: l.Value}
		if err := call(syscall.SYS_PRLIMIT64, 0, uintptr(l.Resource), uintptr(unsafe.Pointer(&bound))); err != nil {
			return err
		}
	}
	return nil
}

// filters installs the seccomp programs, for this thread and what it starts.
func filters(programs [][]byte) error {
	for _, p := range programs {
		const size = int(unsafe.Sizeof(syscall.SockFilter{}))
		if len(p) == 0 || len(p)%size != 0 {
			return syscall.EINVAL
		}
		code := make([]syscall.SockFilter, len(p)/size)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&code[0])), len(p)), p)
		prog := syscall.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
		// prctl and not seccomp(2): the number of that differs by machine.
		if err := prctl2(syscall.PR_SET_SECCOMP, seccompFilter, uintptr(unsafe.Pointer(&prog))); err != nil {
			return err
		}
	}
	return nil
}
