package gitops

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// trees reads and writes the trees of a run. It keeps what it has parsed:
// the trees of a run differ in a few folders.
type trees struct {
	store *objects
	mu    sync.Mutex
	known map[plumbing.Hash][]treeEntry
}

func newTrees(store *objects) *trees {
	return &trees{store: store, known: map[plumbing.Hash][]treeEntry{}}
}

// load is the entries of one tree object. The caller does not change them.
func (t *trees) load(id plumbing.Hash) ([]treeEntry, error) {
	t.mu.Lock()
	entries, ok := t.known[id]
	t.mu.Unlock()
	if ok {
		return entries, nil
	}
	data, err := t.store.read(plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	if entries, err = parseTree(data); err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	t.mu.Lock()
	t.known[id] = entries
	t.mu.Unlock()
	return entries, nil
}

// save stores a tree object.
func (t *trees) save(entries []treeEntry) (plumbing.Hash, error) {
	data := encodeTree(entries)
	return t.store.write(plumbing.TreeObject, int64(len(data)), bytes.NewReader(data))
}

// leaves calls f for everything below a tree that is not a folder.
func (t *trees) leaves(ctx context.Context, id plumbing.Hash, prefix string, f func(path string, e treeEntry)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	entries, err := t.load(id)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.isTree() {
			f(prefix+e.name, e)
			continue
		}
		if err := t.leaves(ctx, e.id, prefix+e.name+"/", f); err != nil {
			return err
		}
	}
	return nil
}

// paths lists everything in a tree that is not a folder, sorted by path.
func (t *trees) paths(ctx context.Context, id plumbing.Hash) ([]Entry, error) {
	var list []Entry
	err := t.leaves(ctx, id, "", func(path string, e treeEntry) {
		list = append(list, Entry{Path: path, Mode: e.mode, ID: e.id.String()})
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, err
}

// find is the entry at a path, or fs.ErrNotExist.
func (t *trees) find(id plumbing.Hash, path string) (treeEntry, error) {
	at := treeEntry{mode: modeTree, id: id}
	for name := range strings.SplitSeq(path, "/") {
		if !at.isTree() {
			return treeEntry{}, fs.ErrNotExist
		}
		entries, err := t.load(at.id)
		if err != nil {
			return treeEntry{}, err
		}
		found := false
		for _, e := range entries {
			if e.name == name {
				at, found = e, true
				break
			}
		}
		if !found {
			return treeEntry{}, fs.ErrNotExist
		}
	}
	return at, nil
}

// foldersOf lists the folders that hold the given paths.
func foldersOf(entries map[string]treeEntry) map[string]bool {
	dirs := map[string]bool{}
	for p := range entries {
		for dir := path.Dir(p); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}
