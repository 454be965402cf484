package gitops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
)

// writeDelta turns the base's files in a new room into those of a tree. Git
// has no part in it but for the bytes of files that the base's attributes
// change: attributes that the tree itself brings must have no effect.
func (s *Sealed) writeDelta(ctx context.Context, root *os.Root, tree plumbing.Hash) error {
	base, err := s.tree("")
	if err != nil {
		return err
	}
	changes, err := s.trees.diff(ctx, base, tree)
	if err != nil || len(changes) == 0 {
		return err
	}
	// What goes, goes first: a file may come in the place of its folder.
	for _, c := range changes {
		if c.Kind == Deleted || c.Kind == Type {
			if err := removeUp(root, c.Path); err != nil {
				return fmt.Errorf("remove %s: %w", printable(c.Path), err)
			}
		}
	}
	var files []Change
	for _, c := range changes {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		var err error
		switch {
		case c.Kind == Deleted:
		case c.Kind == Mode && c.OldID == c.NewID:
			err = setExecutable(root, c.Path, c.NewMode == modeExec)
		case isFile(c.NewMode):
			files = append(files, c)
		case c.NewMode == modeLink:
			err = s.writeLink(root, c)
		case c.NewMode == modeGitlink:
			err = root.MkdirAll(c.Path, 0o777)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", printable(c.Path), err)
		}
	}
	return s.writeFiles(ctx, root, files)
}

// writeFiles writes the regular files of a delta.
func (s *Sealed) writeFiles(ctx context.Context, root *os.Root, files []Change) error {
	paths := make([]string, len(files))
	for i, c := range files {
		paths[i] = c.Path
	}
	attrs, err := s.rules.attributesOf(ctx, paths)
	if err != nil {
		return err
	}
	var converted []*toFile
	var targets []Change
	for _, c := range files {
		id, err := parseID(c.NewID)
		if err != nil {
			return err
		}
		if a, ok := attrs[c.Path]; ok && a.converts(s.rules.converts) && !a.checksOutLF(s.settings) {
			converted = append(converted, &toFile{attrs: a, id: id})
			targets = append(targets, c)
			continue
		}
		err = replace(root, c, func(w io.Writer) error {
			_, err := s.store.copyTo(w, plumbing.BlobObject, id)
			return err
		})
		if err != nil {
			return fmt.Errorf("write %s: %w", printable(c.Path), err)
		}
	}
	return s.rules.smudge(ctx, s.scratch.Path(workFolder), converted, func(i int, from string) error {
		src, err := os.Open(from)
		if err != nil {
			return err
		}
		defer src.Close()
		return replace(root, targets[i], func(w io.Writer) error {
			_, err := io.Copy(w, src)
			return err
		})
	})
}

// writeLink makes a symbolic link, or the file with its target that stands
// for one where core.symlinks is false.
func (s *Sealed) writeLink(root *os.Root, c Change) error {
	id, err := parseID(c.NewID)
	if err != nil {
		return err
	}
	target, err := s.store.read(plumbing.BlobObject, id)
	if err != nil {
		return err
	}
	if !s.settings.symlinks {
		return replace(root, c, func(w io.Writer) error {
			_, err := w.Write(target)
			return err
		})
	}
	if err := makeWay(root, c.Path); err != nil {
		return err
	}
	return root.Symlink(string(target), c.Path)
}

// replace writes a regular file anew, with the permissions that a checkout
// gives it.
func replace(root *os.Root, c Change, content func(io.Writer) error) error {
	if err := makeWay(root, c.Path); err != nil {
		return err
	}
	perm := fs.FileMode(0o666)
	if c.NewMode == modeExec {
		perm = 0o777
	}
	f, err := root.OpenFile(c.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}

// makeWay makes the folders above a path and removes a file at it.
func makeWay(root *os.Root, p string) error {
	if err := root.MkdirAll(path.Dir(p), 0o777); err != nil {
		return err
	}
	if err := root.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeUp removes a file, and each folder above it of which nothing is left,
// as git does.
func removeUp(root *os.Root, p string) error {
	if err := root.Remove(p); err != nil {
		return err
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			return nil // not empty
		}
	}
	return nil
}

// setExecutable gives the executable bit to whom may read, or to nobody.
func setExecutable(root *os.Root, p string, on bool) error {
	info, err := root.Lstat(p)
	if err != nil {
		return err
	}
	perm := info.Mode().Perm() &^ 0o111
	if on {
		perm |= (perm & 0o444) >> 2
	}
	return root.Chmod(p, perm)
}

// overwrite puts other bytes into a file that is there.
func overwrite(root *os.Root, p string, from io.Reader) error {
	f, err := root.OpenFile(p, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
