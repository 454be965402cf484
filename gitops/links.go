package gitops

import (
	"path"
	"strings"
)

// maxLinks is how many symbolic links one path may lead through, as in Linux
// (path_resolution(7)).
const maxLinks = 40

// linkView is the symbolic links and folders of one tree.
type linkView struct {
	links map[string]string // target by path
	dirs  map[string]bool
}

// outward says whether the link at p leads out of the tree, and through which
// folders and other links. A link to something that is not there leads
// nowhere.
func (v *linkView) outward(p string) (out bool, through []string) {
	var at []string
	if dir := path.Dir(p); dir != "." {
		at = strings.Split(dir, "/")
	}
	if strings.HasPrefix(v.links[p], "/") {
		return true, nil
	}
	followed := 0
	rest := strings.Split(v.links[p], "/")
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(at) == 0 {
				return true, through
			}
			at = at[:len(at)-1]
			continue
		}
		next := name
		if len(at) > 0 {
			next = strings.Join(at, "/") + "/" + name
		}
		through = append(through, next)
		if target, ok := v.links[next]; ok {
			if strings.HasPrefix(target, "/") {
				return true, through
			}
			if followed++; followed > maxLinks {
				return false, through
			}
			rest = append(strings.Split(target, "/"), rest...)
			continue
		}
		if !v.dirs[next] {
			return false, through
		}
		at = append(at, name)
	}
	return false, through
}

// leaves says whether a target, taken as text, leaves the worktree. The
// folders that it names may come into being later.
func leaves(p, target string) bool {
	to := path.Join(path.Dir(p), target)
	return strings.HasPrefix(target, "/") || to == ".." || strings.HasPrefix(to, "../")
}
