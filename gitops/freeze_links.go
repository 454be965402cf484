package gitops

import (
	"path"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

// checkLinks rejects symbolic links that lead out of the worktree, unless the
// base has them byte for byte, and links that make one of the base's do so.
// What a rejected link uncovers is looked at again.
func (f *freezer) checkLinks() error {
	links := len(f.targets) > 0
	for p := range f.edits {
		links = links || f.sealed.entries[p].mode == modeLink
	}
	if !links {
		return nil
	}
	base, err := f.viewOf(f.sealed.entries, nil)
	if err != nil {
		return err
	}
	for {
		view, err := f.viewOf(f.current(), f.targets)
		if err != nil {
			return err
		}
		bad := f.outwardLinks(view, base)
		if len(bad) == 0 {
			return nil
		}
		for _, p := range bad {
			f.reject(p, RuleOutward, linkReason(view, p))
		}
	}
}

func linkReason(v *linkView, p string) string {
	target, ok := v.links[p]
	switch {
	case !ok:
		return "A symbolic link of the base leads out of the worktree when this is none any more."
	case leaves(p, target):
		return "The symbolic link to " + printable(target) + " leads out of the worktree."
	}
	return "The symbolic link to " + printable(target) + " leads out of the worktree by way of others."
}

// outwardLinks lists the links of T to reject, sorted.
func (f *freezer) outwardLinks(view, base *linkView) []string {
	bad := map[string]bool{}
	ours := func(p string) bool {
		target, ok := base.links[p]
		return ok && target == view.links[p]
	}
	for p, target := range view.links {
		out, through := view.outward(p)
		if !ours(p) {
			if out || leaves(p, target) {
				bad[p] = true
			}
			continue
		}
		if was, _ := base.outward(p); !out || was {
			continue
		}
		for _, q := range through {
			_, now := view.links[q]
			_, before := base.links[q]
			if (now || before) && !ours(q) {
				bad[q] = true
			}
		}
	}
	list := make([]string, 0, len(bad))
	for p := range bad {
		list = append(list, p)
	}
	sort.Strings(list)
	return list
}

// current is T as it stands, by path.
func (f *freezer) current() map[string]treeEntry {
	now := map[string]treeEntry{}
	for p, e := range f.start {
		if _, edited := f.edits[p]; !edited && !f.isRejected(p) {
			now[p] = e
		}
	}
	for p, e := range f.edits {
		if e.mode != "" && !f.isRejected(p) {
			now[p] = treeEntry{mode: e.mode, id: e.id}
		}
	}
	for p, e := range f.sealed.entries {
		if f.isRejected(p) {
			now[p] = e
		}
	}
	return now
}

// isRejected says whether a path is one that stays as the base has it.
func (f *freezer) isRejected(p string) bool {
	for ; p != "."; p = path.Dir(p) {
		if _, ok := f.rejected[p]; ok {
			return true
		}
	}
	return false
}

// viewOf reads the links of a tree; known are targets that need no reading.
func (f *freezer) viewOf(entries map[string]treeEntry, known map[string]string) (*linkView, error) {
	v := &linkView{links: map[string]string{}, dirs: foldersOf(entries)}
	for p, e := range entries {
		if e.mode == modeGitlink {
			v.dirs[p] = true
		}
		if e.mode != modeLink {
			continue
		}
		target, ok := known[p]
		if id := f.edits[p].id; !ok || id != e.id {
			data, err := f.sealed.store.read(plumbing.BlobObject, e.id)
			if err != nil {
				return nil, err
			}
			target = string(data)
		}
		v.links[p] = target
	}
	return v, nil
}
