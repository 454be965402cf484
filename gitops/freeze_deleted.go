package gitops

import (
	"path"
	"strings"
)

// findDeleted takes out of T what the room began with and no longer has.
func (f *freezer) findDeleted() {
	for p, e := range f.start {
		top, _, _ := strings.Cut(p, "/")
		if f.skip[top] || f.isBlocked(p) {
			continue
		}
		n := f.now.byPath[p]
		if e.mode == modeGitlink {
			if n == nil {
				f.missingGitlink(p)
			}
			continue
		}
		if n == nil || n.kind == nodeFolder {
			f.edits[p] = edit{path: p}
		}
	}
}

// missingGitlink keeps a submodule whose empty folder is gone, and rejects
// what stands in the place of a folder above it.
func (f *freezer) missingGitlink(p string) {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if n := f.now.byPath[dir]; n != nil && n.kind != nodeFolder {
			f.reject(dir, RuleGitlink, "It stands where the folder of submodule "+printable(p)+" was, and submodules are left alone.")
			delete(f.edits, dir)
			return
		}
	}
	f.suspect(p, "The empty folder of the submodule is gone; the submodule is kept.")
}

// isBlocked says whether nothing at a path belongs to T.
func (f *freezer) isBlocked(p string) bool {
	for ; p != "."; p = path.Dir(p) {
		if f.blocked[p] {
			return true
		}
	}
	return false
}
