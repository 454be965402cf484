package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
)

// newBox makes the box that the flags name. Without adequate isolation the
// refusal says why, and the box runs nothing.
func newBox(via string, options isolation.Options) (box isolation.Box, refusal, err error) {
	box, err = isolation.New(via, options)
	if errors.Is(err, isolation.ErrNoIsolation) {
		return noBox{via: via}, err, nil
	}
	return box, nil, err
}

// noBox stands for isolation that there is not.
type noBox struct{ via string }

// Describe implements isolation.Box.
func (b noBox) Describe() isolation.Description {
	return isolation.Description{Via: b.via, Tier: isolation.TierNone}
}

// Run implements isolation.Box: it executes nothing.
func (noBox) Run(context.Context, isolation.Job) (isolation.Result, error) {
	return isolation.Result{Class: isolation.ClassInfra, ExitCode: -1, Reason: isolation.ErrNoIsolation.Error()}, isolation.ErrNotStarted
}

// cacheRoot is where rooms are made. It may not be git's own folder.
func cacheRoot(repo *gitops.Repository) (string, error) {
	root, err := gitops.CacheRoot()
	if err != nil {
		return "", err
	}
	if where := insideGit(repo, root); where != "" {
		return "", usagef("the cache folder %s lies inside %s, which belongs to git: set XDG_CACHE_HOME to another folder", root, where)
	}
	return root, nil
}

// logger tells what a run came across, on stderr and only where PATCHVET_LOG
// is set: the outcome and its reason are in the summary.
func (c Command) logger() *slog.Logger {
	if !slices.ContainsFunc(c.Environ, func(kv string) bool {
		return len(kv) > len("PATCHVET_LOG=") && kv[:len("PATCHVET_LOG=")] == "PATCHVET_LOG="
	}) {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
