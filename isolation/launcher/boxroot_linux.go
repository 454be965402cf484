package launcher

import (
	"syscall"
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
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
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
	if err := setAttr(atCWD, "/", 0, attrReadOnly); err != nil {
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
		if err = syscall.Mount("tmpfs", at, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=0755,size=16m"); err != nil {
			continue
		}
		if err = syscall.Chdir(at); err != nil {
			return err
		}
		break
	}
	if err != nil {
		return err
	}
	if err := syscall.Mkdir("proc", 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
		return err
	}
	// The old root lands on top of the new one and is detached from there
	// (pivot_root(2), "pivot_root(".", ".")").
	if err := syscall.PivotRoot(".", "."); err != nil {
		return err
	}
	if err := syscall.Unmount(".", syscall.MNT_DETACH); err != nil {
		return err
	}
	if err := syscall.Chdir("/"); err != nil {
		return err
	}
	return create(emptyFile)
}

// take gets hold of what a mount shows of the machine, with its attributes set
// before anybody sees it.
func (m Mount) take(tree *int) error {
	*tree = -1
	set := uint64(attrNoSUID)
	switch m.Kind {
	case MountReadOnly:
		set |= attrReadOnly | attrNoDev
	case MountWritable:
		set |= attrNoDev
	case MountDevice:
	default:
		return nil
	}
	fd, err := openTree(m.Source)
	if err != nil {
		return err
	}
	*tree = fd
	return setAttr(fd, "", atEmptyPath|atRecursive, set)
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
		return syscall.Mount("tmpfs", m.Target, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, m.Options)
	case MountPTS:
		if err := makeAll(m.Target); err != nil {
			return err
		}
		return syscall.Mount("devpts", m.Target, "devpts", syscall.MS_NOSUID|syscall.MS_NOEXEC, m.Options)
	case MountLink:
		if err := makeAll(parent(m.Target)); err != nil {
			return err
		}
		return syscall.Symlink(m.Source, m.Target)
	case MountFolder:
		return makeAll(m.Target)
	case MountProc:
		return shieldProc(m.Target)
	case MountEmpty:
		return cover(m.Target)
	}
	return syscall.EINVAL
}

func attach(tree int, target string) error {
	defer syscall.Close(tree)
	var st syscall.Stat_t
	if err := syscall.Fstat(tree, &st); err != nil {
		return err
	}
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
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
	return moveMount(tree, target)
}

// shieldProc makes read-only what tunes the kernel, and covers what tells of
// the machine or its keys.
func shieldProc(proc string) error {
	for _, name := range []string{"/sys", "/sysrq-trigger", "/irq", "/bus", "/fs"} {
		path := proc + name
		err := syscall.Mount(path, path, "", syscall.MS_BIND|syscall.MS_REC, "")
		if err == syscall.ENOENT {
			continue
		}
		if err != nil {
			return err
		}
		if err := setAttr(atCWD, path, atRecursive, attrReadOnly); err != nil {
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
	err := syscall.Mount(emptyFile, path, "", syscall.MS_BIND, "")
	if err == syscall.ENOENT || err == syscall.ENOTDIR {
		return nil
	}
	if err != nil {
		return err
	}
	return setAttr(atCWD, path, 0, attrReadOnly|attrNoSUID|attrNoDev)
}

// makeAll makes a folder and those above it, which only the owner of the root
// may write in.
func makeAll(path string) error {
	var st syscall.Stat_t
	if path == "/" || path == "" {
		return nil
	}
	if syscall.Stat(path, &st) == nil {
		if st.Mode&syscall.S_IFMT != syscall.S_IFDIR {
			return syscall.ENOTDIR
		}
		return nil
	}
	if err := makeAll(parent(path)); err != nil {
		return err
	}
	return syscall.Mkdir(path, 0o755)
}

func create(path string) error {
	fd, err := syscall.Open(path, syscall.O_CREAT|syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0o444)
	if err != nil {
		return err
	}
	return syscall.Close(fd)
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			return path[:i]
		}
	}
	return "/"
}
