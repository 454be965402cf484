package isolation

import (
	"os"

	"golang.org/x/sys/unix"
)

// clone makes to share the blocks of from until one is written (FICLONE,
// ioctl_ficlonerange(2)). It fails where the file system cannot.
func clone(to, from *os.File) error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) }
