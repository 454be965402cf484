package gitops

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
)

// Changes lists how one tree differs from another, sorted by path; "" stands
// for the base's.
func (s *Sealed) Changes(ctx context.Context, from, to string) ([]Change, error) {
	a, err := s.tree(from)
	if err != nil {
		return nil, err
	}
	b, err := s.tree(to)
	if err != nil {
		return nil, err
	}
	changes, err := s.trees.diff(ctx, a, b)
	if err != nil {
		return nil, fmt.Errorf("compare trees %s and %s: %w", a, b, err)
	}
	return changes, nil
}

// Paths lists every file, symbolic link and gitlink of a tree, sorted by path.
func (s *Sealed) Paths(ctx context.Context, tree string) ([]Entry, error) {
	id, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	list, err := s.trees.paths(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list tree %s: %w", id, err)
	}
	return list, nil
}

// ReadFile is the blob of a regular file in a tree, as git stores it. Where
// the tree has no regular file at path the error is fs.ErrNotExist.
func (s *Sealed) ReadFile(ctx context.Context, tree, path string) ([]byte, error) {
	id, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	e, err := s.trees.find(id, path)
	if err == nil && !isFile(e.mode) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read from tree " + id.String(), Path: path, Err: err}
	}
	return s.store.read(plumbing.BlobObject, e.id)
}

// Restore is a tree with some paths put back to what the base has: its entry,
// a whole folder where the base has one, or nothing.
func (s *Sealed) Restore(ctx context.Context, tree string, paths []string) (string, error) {
	id, err := s.tree(tree)
	if err != nil {
		return "", err
	}
	base, err := s.tree("")
	if err != nil {
		return "", err
	}
	edits := make([]edit, 0, len(paths))
	for _, path := range paths {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		e, err := s.trees.find(base, path)
		if err != nil && err != fs.ErrNotExist {
			return "", fmt.Errorf("restore %s: %w", printable(path), err)
		}
		edits = append(edits, edit{path: path, mode: e.mode, id: e.id})
	}
	restored, err := s.trees.edit(id, edits)
	if err != nil {
		return "", fmt.Errorf("restore paths of tree %s: %w", id, err)
	}
	return restored.String(), nil
}
