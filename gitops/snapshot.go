package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Snapshot reads the worktree as it is now into a tree: what `git add -A` and
// `git write-tree` would give, without a trace in the repository. Staged,
// unstaged and untracked files that are not ignored are in it. Left as the
// index has them, and named in the Base, are submodules and files marked
// assume-unchanged or skip-worktree (a sparse checkout); left out and named
// are untracked nested repositories, of which `git add` would make gitlinks;
// the run folder .patchvet/runs is never in it.
//
// New objects and the content of new LFS files go into the scratch folder.
// The errors that a caller may tell apart are *UnmergedError (ErrUnmerged)
// and ErrNoCommits.
func (r *Repository) Snapshot(ctx context.Context, scratch *Scratch) (Base, error) {
	base, err := r.snapshot(ctx, scratch)
	if err != nil {
		return Base{}, fmt.Errorf("snapshot of %s: %w", printable(r.place()), err)
	}
	return base, nil
}

// place is the folder by which a user knows the repository.
func (r *Repository) place() string {
	if r.Bare {
		return r.GitDir
	}
	return r.Root
}

func (r *Repository) snapshot(ctx context.Context, scratch *Scratch) (Base, error) {
	if r.Bare {
		return Base{}, errors.New("a bare repository has no worktree: name a commit with --base")
	}
	head, err := r.peel(ctx, "HEAD", "^{commit}")
	if err != nil {
		return Base{}, err
	}
	if head == "" {
		return Base{}, ErrNoCommits
	}
	if err := os.Mkdir(scratch.Path(snapshotFolder), 0o700); err != nil {
		return Base{}, err
	}
	store, err := r.newSnapshotStore(ctx, scratch, head)
	if err != nil {
		return Base{}, err
	}
	listed, err := store.listIndex(ctx)
	if err != nil {
		return Base{}, err
	}
	if len(listed.unmerged) > 0 {
		return Base{}, &UnmergedError{Paths: listed.unmerged}
	}
	changed, err := store.listWorktree(ctx)
	if err != nil {
		return Base{}, err
	}
	if err := store.provide(ctx, head, changed.old); err != nil {
		return Base{}, err
	}
	if err := store.readChanges(ctx, changed); err != nil {
		return Base{}, err
	}
	tree, err := store.writeTree(ctx)
	if err != nil {
		return Base{}, err
	}
	return Base{
		Tree:       tree,
		Parent:     head,
		Snapshot:   true,
		LeftOut:    changed.nested,
		Submodules: without(listed.gitlinks, changed.write),
		Moved:      changed.moved,
		Assumed:    r.existing(listed.flagged),
		objects:    store.objects,
		lfs:        store.lfs,
	}, nil
}

// without is the sorted list a less what is also in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(a, func(p string) bool { return slices.Contains(b, p) })
}
