package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxChanged is the most bytes that the changed files of a room may have
// together when FreezeOptions does not say. `git apply` reads no patch of
// 1 GiB or more.
const maxChanged = 512 << 20

// FreezeOptions says what a freeze leaves out.
type FreezeOptions struct {
	Skip     []string // names at the top of the room that are no part of it
	MaxBytes int64    // most bytes of changed and new files together; 0: 512 MiB
}

// Freeze reads what is in a room and names it as a tree. The caller has ended
// everything that ran in the room before. Files are read from outside, by
// lstat and raw bytes, against the manifest of when the room was made; neither
// the room's .git nor any rule or attribute in the room has a say.
func (s *Sealed) Freeze(ctx context.Context, room *Room, opt FreezeOptions) (*Frozen, error) {
	frozen, err := s.freeze(ctx, room, opt)
	if err != nil {
		return nil, fmt.Errorf("freeze %s: %w", room.dir, err)
	}
	return frozen, nil
}

func (s *Sealed) freeze(ctx context.Context, room *Room, opt FreezeOptions) (*Frozen, error) {
	f, err := s.newFreezer(ctx, room, opt)
	if err != nil {
		return nil, err
	}
	root, err := room.open()
	if errors.Is(err, errRoomGone) {
		f.reject(".", RuleGitFolder, "The room itself is no longer a folder in its place.")
		return f.finish(ctx)
	}
	if err != nil {
		f.reject(".", RuleUnreadable, "The room cannot be read: "+plain(err)+".")
		return f.finish(ctx)
	}
	defer root.Close()
	f.root = root
	skip := map[string]bool{}
	for _, name := range opt.Skip {
		skip[name] = true
	}
	f.now, err = walk(ctx, root, walkOptions{skip: skip, hash: room.manifest.has})
	if err != nil {
		return nil, err
	}
	if f.now.err != nil {
		f.reject(".", RuleUnreadable, "The room cannot be read: "+plain(f.now.err)+".")
		return f.finish(ctx)
	}
	if git := f.now.git; git == nil || git.kind != nodeFolder {
		f.reject(".git", RuleGitFolder, "The room's .git is no longer a folder.")
	}
	f.skip = skip
	if err := f.classify(ctx); err != nil {
		return nil, err
	}
	if err := f.readFiles(ctx); err != nil {
		return nil, err
	}
	if err := f.checkLinks(); err != nil {
		return nil, err
	}
	return f.finish(ctx)
}

// freezer is one freeze.
type freezer struct {
	sealed  *Sealed
	room    *Room
	root    *os.Root
	now     *manifest
	skip    map[string]bool
	start   map[string]treeEntry // the tree that the room began with, by path
	dirs    map[string]bool      // folders of that tree
	budget  int64                // bytes that changed files may still have
	edits   map[string]edit      // from start to T, by path
	targets map[string]string    // of the symbolic links among them
	files   []*node              // regular files whose bytes are to be read
	blocked map[string]bool      // folders below which nothing belongs to T

	debris     []string
	suspicious []Suspicion
	rejected   map[string]Rejection
}

func (s *Sealed) newFreezer(ctx context.Context, room *Room, opt FreezeOptions) (*freezer, error) {
	f := &freezer{
		sealed: s, room: room, budget: opt.MaxBytes,
		start: s.entries, dirs: s.dirs, edits: map[string]edit{}, targets: map[string]string{},
		blocked: map[string]bool{}, rejected: map[string]Rejection{},
	}
	if f.budget <= 0 {
		f.budget = maxChanged
	}
	if room.tree.String() != s.base.Tree {
		f.start = map[string]treeEntry{}
		if err := s.trees.leaves(ctx, room.tree, "", func(p string, e treeEntry) { f.start[p] = e }); err != nil {
			return nil, err
		}
		f.dirs = foldersOf(f.start)
	}
	return f, nil
}

// isFolder says whether the room's tree or the base has a folder at a path.
func (f *freezer) isFolder(p string) bool { return f.dirs[p] || f.sealed.dirs[p] }

// reject keeps a path, and everything below it, as the base has it. The first
// reason stands.
func (f *freezer) reject(p, rule, reason string) {
	if _, ok := f.rejected[p]; !ok {
		f.rejected[p] = Rejection{Path: p, Rule: rule, Reason: reason}
	}
	f.blocked[p] = true
}

func (f *freezer) suspect(p, reason string) {
	f.suspicious = append(f.suspicious, Suspicion{Path: p, Reason: reason})
}

// finish builds T and what is told of it.
func (f *freezer) finish(ctx context.Context) (*Frozen, error) {
	tree, err := f.buildTree(ctx)
	if err != nil {
		return nil, err
	}
	base, err := f.sealed.tree("")
	if err != nil {
		return nil, err
	}
	changes, err := f.sealed.trees.diff(ctx, base, tree)
	if err != nil {
		return nil, err
	}
	if err := f.suspectChanges(ctx, tree, changes); err != nil {
		return nil, err
	}
	out := &Frozen{Tree: tree.String(), Changes: changes, Debris: f.debrisLines(), Suspicious: f.suspicious}
	for _, r := range f.rejected {
		out.Rejected = append(out.Rejected, r)
	}
	sort.Slice(out.Rejected, func(i, j int) bool { return out.Rejected[i].Path < out.Rejected[j].Path })
	sort.Slice(out.Suspicious, func(i, j int) bool {
		a, b := out.Suspicious[i], out.Suspicious[j]
		return a.Path < b.Path || a.Path == b.Path && a.Reason < b.Reason
	})
	return out, nil
}

// buildTree applies the edits, and puts what was rejected back to what the
// base has.
func (f *freezer) buildTree(ctx context.Context) (plumbing.Hash, error) {
	if _, all := f.rejected["."]; all {
		return f.sealed.tree("")
	}
	edits := make([]edit, 0, len(f.edits))
	for _, e := range f.edits {
		edits = append(edits, e)
	}
	tree, err := f.sealed.trees.edit(f.room.tree, edits)
	if err != nil {
		return tree, err
	}
	var back []string
	for p := range f.rejected {
		if p != ".git" {
			back = append(back, p)
		}
	}
	id, err := f.sealed.Restore(ctx, tree.String(), back)
	if err != nil {
		return tree, err
	}
	return parseID(id)
}
