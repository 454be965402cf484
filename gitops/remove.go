package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

const (
	// deepest is how many folders down a removal holds open at once; what
	// lies deeper is moved to the top first, so that a hostile depth costs
	// neither stack nor file descriptors.
	deepest = 32
	// removePasses is how often a removal starts again because somebody, such
	// as a git child of a killed run, is still writing.
	removePasses = 5
)

// removeTree removes the folder dir and all in it and tells how many bytes
// its files had. An entry of dir itself that is called keep stays, and then
// dir stays too. A folder that may not be read or written is given its
// permissions first; symbolic links are removed and never followed. What
// cannot be removed is passed over, and the error names the first of it. A
// missing dir is no error.
func removeTree(dir, keep string) (int64, error) {
	r := &remover{dir: dir}
	for range removePasses {
		r.err = nil
		again, err := r.pass(keep)
		if err != nil {
			return r.bytes, err
		}
		if !again {
			break
		}
	}
	return r.bytes, r.err
}

type remover struct {
	dir   string
	top   *os.Root
	moved []string // folders that were too deep, now in top
	bytes int64
	err   error // the first thing that could not be removed
}

// pass removes what is there now. It wants to be called again when folders
// turned out to have new entries.
func (r *remover) pass(keep string) (again bool, err error) {
	top, err := openFolder(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r.top = top
	r.empty(top, ".", 0, keep)
	for len(r.moved) > 0 {
		name := r.moved[0]
		r.moved = r.moved[1:]
		r.folder(top, name, name, 0)
	}
	if err := top.Close(); err != nil {
		return false, err
	}
	if keep != "" || r.err != nil {
		return r.err != nil && !errors.Is(r.err, fs.ErrPermission), nil
	}
	if err := os.Remove(r.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.err = err
		return true, nil
	}
	return false, nil
}

// fail keeps the first error.
func (r *remover) fail(path string, err error) {
	if r.err == nil && err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.err = fmt.Errorf("remove %s: %w", printable(filepath.Join(r.dir, path)), reasonOf(err))
	}
}

// folder removes the folder called name in parent; path is its path from top.
func (r *remover) folder(parent *os.Root, name, path string, depth int) {
	if depth > deepest {
		to, err := r.freeName()
		if err == nil {
			err = r.top.Rename(path, to)
		}
		if err == nil {
			r.moved = append(r.moved, to)
		}
		r.fail(path, err)
		return
	}
	child, err := openChild(parent, name)
	if err != nil {
		r.fail(path, err)
		return
	}
	r.empty(child, path, depth, "")
	r.fail(path, child.Close())
	r.fail(path, unlink(parent, name))
}

// freeName is a name that top does not have.
func (r *remover) freeName() (string, error) {
	for i := 0; ; i++ {
		name := ".deep-" + strconv.Itoa(i)
		if _, err := r.top.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
}

// empty removes what is in dir, but an entry called keep.
func (r *remover) empty(dir *os.Root, path string, depth int, keep string) {
	entries, err := readFolder(dir)
	if err != nil {
		r.fail(path, err)
		return
	}
	for _, e := range entries {
		name := e.Name()
		if name == keep {
			continue
		}
		below := path + "/" + name
		info, err := dir.Lstat(name)
		switch {
		case err != nil:
			r.fail(below, err)
		case info.IsDir():
			r.folder(dir, name, below, depth+1)
		default:
			if err := unlink(dir, name); err != nil {
				r.fail(below, err)
			} else {
				r.bytes += info.Size()
			}
		}
	}
}
