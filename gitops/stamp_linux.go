package gitops

import (
	"io/fs"
	"syscall"
)

// stamp is what a write or a replacement of a file changes even when the bytes
// stay: the inode, and the change time, which no call sets (stat(2), utimensat(2)).
type stamp struct {
	inode uint64
	sec   int64
	nsec  int64
}

func stampOf(info fs.FileInfo) stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}
	}
	return stamp{inode: st.Ino, sec: int64(st.Ctim.Sec), nsec: int64(st.Ctim.Nsec)}
}
