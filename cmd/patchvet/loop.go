package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
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
	options, err := c.isolationOptions(&o.box, repo, o.out)
	if err != nil {
		return err
	}
	box, refusal, err := newBox(o.box.via, options)
	if err != nil {
		return err
	}
	if words, names := isolation.WrapperNames(o.box.via, repo.Root); names {
		return usagef("--via %q names the repository itself, so commands would run in your worktree and not in the room: write $PWD in single quotes instead, it stands for the room", words)
	}
	for _, name := range o.unset {
		fmt.Fprintf(c.Stderr, "patchvet: warning: --hook-env %s: the variable is not set\n", name)
	}
	cache, err := cacheRoot(repo)
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
	if refusal == nil {
		if box, refusal, err = prove(ctx, box, scratch.Path()); err != nil {
			return err
		}
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
		Root:    repo.Root,
		Folders: loop.Folders{Run: folder.path, Out: folder.name, Private: scratch.Private()},
		Cache:   buildCache(ctx, sealed, cache, repo.Root),
		Sink:    sinks{journal, progress},
		Log:     c.logger(),
	}
	var end loop.RunFinished
	if refusal != nil {
		fmt.Fprintln(c.Stderr, "patchvet:", refusal)
		end, err = engine.Refuse(refusal.Error())
	} else {
		end, err = engine.Run(ctx)
	}
	progress.Close()
	if err != nil {
		return err
	}
	return c.conclude(o, folder, end)
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

// homeOf is the user's home folder, "" when there is none.
func homeOf(environ []string) string {
	for _, kv := range environ {
		if home, ok := strings.CutPrefix(kv, "HOME="); ok {
			return home
		}
	}
	return ""
}
