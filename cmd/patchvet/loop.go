package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
	"github.com/patchvet/patchvet/reports"
)

const loopExample = `  # an agent fixes what the test shows; nothing of yours is touched
  patchvet loop --require-red --tests 'go test ./...' \
    --fix-hook 'my-agent --prompt-file "$PATCHVET_FEEDBACK"' --via 'WRAPPER sh -c'

  # narrow the target, keep the rest green, guard the tests, keep a sealed check
  patchvet loop --base main --reproduction 'pytest tests/test_bug.py' \
    --regression 'pytest tests --deselect tests/test_bug.py' --protect 'tests/**' \
    --holdout 'sh /outside/holdout.sh' --k 3 --fix-hook ./fix.sh --allow-unsafe-host`

func (c Command) loop(as caller) *cobra.Command {
	o := &loopOptions{caller: as}
	cmd := &cobra.Command{
		Use:     "loop --tests COMMAND --fix-hook COMMAND",
		Short:   "let a hook fix what a test shows, and judge what it leaves",
		Example: loopExample,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.readHoldout(); err != nil {
				return err
			}
			if err := o.check(cmd, c.Environ); err != nil {
				return err
			}
			return c.runLoop(cmd.Context(), o)
		},
	}
	o.add(cmd)
	return cmd
}

// readHoldout takes the sealed command from the descriptor that sealArguments left.
func (o *loopOptions) readHoldout() error {
	if o.holdoutFD < 0 {
		return nil
	}
	f := os.NewFile(uintptr(o.holdoutFD), "holdout")
	defer f.Close()
	data, err := readAll(f)
	if err != nil {
		return fmt.Errorf("read the sealed holdout: %w", err)
	}
	o.plan.Holdout = string(data)
	if o.plan.Holdout == "" {
		return usagef("--holdout is empty: give a command, or leave the flag out")
	}
	return nil
}

// runLoop sets the parts up, runs the engine and writes the reports.
func (c Command) runLoop(ctx context.Context, o *loopOptions) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make a run id: %w", err)
	}
	runner, err := gitops.NewRunner(ctx)
	if err != nil {
		return err
	}
	repo, err := openHere(ctx, runner)
	if err != nil {
		return err
	}
	box, err := isolation.New(o.box.via, isolation.Options{AllowUnsafeHost: o.box.allowUnsafe})
	if err != nil {
		return err
	}
	if words, names := isolation.WrapperNames(o.box.via, repo.Root); names {
		return usagef("--via %q names the repository itself, so commands would run in your worktree and not in the room: write $PWD in single quotes instead, it stands for the room", words)
	}
	cache, err := gitops.CacheRoot()
	if err != nil {
		return err
	}
	scratch, err := gitops.NewScratch(cache, id.String())
	if err != nil {
		return err
	}
	defer func() {
		if err := scratch.Close(); err != nil {
			fmt.Fprintf(c.Stderr, "patchvet: %v; `patchvet gc` removes what is left\n", err)
		}
	}()
	sealed, guard, err := c.sealBase(ctx, runner, repo, scratch, o)
	if err != nil {
		return err
	}
	if err := isolation.ProbeWrapper(ctx, box, scratch.Path()); err != nil {
		return err
	}
	if repo.Prefix != "" {
		fmt.Fprintln(c.Stderr, "patchvet: note: commands run at the root of the repository, not in", repo.Prefix)
	}
	folder, err := makeRunFolder(repo, o.out, id.String())
	if err != nil {
		return err
	}
	journal, err := loop.CreateJournal(filepath.Join(folder.path, "journal.jsonl"), time.Now)
	if err != nil {
		return err
	}
	defer journal.Close()
	progress := c.newProgress(o, folder)
	defer progress.Close()
	engine := &loop.Engine{
		RunID: id.String(), Tool: loop.Tool{Name: "patchvet", Version: c.Version}, Plan: o.plan,
		Store: sealed, Guard: guard, Box: box, Environ: c.Environ, Toolchains: isolation.ToolchainEnv(c.Environ, homeOf(c.Environ)),
		Folders: loop.Folders{Run: folder.path, Out: folder.name, Private: scratch.Path("run")},
		Cache:   buildCache(ctx, sealed, cache, repo.Root),
		Sink:    sinks{journal, progress},
		Log:     slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	end, err := engine.Run(ctx)
	progress.Close()
	if err != nil {
		return err
	}
	return c.conclude(o, folder, end)
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
	if o.plan.Holdout != "" {
		oracle = append(oracle, o.plan.Holdout)
	}
	guard, err := gitops.NewGuard(gitops.Protection{
		Globs: o.plan.Protect, Ratchet: !o.plan.AllowTestEdits, Oracle: oracle, Allow: o.allowEdit,
	}, entries, read)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range guard.Unmatched() {
		fmt.Fprintf(c.Stderr, "patchvet: warning: --protect %q matches no path of the base\n", g)
	}
	return sealed, guard, nil
}

// conclude writes the reports and prints the summary or the ledger.
func (c Command) conclude(o *loopOptions, folder runFolder, end loop.RunFinished) error {
	run, err := writeReports(folder.path)
	if err != nil {
		return fmt.Errorf("write the reports of %s: %w", folder.name, err)
	}
	if o.json {
		err = c.printLedger(run.Ledger)
	} else {
		_, err = fmt.Fprint(c.Stdout, reports.Summary(run))
	}
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return exitWith(outcomeCode(end.Final))
}

// writeReports reads the journal back, so that the reports say what it says
// and nothing else.
func writeReports(dir string) (reports.Run, error) {
	f, err := os.Open(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		return reports.Run{}, err
	}
	defer f.Close()
	events, err := loop.ReadJournal(f)
	if err != nil {
		return reports.Run{}, err
	}
	in := reports.Input{Events: events}
	for name, data := range map[string]*[]byte{"candidate.diff": &in.Diff, "last-output.txt": &in.LastOutput} {
		if *data, err = os.ReadFile(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return reports.Run{}, err
		}
	}
	if err := reports.WriteAll(dir, in); err != nil {
		return reports.Run{}, err
	}
	return reports.ReadRun(events)
}

// printLedger prints the bytes that loop.json has.
func (c Command) printLedger(l reports.Ledger) error {
	data, err := reports.EncodeLedger(l)
	if err != nil {
		return err
	}
	_, err = c.Stdout.Write(data)
	return err
}

// sinks sends every event to each of its members, the journal first.
type sinks []loop.Sink

// Emit implements loop.Sink.
func (s sinks) Emit(p loop.Payload) error {
	for _, sink := range s {
		if err := sink.Emit(p); err != nil {
			return err
		}
	}
	return nil
}

// openHere opens the repository of the current folder.
func openHere(ctx context.Context, runner *gitops.Runner) (*gitops.Repository, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	return gitops.Open(ctx, runner, dir)
}

// buildCache is the compiler cache for bases that need one, else nil.
func buildCache(ctx context.Context, sealed *gitops.Sealed, cacheRoot, repoRoot string) loop.BuildCache {
	entries, err := sealed.Paths(ctx, sealed.Base().Tree)
	if err != nil {
		return nil
	}
	for _, en := range entries {
		if filepath.Base(en.Path) == "go.mod" {
			return isolation.NewBuildCache(cacheRoot, repoRoot)
		}
	}
	return nil
}

// homeOf is the user's home folder, "" when there is none.
func homeOf(environ []string) string {
	for _, kv := range environ {
		if home, ok := strings.CutPrefix(kv, "HOME="); ok {
			return home
		}
	}
	return ""
}
