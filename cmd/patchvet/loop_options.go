package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// loopOptions are the flags of loop. Each is checked before anything runs.
type loopOptions struct {
	caller caller
	plan   loop.Plan
	box    boxOptions

	base        string
	out         string
	redClasses  []string
	restartFrom string
	hookEnv     []string
	unset       []string // variables that --hook-env names and nobody set
	allowEdit   []string
	holdoutFD   int
	json        bool
	quiet       bool
}

func (o *loopOptions) add(cmd *cobra.Command) {
	f, p := cmd.Flags(), &o.plan
	f.StringVar(&p.Tests, "tests", "", "command that decides: the whole suite")
	f.StringVar(&p.Regression, "regression", "", "command that must be green before and after; runs first")
	f.StringVar(&p.Reproduction, "reproduction", "", "command that must go from red to green")
	f.StringVar(&p.Holdout, strings.TrimPrefix(holdoutFlag, "--"), "", "sealed command that no hook can read; runs on every accepted candidate")
	f.IntVar(&o.holdoutFD, strings.TrimPrefix(holdoutFDFlag, "--"), -1, "")
	_ = f.MarkHidden(strings.TrimPrefix(holdoutFDFlag, "--"))

	f.StringVar(&p.FixHook, "fix-hook", "", "your command that edits the code; it reads $PATCHVET_FEEDBACK")
	f.StringVar(&p.LintHook, "lint-hook", "", "your command that must pass before tests are spent")
	f.StringVar(&p.JudgeHook, "judge-hook", "", "your command that may veto $PATCHVET_DIFF (non-zero exit)")
	f.StringArrayVar(&o.hookEnv, "hook-env", nil, "pass a variable to the fix hook: NAME or NAME=VALUE; repeatable")
	f.StringVar(&p.Spec, "spec", "", "file with the task text, handed to the hook as $PATCHVET_SPEC")

	f.StringArrayVar(&p.Protect, "protect", nil, "glob of paths that end the run when a hook changes them; repeatable")
	f.BoolVar(&p.AllowTestEdits, "allow-test-edits", false, "do not reject changes of existing tests and runner configuration")
	f.StringArrayVar(&o.allowEdit, "allow-edit", nil, "glob of paths that the default rules do not guard; repeatable")
	f.BoolVar(&p.RequireRed, "require-red", false, "prove first that the tests fail on the base")
	f.StringSliceVar(&o.redClasses, "red-class", nil, "also accept this class as red: build-fail, error, signal, timeout, not-found")
	f.IntVar(&p.K, "k", loop.DefaultK, "greens in a row that count as one (pass^k)")
	f.BoolVar(&p.FreshReruns, "fresh-reruns", false, "give each of the k re-runs a clean room of its own")
	f.IntVar(&p.MaxAttempts, "max-attempts", loop.DefaultMaxAttempts, "evaluations, the base's included: at most one fewer hook calls")
	f.StringVar(&o.restartFrom, "restart-from", "last", "where the next edit starts after a failure: last (the tree just judged) or base")
	f.BoolVar(&p.FreshContext, "fresh-context", true, "tell the hook to start each call without an earlier transcript")

	f.StringVar(&o.base, "base", "", "commit where candidates start (default: the worktree as it is)")
	f.StringVar(&o.out, "out", "", "run folder (default: .patchvet/runs/ID)")
	f.BoolVar(&o.json, "json", false, "print the ledger on stdout, and nothing else there")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	o.box.add(cmd)
	if o.caller == asEidolons {
		o.callerDefaults(cmd)
	}
}

// callerDefaults sets what callers of the older harness count on.
func (o *loopOptions) callerDefaults(cmd *cobra.Command) {
	for name, value := range map[string]string{"k": "1", "fresh-context": "false"} {
		flag := cmd.Flags().Lookup(name)
		_ = flag.Value.Set(value)
		flag.DefValue = value
	}
	o.box.hookNetwork = true
	p := &o.plan
	p.MarkOnly, p.VetoEnds, p.JudgeFailedHook, p.RunOnRedRegression = true, true, true, true
}

