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

// place is a room with the private folders that commands in it get, by the
// names under which commands see them. In a box with a root of its own these
// are not those of this machine.
type place struct {
	room   *gitops.Room
	own    string // folder on this machine for what belongs to the room
	dir    string // the room
	home   string
	tmp    string
	cache  string // private GOCACHE; "" for none
	mounts []isolation.Mount
}

// ownCache is the private GOCACHE on this machine.
func (p place) ownCache() string { return filepath.Join(p.own, "cache") }

// bareRoot is where a room stands that has no worktree of the user's whose
// place it could take.
const bareRoot = "/patchvet/room"

// placesFolder holds the private folders of rooms, below Folders.Private.
const placesFolder = "p"

// newPlace makes a room of the tree with a private HOME and TMPDIR.
func (e *Engine) newPlace(ctx context.Context, purpose, tree string) (place, error) {
	e.run.rooms++
	name := fmt.Sprintf("%d-%s", e.run.rooms, purpose)
	room, err := e.Store.NewRoom(ctx, gitops.RoomSpec{Name: name, Tree: tree, Exclude: []string{exchangeDir + "/"}, Ready: e.adopt})
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
	p := place{room: room, own: own, dir: room.Dir(), home: filepath.Join(own, "home"), tmp: filepath.Join(own, "tmp")}
	for _, dir := range []string{p.home, p.tmp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			p.close()
			return place{}, fmt.Errorf("make private folder of room %s: %w", name, err)
		}
	}
	if e.Cache != nil {
		p.cache = p.ownCache()
		if _, err := e.Cache.Seed(ctx, p.cache); err != nil {
			p.close()
			return place{}, fmt.Errorf("seed the compiler cache of room %s: %w", name, err)
		}
	}
	p.showIn(e.Box.Describe(), e.Root)
	return p, nil
}

// adopt gives a folder to the user that commands run as, where that is another
// one than patchvet's.
func (e *Engine) adopt(dir string) error { return isolation.Adopt(e.Box, dir) }

// showIn gives the folders the names that they have in a box with a root of
// its own: the room is where the user's repository is on this machine, so that
// environments and caches that name that path mean the room.
func (p *place) showIn(box isolation.Description, root string) {
	if !box.Mounts {
		return
	}
	if root == "" {
		root = bareRoot
	}
	p.dir, p.home, p.tmp = root, box.Home, box.Tmp
	p.mounts = []isolation.Mount{{Source: p.room.Dir(), Target: root}}
	if p.cache != "" {
		p.cache = isolation.NativeCache
		p.mounts = append(p.mounts, isolation.Mount{Source: p.ownCache(), Target: p.cache})
	}
}

// close discards the room. What cannot be removed now goes with the scratch
// folder at the end of the run.
func (p place) close() {
	if p.room != nil {
		_ = p.room.Close()
	}
	_ = os.RemoveAll(p.own)
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
