package gitops

import (
	"context"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

// diff lists the paths in which two trees differ, sorted. Folders with equal
// ids are not looked into. A file in the place of a folder, or the other way
// round, is what goes, deleted, and what comes, added.
func (t *trees) diff(ctx context.Context, from, to plumbing.Hash) ([]Change, error) {
	d := &treeDiff{trees: t, ctx: ctx}
	if err := d.folder("", from, to); err != nil {
		return nil, err
	}
	sort.Slice(d.changes, func(i, j int) bool { return d.changes[i].Path < d.changes[j].Path })
	return d.changes, nil
}

type treeDiff struct {
	trees   *trees
	ctx     context.Context // of one call of diff
	changes []Change
}

// folder compares two trees; a zero id stands for a folder that is not there.
func (d *treeDiff) folder(prefix string, from, to plumbing.Hash) error {
	if from == to {
		return nil
	}
	if err := context.Cause(d.ctx); err != nil {
		return err
	}
	type pair struct{ old, new treeEntry } // no mode: not there
	names := map[string]*pair{}
	for i, id := range []plumbing.Hash{from, to} {
		if id.IsZero() {
			continue
		}
		entries, err := d.trees.load(id)
		if err != nil {
			return err
		}
		for _, e := range entries {
			p := names[e.name]
			if p == nil {
				p = &pair{}
				names[e.name] = p
			}
			if i == 0 {
				p.old = e
			} else {
				p.new = e
			}
		}
	}
	for name, p := range names {
		if p.old.same(p.new) {
			continue
		}
		var oldTree, newTree plumbing.Hash
		if p.old.isTree() {
			oldTree, p.old = p.old.id, treeEntry{}
		}
		if p.new.isTree() {
			newTree, p.new = p.new.id, treeEntry{}
		}
		if err := d.folder(prefix+name+"/", oldTree, newTree); err != nil {
			return err
		}
		d.leaf(prefix+name, p.old, p.new)
	}
	return nil
}

// leaf adds the change of one path that is no folder on either side.
func (d *treeDiff) leaf(path string, from, to treeEntry) {
	if from.same(to) {
		return
	}
	c := Change{Path: path, OldMode: from.mode, NewMode: to.mode}
	if from.mode != "" {
		c.OldID = from.id.String()
	}
	if to.mode != "" {
		c.NewID = to.id.String()
	}
	switch {
	case from.mode == "":
		c.Kind = Added
	case to.mode == "":
		c.Kind = Deleted
	case from.mode == to.mode:
		c.Kind = Modified
	case isFile(from.mode) && isFile(to.mode):
		c.Kind = Mode
	default:
		c.Kind = Type
	}
	d.changes = append(d.changes, c)
}
