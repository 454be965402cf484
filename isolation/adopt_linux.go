package isolation

import (
	"os"

	"golang.org/x/sys/unix"
)

// chownTree gives a folder and all below it to a user and group, and follows
// no link. Nothing is done when the folder itself is theirs already.
func chownTree(dir string, uid, gid int) error {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return err
	}
	if int(st.Uid) == uid && int(st.Gid) == gid {
		return nil
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		if err := chownBelow(fd, dir, uid, gid); err != nil {
			return err
		}
	}
	return unix.Fchownat(unix.AT_FDCWD, dir, uid, gid, unix.AT_SYMLINK_NOFOLLOW)
}

// chownBelow gives away what is in an open folder, which it closes.
func chownBelow(fd int, name string, uid, gid int) error {
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			sub, err := unix.Openat(fd, e.Name(), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
			if err != nil {
				return err
			}
			if err := chownBelow(sub, e.Name(), uid, gid); err != nil {
				return err
			}
		}
		if err := unix.Fchownat(fd, e.Name(), uid, gid, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
	}
	return nil
}
