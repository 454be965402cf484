package gitops

// Entry is one path of a tree that is not a folder: a regular file, a
// symbolic link or a gitlink.
type Entry struct {
	Path string // slash-separated bytes as git stores them, not necessarily UTF-8
	Mode string // six octal digits: 100644, 100755, 120000 or 160000
	ID   string // of the blob, or the commit that a gitlink names
}

// The modes of a tree entry (git-fast-import(1), "filemodify"), in the only
// spelling that git writes today.
const (
	modeFile    = "100644"
	modeExec    = "100755"
	modeLink    = "120000"
	modeGitlink = "160000"
	modeTree    = "040000"
)

// isFile says whether a mode is that of a regular file.
func isFile(mode string) bool { return mode == modeFile || mode == modeExec }
