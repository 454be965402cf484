package gitops

import (
	"context"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// debrisLines is the debris, sorted, with one line for a folder of which
// nothing belongs to T.
func (f *freezer) debrisLines() []string {
	kept := map[string]bool{}
	keep := func(p string) {
		for dir := path.Dir(p); dir != "." && !kept[dir]; dir = path.Dir(dir) {
			kept[dir] = true
		}
	}
	for p := range f.edits {
		keep(p)
	}
	for p := range f.rejected {
		keep(p)
	}
	lines := map[string]bool{}
	for _, p := range f.debris {
		line := p
		for dir := path.Dir(strings.TrimSuffix(p, "/")); dir != "."; dir = path.Dir(dir) {
			if !kept[dir] && !f.isFolder(dir) {
				line = dir + "/"
			}
		}
		lines[line] = true
	}
	list := make([]string, 0, len(lines))
	for line := range lines {
		list = append(list, line)
	}
	sort.Strings(list)
	return list
}

// suspectChanges adds what is odd about the paths that T changes.
func (f *freezer) suspectChanges(ctx context.Context, tree plumbing.Hash, changes []Change) error {
	var added []string
	for _, c := range changes {
		switch path.Base(c.Path) {
		case ".gitignore":
			f.suspect(c.Path, "It decides what git ignores.")
		case ".gitattributes":
			f.suspect(c.Path, "It decides how git reads, compares and shows files.")
		case ".gitmodules":
			f.suspect(c.Path, "It decides where git gets submodules from.")
		}
		if target, ok := f.targets[c.Path]; ok && c.NewMode == modeLink {
			to := path.Join(path.Dir(c.Path), target)
			if first, _, _ := strings.Cut(to, "/"); gitTwin(first) {
				f.suspect(c.Path, "It is a symbolic link into the git folder.")
			}
		}
		if c.Kind != Added {
			continue
		}
		added = append(added, c.Path)
		if !utf8.ValidString(c.Path) {
			f.suspect(c.Path, "Its name is not UTF-8.")
		} else if strings.ContainsFunc(c.Path, unicode.IsControl) {
			f.suspect(c.Path, "Its name holds a control character.")
		}
	}
	if len(added) == 0 {
		return nil
	}
	return f.suspectTwins(ctx, tree, added)
}

// suspectTwins names new paths that some file systems cannot tell from others
// of T: they differ in case or in Unicode normalization only.
func (f *freezer) suspectTwins(ctx context.Context, tree plumbing.Hash, added []string) error {
	spellings := map[string][]string{} // of every path and folder of T
	seen := map[string]bool{}
	err := f.sealed.trees.leaves(ctx, tree, "", func(p string, _ treeEntry) {
		for ; p != "." && !seen[p]; p = path.Dir(p) {
			seen[p] = true
			key := fold(p)
			spellings[key] = append(spellings[key], p)
		}
	})
	if err != nil {
		return err
	}
	for _, p := range added {
		for q := p; q != "." && !f.sealed.dirs[q]; q = path.Dir(q) {
			others := spellings[fold(q)]
			if len(others) < 2 {
				continue
			}
			other := others[0]
			if other == q {
				other = others[1]
			}
			f.suspect(p, "Some file systems cannot tell "+printable(q)+" from "+printable(other)+".")
		}
	}
	return nil
}
