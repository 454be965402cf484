package launcher

import (
	"syscall"
	"unsafe"
)

// Access rights of Landlock (landlock(7)).
const (
	rightExecute = 1 << iota
	rightWriteFile
	rightReadFile
	rightReadDir
	rightRemoveDir
	rightRemoveFile
	rightMakeChar
	rightMakeDir
	rightMakeReg
	rightMakeSock
	rightMakeFifo
	rightMakeBlock
	rightMakeSym
	rightRefer       // from version 2
	rightTruncate    // 3
	rightIoctlDev    // 5
	rightResolveUnix // 9
)

// The same by what they are about.
const (
	readRights   = rightExecute | rightReadFile | rightReadDir
	fileRights   = rightReadFile | rightWriteFile | rightExecute | rightTruncate | rightIoctlDev
	folderRights = rightRemoveDir | rightRemoveFile | rightMakeDir | rightMakeReg | rightMakeSock | rightMakeFifo |
		rightMakeSym | rightRefer
	deviceRights = rightMakeChar | rightMakeBlock
)

// What a process may only do to those in the same box, from version 6.
const (
	scopeAbstractUnix = 1 << iota
	scopeSignal
)

// LandlockABI is the version of Landlock that the kernel offers, 0 for none.
func LandlockABI() int {
	const askVersion = 1
	version, _, errno := syscall.RawSyscall(landlockCreateRuleset, 0, 0, askVersion)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// handled is what a version can restrict (landlock(7), Landlock ABI versions).
func handled(abi int) (access, scoped uint64) {
	access = readRights | folderRights | deviceRights | rightWriteFile
	if abi < 2 {
		// Where the right is unknown, moving files between folders is denied.
		access &^= rightRefer
	}
	if abi >= 3 {
		access |= rightTruncate
	}
	if abi >= 5 {
		access |= rightIoctlDev
	}
	if abi >= 6 {
		scoped = scopeAbstractUnix | scopeSignal
	}
	if abi >= 9 {
		access |= rightResolveUnix
	}
	return access, scoped
}

// landlock is a second fence behind the root: everything in it may be read and
// executed, and only the writable mounts written. The network is not
// restricted, which is what the namespace is for: a test's own server must work.
// Without Landlock nothing is done; the description of the box says so.
//
// A library is not used for it: this package must be initialised first.
func landlock(mounts []Mount) error {
	abi := LandlockABI()
	if abi == 0 {
		return nil
	}
	access, scoped := handled(abi)
	attr := struct{ fs, net, scoped uint64 }{fs: access, scoped: scoped}
	r, _, errno := syscall.RawSyscall(landlockCreateRuleset, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	rules := ruleset(r)
	defer syscall.Close(int(rules))
	// To connect to a socket of the root is harmless: there is none but its own.
	if err := rules.below("/", access&(readRights|rightResolveUnix)); err != nil {
		return err
	}
	for _, m := range mounts {
		allowed := access &^ deviceRights
		switch m.Kind {
		case MountWritable, MountTmpfs, MountPTS:
		case MountDevice:
			allowed &= fileRights
		default:
			continue
		}
		if err := rules.below(m.Target, allowed); err != nil {
			return err
		}
	}
	// The log lies outside of the root; a command may open it again as /dev/stdout.
	if err := rules.add(1, access&fileRights&^rightExecute); err != nil {
		return err
	}
	return call(landlockRestrictSelf, r, 0, 0)
}

type ruleset uintptr

func (r ruleset) below(path string, access uint64) error {
	fd, err := syscall.Open(path, openPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		access &= fileRights
	}
	return r.add(fd, access)
}

func (r ruleset) add(fd int, access uint64) error {
	rule := struct {
		access uint64
		parent int32
	}{access, int32(fd)}
	const pathBeneath = 1
	_, _, errno := syscall.RawSyscall6(landlockAddRule, uintptr(r), pathBeneath, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
