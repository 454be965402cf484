package isolation

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// errFalseOutput says that an output's content does not have the hash that its
// name says.
var errFalseOutput = errors.New("content does not match its name")

const (
	// partPrefix starts the name of an entry that is being written.
	partPrefix = ".part-"
	// partAge is how old the part of a killed process is at least.
	partAge = time.Hour
	// trimTarget is what a cache that grew above MaxSeed is cut down to.
	trimTarget = MaxSeed / 4 * 3
	// renewAfter is how much newer a use must be to be noted, as in the go
	// command's own cache.
	renewAfter = time.Hour
)

// newEntries returns those of found that are not there yet, and notes the use
// of the others.
func (c *BuildCache) newEntries(have, found []entry) []entry {
	known := make(map[string]entry, len(have))
	for _, e := range have {
		known[e.name] = e
	}
	var news []entry
	for _, e := range found {
		old, ok := known[e.name]
		switch {
		case !ok:
			news = append(news, e)
		case e.used.Sub(old.used) > renewAfter:
			// Only keeps it from being trimmed, so a failure costs nothing.
			_ = os.Chtimes(filepath.Join(c.dir, e.path()), e.used, e.used)
		}
	}
	return news
}

// publishEntry copies one entry from src under another name, checks it and puts
// it in place in one step.
func (c *BuildCache) publishEntry(src string, e entry) error {
	folder := filepath.Join(c.dir, filepath.Dir(e.path()))
	part, err := os.CreateTemp(folder, partPrefix)
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	root, err := os.OpenRoot(src) // the job that wrote src may have left links
	if err != nil {
		return err
	}
	defer root.Close()
	from, err := root.Open(e.path())
	if err != nil {
		return err
	}
	defer from.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(part, sum), io.LimitReader(from, e.size)); err != nil {
		return err
	}
	if e.kind() == 'd' && hex.EncodeToString(sum.Sum(nil)) != strings.TrimSuffix(e.name, "-d") {
		return errFalseOutput
	}
	if err := part.Close(); err != nil {
		return err
	}
	if err := os.Chtimes(part.Name(), e.used, e.used); err != nil {
		return err
	}
	return os.Rename(part.Name(), filepath.Join(c.dir, e.path()))
}

// trim removes parts of killed processes and, above MaxSeed, the entries that
// were not used for the longest time. It returns how many.
func (c *BuildCache) trim() (int, error) {
	parts, err := filepath.Glob(filepath.Join(escapeGlob(c.dir), "??", partPrefix+"*"))
	if err != nil {
		return 0, err
	}
	for _, part := range parts {
		if info, err := os.Lstat(part); err == nil && time.Since(info.ModTime()) > partAge {
			_ = os.Remove(part)
		}
	}
	entries, err := cacheEntries(c.dir)
	if err != nil {
		return 0, err
	}
	total := totalSize(entries)
	if total <= MaxSeed {
		return 0, nil
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name))
	})
	trimmed := 0
	for _, e := range entries {
		if total <= trimTarget {
			break
		}
		if err := os.Remove(filepath.Join(c.dir, e.path())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return trimmed, err
		}
		total -= e.size
		trimmed++
	}
	return trimmed, nil
}

// copyEntry copies one entry into a private cache, with its time of use.
func copyEntry(src, dst string, e entry) error {
	from, err := os.Open(src)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(dst, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := clone(to, from); err != nil {
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
	}
	if err := to.Close(); err != nil {
		return err
	}
	return os.Chtimes(dst, e.used, e.used)
}
