package main

import (
	"context"
	"fmt"
	"os"
	"path"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// openHere opens the repository of the current folder.
func openHere(ctx context.Context, runner *gitops.Runner) (*gitops.Repository, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	return gitops.Open(ctx, runner, dir)
}

// sealBase takes the base and everything that is decided by it alone.
func (c Command) sealBase(ctx context.Context, runner *gitops.Runner, repo *gitops.Repository, scratch *gitops.Scratch, o *loopOptions) (*gitops.Sealed, *gitops.Guard, error) {
	if err := scratch.SetRepo(repo.Root); err != nil {
		return nil, nil, err
	}
	var base gitops.Base
	var err error
	switch {
	case o.base != "":
		base, err = repo.ResolveCommit(ctx, o.base)
	case repo.Bare:
		return nil, nil, usagef("a bare repository has no worktree to start from: give --base REF")
	default:
		base, err = repo.Snapshot(ctx, scratch)
	}
	if err != nil {
		return nil, nil, err
	}
	sealed, err := gitops.Seal(ctx, runner, repo, base, scratch, gitops.SealOptions{})
	if err != nil {
		return nil, nil, err
	}
	entries, err := sealed.Paths(ctx, base.Tree)
	if err != nil {
		return nil, nil, err
	}
	read := func(path string) ([]byte, error) { return sealed.ReadFile(ctx, base.Tree, path) }
	var oracle []string
	for _, ph := range o.plan.Phases() {
		oracle = append(oracle, ph.Command)
	}
	guard, err := gitops.NewGuard(gitops.Protection{
		Globs: o.plan.Protect, Ratchet: true, AllowTests: o.plan.AllowTestEdits, Root: repo.Root, Oracle: oracle, Sealed: o.plan.Holdout, Allow: o.allowEdit,
	}, entries, read)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range guard.Unmatched() {
		fmt.Fprintf(c.Stderr, "patchvet: warning: --protect %q matches no path of the base\n", g)
	}
	return sealed, guard, nil
}

// buildCache is the compiler cache for bases that need one, else nil.
func buildCache(ctx context.Context, sealed *gitops.Sealed, cacheRoot, repoRoot string) loop.BuildCache {
	entries, err := sealed.Paths(ctx, sealed.Base().Tree)
	if err != nil {
		return nil
	}
	for _, en := range entries {
		if path.Base(en.Path) == "go.mod" {
			return isolation.NewBuildCache(cacheRoot, repoRoot)
		}
	}
	return nil
}
