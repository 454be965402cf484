package isolation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// MaxSeed is the size above which a build cache is not copied into a room: the
// copy would take longer than it saves. Publish keeps a cache below it.
const MaxSeed = 512 << 20

// BuildCache is patchvet's own persistent copy of the go command's build cache
// (GOCACHE) for one repository. Without it every command under a private HOME
// would compile the standard library again. It may be used by any number of
// processes at once, and a kill at any moment leaves it usable.
type BuildCache struct{ dir string }

// NewBuildCache returns the cache of the repository at repoRoot below
// cacheRoot, at build/go/<key>. Nothing is created yet.
func NewBuildCache(cacheRoot, repoRoot string) *BuildCache {
	sum := sha256.Sum256([]byte(filepath.Clean(repoRoot)))
	return &BuildCache{dir: filepath.Join(cacheRoot, "build", "go", hex.EncodeToString(sum[:8]))}
}

// Dir is where the cache lies.
func (c *BuildCache) Dir() string { return c.dir }

// Seeded says what Seed did.
type Seeded struct {
	Files   int
	Bytes   int64
	Skipped string // why nothing was copied although there is a cache; "" when it was
}

// cacheEntry matches the files of a GOCACHE that hold something: <id>-a maps
// an action to its output, <id>-d is the output whose SHA-256 is id. They lie
// in folders named by the first two digits of the id. Everything else in there
// (trim.txt, README, fuzz/) is left alone.
var cacheEntry = regexp.MustCompile(`^([0-9a-f]{2})[0-9a-f]{62}-([ad])$`)

// Seed copies the cache into dst, the private GOCACHE of one clean room, and
// creates dst. An empty cache seeds nothing. A cache above MaxSeed is skipped,
// and Skipped says so.
func (c *BuildCache) Seed(ctx context.Context, dst string) (Seeded, error) {
	if err := os.MkdirAll(dst, 0o700); err != nil {
		return Seeded{}, fmt.Errorf("seed the build cache: %w", err)
	}
	entries, err := cacheEntries(c.dir)
	if err != nil {
		return Seeded{}, fmt.Errorf("seed the build cache: %w", err)
	}
	if total := totalSize(entries); total > MaxSeed {
		return Seeded{Skipped: fmt.Sprintf("the build cache %s holds %d MiB, above the limit of %d MiB; it is not copied into rooms", c.dir, total>>20, MaxSeed>>20)}, nil
	}
	// The go command trims a cache whose trim.txt does not tell a time in the
	// last day, and would remove what was not used for five days.
	if err := os.WriteFile(filepath.Join(dst, "trim.txt"), fmt.Appendf(nil, "%d", time.Now().Unix()), 0o600); err != nil {
		return Seeded{}, fmt.Errorf("seed the build cache: %w", err)
	}
	if err := makeFolders(dst, entries); err != nil {
		return Seeded{}, fmt.Errorf("seed the build cache: %w", err)
	}
	copied := make([]bool, len(entries))
	err = inParallel(ctx, len(entries), func(i int) error {
		e := entries[i]
		err := copyEntry(filepath.Join(c.dir, e.path()), filepath.Join(dst, e.path()), e)
		// Another process may have trimmed it away meanwhile.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		copied[i] = err == nil
		return err
	})
	if err != nil {
		return Seeded{}, fmt.Errorf("seed the build cache: %w", err)
	}
	var done Seeded
	for i, ok := range copied {
		if ok {
			done.Files++
			done.Bytes += entries[i].size
		}
	}
	return done, nil
}

// Published says what Publish did.
type Published struct {
	Files   int   // new entries
	Bytes   int64 // of new entries
	Refused int   // outputs whose content is not what their name says
	Trimmed int   // old entries removed to stay below MaxSeed
}

// Publish takes the entries of src that the cache lacks. Only a run on the base
// may be published, before any hook ran: whoever writes a build cache decides
// what later builds consist of.
func (c *BuildCache) Publish(ctx context.Context, src string) (Published, error) {
	var done Published
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return done, fmt.Errorf("publish the build cache: %w", err)
	}
	have, err := cacheEntries(c.dir)
	if err != nil {
		return done, fmt.Errorf("publish the build cache: %w", err)
	}
	found, err := cacheEntries(src)
	if err != nil {
		return done, fmt.Errorf("publish the build cache: %w", err)
	}
	news := c.newEntries(have, found)
	if err := makeFolders(c.dir, news); err != nil {
		return done, fmt.Errorf("publish the build cache: %w", err)
	}
	// Outputs first, so that no action is ever there before its output.
	for _, kind := range []byte{'d', 'a'} {
		batch := ofKind(news, kind)
		results := make([]error, len(batch))
		err := inParallel(ctx, len(batch), func(i int) error {
			results[i] = c.publishEntry(src, batch[i])
			if errors.Is(results[i], errFalseOutput) || errors.Is(results[i], fs.ErrNotExist) {
				return nil
			}
			return results[i]
		})
		if err != nil {
			return done, fmt.Errorf("publish the build cache: %w", err)
		}
		for i, err := range results {
			switch {
			case err == nil:
				done.Files++
				done.Bytes += batch[i].size
			case errors.Is(err, errFalseOutput):
				done.Refused++
			}
		}
	}
	done.Trimmed, err = c.trim()
	if err != nil {
		return done, fmt.Errorf("trim the build cache: %w", err)
	}
	return done, nil
}
