package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// boxOptions are the flags that every command with a box has.
type boxOptions struct {
	via         string
	allowUnsafe bool
	timeout     time.Duration
	maxOutput   byteSize
	memory      byteSize
	pids        int64
	network     []string
	readOnly    []string
	writable    []string
	hookNetwork bool // the hook reaches the network unless it is denied
}

func (o *boxOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.via, "via", "auto", "isolation: auto, native, none, or a wrapper's command line that gets the command as its last argument")
	f.BoolVar(&o.allowUnsafe, "allow-unsafe-host", false, "run without isolation: only for code that you trust")
	o.timeout = loop.DefaultTimeout
	f.DurationVar(&o.timeout, "timeout", o.timeout, "wall clock a command")
	o.maxOutput = byteSize(loop.DefaultMaxOutput)
	f.Var(&o.maxOutput, "max-output", "bytes of log kept a command; beyond it the middle is cut")
	f.Var(&o.memory, "memory", "native: memory a command (default: half of the machine's, at least 2GiB)")
	f.Int64Var(&o.pids, "pids", 0, "native: processes and threads a command (default 1024)")
	f.StringArrayVar(&o.readOnly, "ro", nil, "native: show a file or folder of this machine too, read-only; repeatable")
	f.StringArrayVar(&o.writable, "rw", nil, "native: show one writable, to hooks alone; repeatable")
	f.StringArrayVar(&o.network, "network", nil, "native: ROLE=allow or ROLE=deny, for hook, verify, holdout, judge, lint; repeatable (default deny)")
}

func (o *boxOptions) limits() (isolation.Limits, error) {
	switch {
	case o.timeout <= 0:
		return isolation.Limits{}, usagef("--timeout %s: must be more than 0, for example 10m", o.timeout)
	case o.pids < 0:
		return isolation.Limits{}, usagef("--pids %d: must be more than 0", o.pids)
	}
	return isolation.Limits{Timeout: o.timeout, MaxOutput: int64(o.maxOutput), Memory: int64(o.memory), PIDs: o.pids}, nil
}

// roles are those whose commands reach the network.
func (o *boxOptions) roles() ([]isolation.Role, error) {
	allowed := map[isolation.Role]bool{isolation.RoleHook: o.hookNetwork}
	for _, entry := range o.network {
		role, word, _ := strings.Cut(entry, "=")
		if !slices.Contains(isolation.Roles(), isolation.Role(role)) || word != "allow" && word != "deny" {
			return nil, usagef("--network %q: must be ROLE=allow or ROLE=deny, ROLE one of hook, verify, holdout, judge, lint", entry)
		}
		allowed[isolation.Role(role)] = word == "allow"
	}
	var out []isolation.Role
	for _, role := range isolation.Roles() {
		if allowed[role] {
			out = append(out, role)
		}
	}
	return out, nil
}

// isolationOptions are what a box is set up for: the repository that it stands
// in for, and what of the user's it may and may not show.
func (c Command) isolationOptions(o *boxOptions, repo *gitops.Repository, out string) (isolation.Options, error) {
	network, err := o.roles()
	if err != nil {
		return isolation.Options{}, err
	}
	native := isolation.NativeOptions{Environ: c.Environ, Home: homeOf(c.Environ), Network: network}
	if native.ReadOnly, err = shownPaths("ro", o.readOnly); err != nil {
		return isolation.Options{}, err
	}
	if native.Writable, err = shownPaths("rw", o.writable); err != nil {
		return isolation.Options{}, err
	}
	native.Hide = []string{native.Home}
	if cache, err := gitops.CacheRoot(); err == nil {
		native.Hide = append(native.Hide, cache)
	}
	if repo != nil {
		native.Root = repo.Root
		native.Hide = append(native.Hide, repo.GitDir, repo.CommonDir)
	}
	if out != "" {
		if path, err := filepath.Abs(out); err == nil {
			native.Hide = append(native.Hide, path)
		}
	}
	native.Hide = slices.DeleteFunc(native.Hide, func(dir string) bool { return dir == "" })
	return isolation.Options{AllowUnsafeHost: o.allowUnsafe, Native: native}, nil
}

// shownPaths are the paths of a flag, absolute. Each must be there.
func shownPaths(flag string, paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, usagef("--%s %s: %w", flag, path, err)
		}
		if _, err := os.Stat(full); err != nil {
			return nil, usagef("--%s %s: %w", flag, path, err)
		}
		out = append(out, full)
	}
	return out, nil
}

// prove makes sure of a box before anything runs in it: a native one by
// attempts to get out of it, any other by whether it runs what it is given.
// Without adequate isolation the refusal says why, and the box runs nothing.
func prove(ctx context.Context, box isolation.Box, dir string) (proved isolation.Box, refusal, err error) {
	if !box.Describe().Mounts {
		return box, nil, isolation.ProbeWrapper(ctx, box, dir)
	}
	proved, _, err = isolation.Prove(ctx, box, dir, isolation.RequiredCapabilities(), isolation.StartUp)
	if errors.Is(err, isolation.ErrNoIsolation) {
		return noBox{via: box.Describe().Via}, err, nil
	}
	return proved, nil, err
}
