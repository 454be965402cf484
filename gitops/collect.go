package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Collected is what became of one scratch folder.
type Collected struct {
	RunID string
	Path  string
	Owner Owner // as far as owner.json could be read
	Live  bool  // its run still holds the lock; nothing was touched
	Bytes int64 // of the files that were removed
	Err   error // why it, or a part of it, is still there
}

// Collect removes the scratch folders below cacheRoot whose runs have ended
// without removing them: those whose lock nobody holds. It tells of every
// folder that it saw, sorted by run id. The error is about the list itself;
// no folder at all is none.
func Collect(cacheRoot string) ([]Collected, error) {
	rooms := filepath.Join(cacheRoot, roomsFolder)
	entries, err := os.ReadDir(rooms)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("collect: %w", err)
	}
	var all []Collected
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		c := Collected{RunID: e.Name(), Path: filepath.Join(rooms, e.Name())}
		if original, ok := strings.CutPrefix(e.Name(), trashPrefix); ok {
			// Left by a collector that was interrupted.
			c.RunID, _, _ = strings.Cut(original, "~")
			c.Bytes, c.Err = removeTree(c.Path, "")
			all = append(all, c)
			continue
		}
		if !runIDForm.MatchString(e.Name()) {
			continue // not made here
		}
		c.Owner, _ = readOwner(c.Path)
		trash, err := condemn(rooms, e.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // its run, or another collector, was faster
		case errors.Is(err, errLocked):
			c.Live = true
		case err != nil:
			c.Err = fmt.Errorf("collect %s: %w", c.Path, err)
		default:
			c.Bytes, c.Err = removeTree(trash, "")
		}
		all = append(all, c)
	}
	return all, nil
}

// condemn moves a folder whose lock is free out of the way of its name, and
// returns where it is now. It holds the gate: a new folder is seen either not
// at all or with its lock held.
func condemn(rooms, name string) (string, error) {
	gate, err := lockWait(filepath.Join(rooms, gateFile))
	if err != nil {
		return "", err
	}
	defer gate.Close()
	dir := filepath.Join(rooms, name)
	if info, err := os.Lstat(dir); err != nil {
		return "", err
	} else if !info.IsDir() {
		return "", fs.ErrNotExist
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", err
	}
	lock, err := lockTry(filepath.Join(dir, lockFile))
	if err != nil && !notALock(err) {
		return "", err
	}
	if lock != nil {
		lock.Close() // the run has ended and no other can have this name
	}
	trash := filepath.Join(rooms, trashPrefix+name+"~"+strconv.FormatInt(time.Now().UnixNano(), 36))
	return trash, os.Rename(dir, trash)
}
