//go:build !unix

package gitops

import "io/fs"

// openNonblock: such a system has no fifos in its folders.
const openNonblock = 0

// linkCount is 1 where the system does not tell.
func linkCount(fs.FileInfo) uint64 { return 1 }
