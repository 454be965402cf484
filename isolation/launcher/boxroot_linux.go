package launcher

import (
	"golang.org/x/sys/unix"
)

// anchors are folders of which every system has one. The new root is mounted
// over it, in a namespace of its own, before it becomes the root.
var anchors = []string{"/sys", "/tmp", "/run"}

// emptyFile is a file of the root that stands in for those that are covered.
// A device such as /dev/null in its place would take what is written.
const emptyFile = "/.empty"

// makeRoot builds the root that the command sees: nothing is in it that the
// mounts do not name. They are read-only, without devices and set-user-id
// programs, but what says otherwise.
func makeRoot(mounts []Mount) *stepError {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return &stepError{stage: StageRoot, errno: errnoOf(err)}
	}
	// The trees are taken out before the machine's root goes out of sight.
	trees := make([]int, len(mounts))
	for i, m := range mounts {
		if err := m.take(&trees[i]); err != nil {
			return &stepError{stage: StageMount, index: i, errno: errnoOf(err)}
		}
	}
	if err := enterRoot(); err != nil {
		return &stepError{stage: StageRoot, errno: errnoOf(err)}
	}
	for i, m := range mounts {
		if err := m.place(trees[i]); err != nil {
			return &stepError{stage: StageMount, index: i, errno: errnoOf(err)}
		}
	}
	if err := setAttr(unix.AT_FDCWD, "/", 0, unix.MOUNT_ATTR_RDONLY); err != nil {
		return &stepError{stage: StageRoot, errno: errnoOf(err)}
	}
	return nil
}

// enterRoot makes an empty root with the box's own /proc in it. That one is
// mounted while the machine's is still in sight: without one that shows
// everything, a user namespace may mount none (mount_namespaces(7)).
func enterRoot() error {
	var err error
	for _, at := range anchors {
		if err = unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=16m"); err != nil {
			continue
		}
		if err = unix.Chdir(at); err != nil {
			return err
		}
		break
	}
	if err != nil {
		return err
	}
	if err := unix.Mkdir("proc", 0o755); err != nil {
		return err
	}
	if err := unix.Mount("proc", "proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	// The old root lands on top of the new one and is detached from there
	// (pivot_root(2), "pivot_root(".", ".")").
	if err := unix.PivotRoot(".", "."); err != nil {
		return err
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	return create(emptyFile)
}

// take gets hold of what a mount shows of the machine, with its attributes set
// before anybody sees it.
func (m Mount) take(tree *int) error {
	*tree = -1
	set := uint64(unix.MOUNT_ATTR_NOSUID)
	switch m.Kind {
	case MountReadOnly:
		set |= unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NODEV
	case MountWritable:
		set |= unix.MOUNT_ATTR_NODEV
	case MountDevice:
	default:
		return nil
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, m.Source, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return err
	}
	*tree = fd
	return setAttr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, set)
}

func setAttr(fd int, path string, flags uint, set uint64) error {
	return unix.MountSetattr(fd, path, flags, &unix.MountAttr{Attr_set: set})
}

// place puts a mount at its target in the new root.
func (m Mount) place(tree int) error {
	switch m.Kind {
	case MountReadOnly, MountWritable, MountDevice:
		return attach(tree, m.Target)
	case MountTmpfs:
		if err := makeAll(m.Target); err != nil {
			return err
		}
		return unix.Mount("tmpfs", m.Target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, m.Options)
	case MountPTS:
		if err := makeAll(m.Target); err != nil {
			return err
		}
		return unix.Mount("devpts", m.Target, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, m.Options)
	case MountLink:
		if err := makeAll(parent(m.Target)); err != nil {
			return err
		}
		return unix.Symlink(m.Source, m.Target)
	case MountFolder:
		return makeAll(m.Target)
	case MountProc:
		return shieldProc(m.Target)
	case MountEmpty:
		return cover(m.Target)
	}
	return unix.EINVAL
}

func attach(tree int, target string) error {
	defer unix.Close(tree)
	var st unix.Stat_t
	if err := unix.Fstat(tree, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		if err := makeAll(target); err != nil {
			return err
		}
	} else {
		if err := makeAll(parent(target)); err != nil {
			return err
		}
		if err := create(target); err != nil {
			return err
		}
	}
	return unix.MoveMount(tree, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// shieldProc makes read-only what tunes the kernel, and covers what tells of
// the machine or its keys.
func shieldProc(proc string) error {
	for _, name := range []string{"/sys", "/sysrq-trigger", "/irq", "/bus", "/fs"} {
		path := proc + name
		err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, "")
		if err == unix.ENOENT {
			continue
		}
		if err != nil {
			return err
		}
		if err := setAttr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, unix.MOUNT_ATTR_RDONLY); err != nil {
			return err
		}
	}
	for _, name := range []string{"/kcore", "/keys", "/key-users", "/timer_list", "/latency_stats", "/kmsg", "/kallsyms"} {
		if err := cover(proc + name); err != nil {
			return err
		}
	}
	return nil
}

// cover puts an empty file over one that is there.
func cover(path string) error {
	err := unix.Mount(emptyFile, path, "", unix.MS_BIND, "")
	if err == unix.ENOENT || err == unix.ENOTDIR {
		return nil
	}
	if err != nil {
		return err
	}
	return setAttr(unix.AT_FDCWD, path, 0, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
}

// makeAll makes a folder and those above it, which only the owner of the root
// may write in.
func makeAll(path string) error {
	var st unix.Stat_t
	if path == "/" || path == "" {
		return nil
	}
	if unix.Stat(path, &st) == nil {
		if st.Mode&unix.S_IFMT != unix.S_IFDIR {
			return unix.ENOTDIR
		}
		return nil
	}
	if err := makeAll(parent(path)); err != nil {
		return err
	}
	return unix.Mkdir(path, 0o755)
}

func create(path string) error {
	fd, err := unix.Open(path, unix.O_CREAT|unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o444)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			return path[:i]
		}
	}
	return "/"
}
