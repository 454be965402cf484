package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// openFolder opens a folder by path, but not through a symbolic link in its
// last element.
func openFolder(dir string) (*os.Root, error) {
	parent, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	name := filepath.Base(dir)
	if info, err := parent.Lstat(name); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", dir)
	}
	return openChild(parent, name)
}

// openChild opens a folder of parent, with its permissions restored where
// they are missing.
func openChild(parent *os.Root, name string) (*os.Root, error) {
	child, err := parent.OpenRoot(name)
	if errors.Is(err, fs.ErrPermission) {
		if err := parent.Chmod(name, 0o700); err != nil {
			return nil, err
		}
		child, err = parent.OpenRoot(name)
	}
	return child, err
}

// unlink removes one entry of dir; where dir may not be written it gets its
// permissions first.
func unlink(dir *os.Root, name string) error {
	err := dir.Remove(name)
	if errors.Is(err, fs.ErrPermission) {
		if err := dir.Chmod(".", 0o700); err != nil {
			return err
		}
		err = dir.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readFolder lists dir, with its permissions restored where they are missing.
func readFolder(dir *os.Root) ([]fs.DirEntry, error) {
	entries, err := list(dir)
	if errors.Is(err, fs.ErrPermission) {
		if err := dir.Chmod(".", 0o700); err != nil {
			return nil, err
		}
		entries, err = list(dir)
	}
	return entries, err
}

func list(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
