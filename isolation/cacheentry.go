package isolation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// entry is one file of a build cache.
type entry struct {
	name string
	size int64
	used time.Time // modification time, which the go command renews on use
}

func (e entry) path() string { return filepath.Join(e.name[:2], e.name) }

// kind is 'a' for an action and 'd' for an output.
func (e entry) kind() byte { return e.name[len(e.name)-1] }

// cacheEntries lists the entries of a build cache; none when it does not exist.
func cacheEntries(dir string) ([]entry, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []entry
	for i := range 256 {
		folder := fmt.Sprintf("%02x", i)
		files, err := fs.ReadDir(root.FS(), folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			m := cacheEntry.FindStringSubmatch(f.Name())
			if m == nil || m[1] != folder || !f.Type().IsRegular() {
				continue
			}
			info, err := f.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, entry{name: f.Name(), size: info.Size(), used: info.ModTime()})
		}
	}
	return out, nil
}

func totalSize(entries []entry) int64 {
	var n int64
	for _, e := range entries {
		n += e.size
	}
	return n
}

func ofKind(entries []entry, kind byte) []entry {
	var out []entry
	for _, e := range entries {
		if e.kind() == kind {
			out = append(out, e)
		}
	}
	return out
}

// makeFolders makes the two-digit folders that entries need.
func makeFolders(dir string, entries []entry) error {
	made := map[string]bool{}
	for _, e := range entries {
		folder := filepath.Dir(e.path())
		if made[folder] {
			continue
		}
		made[folder] = true
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// inParallel calls do for 0..n-1 and returns the first error, or ctx's.
func inParallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, 2*runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}
