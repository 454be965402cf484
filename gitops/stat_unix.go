//go:build unix

package gitops

import (
	"io/fs"
	"syscall"
)

// openNonblock keeps the open of a fifo from waiting for a writer.
const openNonblock = syscall.O_NONBLOCK

// linkCount is how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
