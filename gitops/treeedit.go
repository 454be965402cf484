package gitops

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// edit puts an entry at a path of a tree, a whole folder if its mode is that
// of a tree, or takes away what is there.
type edit struct {
	path string
	mode string // "": take away
	id   plumbing.Hash
}

// editNode is one name on the paths of a set of edits.
type editNode struct {
	own      *edit
	children map[string]*editNode
}

// edit applies edits to a tree and returns the new one. An entry put below a
// path replaces a file at that path by a folder; taking away below a file
// does nothing; a folder of which nothing is left goes.
func (t *trees) edit(root plumbing.Hash, edits []edit) (plumbing.Hash, error) {
	if len(edits) == 0 {
		return root, nil
	}
	top := &editNode{}
	for i := range edits {
		n := top
		for name := range strings.SplitSeq(edits[i].path, "/") {
			if err := checkName(name); err != nil {
				return plumbing.ZeroHash, err
			}
			if n.children == nil {
				n.children = map[string]*editNode{}
			}
			child := n.children[name]
			if child == nil {
				child = &editNode{}
				n.children[name] = child
			}
			n = child
		}
		n.own = &edits[i]
	}
	id, err := t.editFolder(root, top)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if id.IsZero() { // git has a tree for nothing, too
		return t.save(nil)
	}
	return id, nil
}

// editFolder applies the edits below n to the tree id, zero for a folder that
// is not there, and returns zero for an empty folder.
func (t *trees) editFolder(id plumbing.Hash, n *editNode) (plumbing.Hash, error) {
	var entries []treeEntry
	if !id.IsZero() {
		var err error
		if entries, err = t.load(id); err != nil {
			return id, err
		}
	}
	next := make([]treeEntry, 0, len(entries)+len(n.children))
	changed := false
	seen := map[string]bool{}
	for _, e := range entries {
		child := n.children[e.name]
		if child == nil {
			next = append(next, e)
			continue
		}
		seen[e.name] = true
		to, err := t.editEntry(e, child)
		if err != nil {
			return id, err
		}
		changed = changed || !to.same(e)
		if to.mode != "" {
			next = append(next, to)
		}
	}
	for name, child := range n.children {
		if seen[name] {
			continue
		}
		to, err := t.editEntry(treeEntry{name: name}, child)
		if err != nil {
			return id, err
		}
		if to.mode != "" {
			next = append(next, to)
			changed = true
		}
	}
	if !changed {
		return id, nil
	}
	if len(next) == 0 {
		return plumbing.ZeroHash, nil
	}
	return t.save(next)
}

// editEntry applies the edits at and below one name.
func (t *trees) editEntry(e treeEntry, n *editNode) (treeEntry, error) {
	if n.own != nil {
		e.mode, e.id = n.own.mode, n.own.id
	}
	if len(n.children) == 0 {
		return e, nil
	}
	sub := plumbing.ZeroHash
	if e.isTree() {
		sub = e.id
	}
	id, err := t.editFolder(sub, n)
	if err != nil {
		return e, err
	}
	if !id.IsZero() {
		e.mode, e.id = modeTree, id
	} else if e.isTree() {
		e.mode = ""
	}
	return e, nil
}
