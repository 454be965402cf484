package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// deepest is how many folders down a removal holds open at once; what lies
// deeper is moved to the top first, so that a hostile depth costs neither
// stack nor file descriptors.
const deepest = 32

// removeTree removes the folder dir and all in it and tells how many bytes
// its files had. An entry of dir itself that is called keep stays, and then dir
// stays too. A folder that may not be read or written is given its permissions
// first. A missing dir is no error.
func removeTree(dir, keep string) (int64, error) {
	top, err := openFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	r := &remover{top: top}
	err = r.empty(top, ".", 0, keep)
	for err == nil && len(r.moved) > 0 {
		name := r.moved[0]
		r.moved = r.moved[1:]
		err = r.folder(top, name, name, 0)
	}
	top.Close()
	if err == nil && keep == "" {
		if err = os.Remove(dir); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return r.bytes, fmt.Errorf("%s: %w", dir, err)
	}
	return r.bytes, nil
}

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

type remover struct {
	top   *os.Root
	moved []string // folders that were too deep, now in top
	count int      // of all that were ever moved
	bytes int64
}

// folder removes the folder called name in parent; path is its path from top.
func (r *remover) folder(parent *os.Root, name, path string, depth int) error {
	if depth > deepest {
		r.count++
		to := ".deep-" + strconv.Itoa(r.count)
		if err := r.top.Rename(path, to); err != nil {
			return err
		}
		r.moved = append(r.moved, to)
		return nil
	}
	child, err := openChild(parent, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = r.empty(child, path, depth, "")
	child.Close()
	if err != nil {
		return err
	}
	return r.unlink(parent, name)
}

// empty removes what is in dir, but an entry called keep.
func (r *remover) empty(dir *os.Root, path string, depth int, keep string) error {
	entries, err := readFolder(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == keep {
			continue
		}
		if e.IsDir() {
			err = r.folder(dir, e.Name(), path+"/"+e.Name(), depth+1)
		} else {
			if info, err := e.Info(); err == nil {
				r.bytes += info.Size()
			}
			err = r.unlink(dir, e.Name())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unlink removes one entry of dir; where dir may not be written it gets its
// permissions first.
func (r *remover) unlink(dir *os.Root, name string) error {
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

func readFolder(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if errors.Is(err, fs.ErrPermission) {
		if err := dir.Chmod(".", 0o700); err != nil {
			return nil, err
		}
		f, err = dir.Open(".")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
