package launcher

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Access rights of Landlock (landlock(7)), by what they are about.
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	fileRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	folderRights = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	deviceRights = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
)

// LandlockABI is the version of Landlock that the kernel offers, 0 for none.
func LandlockABI() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// handled is what a version can restrict (landlock(7), Landlock ABI versions).
func handled(abi int) (access, scoped uint64) {
	access = readRights | folderRights | deviceRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	if abi < 2 {
		// Where the right is unknown, moving files between folders is denied.
		access &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		access |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		access |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if abi >= 9 {
		access |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
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
	attr := unix.LandlockRulesetAttr{Handled_access_fs: access, Scoped: scoped}
	r, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	rules := ruleset(r)
	defer unix.Close(int(rules))
	// To connect to a socket of the root is harmless: there is none but its own.
	if err := rules.below("/", access&(readRights|unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX)); err != nil {
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
	if err := rules.add(1, access&fileRights&^unix.LANDLOCK_ACCESS_FS_EXECUTE); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, r, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

type ruleset uintptr

func (r ruleset) below(path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= fileRights
	}
	return r.add(fd, access)
}

func (r ruleset) add(fd int, access uint64) error {
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
