package loop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// place is a room with the private folders that commands in it get.
type place struct {
	room  *gitops.Room
	home  string
	tmp   string
	cache string // private GOCACHE; "" for none
}

// placesFolder holds the private folders of rooms, below Folders.Private.
const placesFolder = "p"

// newPlace makes a room of the tree with a private HOME and TMPDIR.
func (e *Engine) newPlace(ctx context.Context, purpose, tree string) (place, error) {
	e.run.rooms++
	name := fmt.Sprintf("%d-%s", e.run.rooms, purpose)
	room, err := e.Store.NewRoom(ctx, gitops.RoomSpec{Name: name, Tree: tree, Exclude: []string{exchangeDir + "/"}})
	if err != nil {
		return place{}, fmt.Errorf("make room %s: %w", name, err)
	}
	// Short names: a unix socket's path under TMPDIR has about 100 bytes.
	// Unguessable ones: what a hook put there beforehand would be the next
	// command's HOME.
	own, err := os.MkdirTemp(filepath.Join(e.Folders.Private, placesFolder), "")
	if err != nil {
		_ = room.Close()
		return place{}, fmt.Errorf("make private folder of room %s: %w", name, err)
	}
	p := place{room: room, home: filepath.Join(own, "home"), tmp: filepath.Join(own, "tmp")}
	for _, dir := range []string{p.home, p.tmp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			p.close()
			return place{}, fmt.Errorf("make private folder of room %s: %w", name, err)
		}
	}
	if e.Cache != nil {
		p.cache = filepath.Join(own, "cache")
		if _, err := e.Cache.Seed(ctx, p.cache); err != nil {
			p.close()
			return place{}, fmt.Errorf("seed the compiler cache of room %s: %w", name, err)
		}
	}
	return p, nil
}

// close discards the room. What cannot be removed now goes with the scratch
// folder at the end of the run.
func (p place) close() {
	if p.room != nil {
		_ = p.room.Close()
	}
	_ = os.RemoveAll(filepath.Dir(p.home))
}

// environ is the complete environment of one step.
func (e *Engine) environ(spec stepSpec) []string {
	add := []string{"HOME=" + spec.place.home, "TMPDIR=" + spec.place.tmp}
	if spec.place.cache != "" {
		add = append(add, "GOCACHE="+spec.place.cache)
	}
	add = slices.Concat(e.Toolchains, add, spec.told, spec.passed)
	return isolation.Environ(spec.role, e.Environ, add)
}

// treePaths are the paths of a tree, for mapping what a log says to files.
func (e *Engine) treePaths(ctx context.Context, tree string) (*feedback.Tree, error) {
	if t, ok := e.run.paths[tree]; ok {
		return t, nil
	}
	entries, err := e.Store.Paths(ctx, tree)
	if err != nil {
		return nil, fmt.Errorf("list tree %s: %w", tree, err)
	}
	names := make([]string, 0, len(entries))
	for _, en := range entries {
		names = append(names, en.Path)
	}
	clear(e.run.paths) // only the tree at hand is asked for again
	t := feedback.NewTree(names)
	e.run.paths[tree] = t
	return t, nil
}

// checkReserved refuses a base that tracks the exchange folder's name.
func (e *Engine) checkReserved(ctx context.Context) error {
	entries, err := e.Store.Paths(ctx, e.Store.Base().Tree)
	if err != nil {
		return fmt.Errorf("list the base: %w", err)
	}
	for _, en := range entries {
		if en.Path == exchangeDir || strings.HasPrefix(en.Path, exchangeDir+"/") {
			return ErrReservedPath
		}
	}
	return nil
}