// check refuses what cannot be right, with one line that says what would be.
func (o *loopOptions) check(cmd *cobra.Command, environ []string) error {
	p := &o.plan
	for name, value := range map[string]string{
		"tests": p.Tests, "regression": p.Regression, "reproduction": p.Reproduction, "fix-hook": p.FixHook,
		"lint-hook": p.LintHook, "judge-hook": p.JudgeHook, "holdout": p.Holdout, "via": o.box.via,
		"base": o.base, "out": o.out, "spec": p.Spec,
	} {
		if cmd.Flags().Changed(name) && strings.TrimSpace(value) == "" && !(name == "via" && o.caller == asEidolons) {
			return usagef("--%s is empty: give a value, or leave the flag out", name)
		}
	}
	switch {
	case p.Tests == "" && p.Regression == "" && p.Reproduction == "":
		return usagef("nothing decides: give --tests 'COMMAND', or --reproduction (with --regression)")
	case p.RequireRed && p.Tests == "" && p.Reproduction == "":
		return usagef("--require-red needs a command that fails on the base: give --reproduction or --tests")
	case p.K < 1:
		return usagef("--k %d: must be 1 or more", p.K)
	case p.MaxAttempts < 1:
		return usagef("--max-attempts %d: must be 1 or more", p.MaxAttempts)
	case o.restartFrom != "last" && o.restartFrom != "base":
		return usagef("--restart-from %q: must be last or base", o.restartFrom)
	}
	p.RestartFromBase = o.restartFrom == "base"
	for _, c := range o.redClasses {
		class := isolation.Class(c)
		if !slices.Contains(declarableRed(), class) {
			return usagef("--red-class %q: must be one of build-fail, error, signal, timeout, not-found", c)
		}
		p.RedClasses = append(p.RedClasses, class)
	}
	if o.caller == asEidolons {
		p.Protect = splitGlobs(p.Protect)
	}
	for _, g := range p.Protect {
		if strings.TrimSpace(g) == "" {
			return usagef("--protect is empty: give a glob such as 'tests/**'")
		}
	}
	if err := readableFile("spec", p.Spec); err != nil {
		return err
	}
	var err error
	if p.HookEnv, o.unset, err = passedVariables(o.hookEnv, environ); err != nil {
		return err
	}
	p.Limits, err = o.box.limits()
	return err
}

// splitGlobs reads --protect as callers of the older harness write it: globs
// with blanks between them.
func splitGlobs(globs []string) []string {
	var out []string
	for _, g := range globs {
		if fields := strings.Fields(g); len(fields) > 0 {
			out = append(out, fields...)
		} else {
			out = append(out, g)
		}
	}
	return out
}

// readableFile refuses a flag that names no regular file.
func readableFile(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return usagef("--%s %s: %w", flag, path, err)
	case !info.Mode().IsRegular():
		return usagef("--%s %s: must be a regular file", flag, path)
	}
	return nil
}

// declarableRed are the classes that a user may declare to be the bug.
func declarableRed() []isolation.Class {
	return []isolation.Class{isolation.ClassBuildFail, isolation.ClassError, isolation.ClassSignal, isolation.ClassTimeout, isolation.ClassNotFound}
}

// passedVariables resolves --hook-env, and names the variables that are not set.
func passedVariables(names, environ []string) (pairs, unset []string, err error) {
	for _, n := range names {
		name, _, given := strings.Cut(n, "=")
		if name == "" || strings.ContainsAny(name, " \t\n") {
			return nil, nil, usagef("--hook-env %q: must be NAME or NAME=VALUE", n)
		}
		if given {
			pairs = append(pairs, n)
			continue
		}
		at := slices.IndexFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		if at < 0 {
			unset = append(unset, name)
			continue
		}
		pairs = append(pairs, environ[at])
	}
	return pairs, unset, nil
}
