//go:build !linux

package gitops

import "io/fs"

// stamp is empty where the system's change time is not read: a file that is
// written and put back goes unseen there.
type stamp struct{}

func stampOf(fs.FileInfo) stamp { return stamp{} }
