package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// runReport is the document of run --json. The first eight fields are read by
// existing callers.
type runReport struct {
	Passed     bool            `json:"passed"`
	ExitCode   int             `json:"exit_code"`
	DurationS  float64         `json:"duration_s"`
	OutputTail string          `json:"output_tail"`
	FullLog    string          `json:"full_log"` // always empty: the log is printed and not kept
	Failing    string          `json:"failing"`
	Loci       []string        `json:"loci"`
	TestName   []string        `json:"test_name"`
	Assertion  []string        `json:"assertion"`
	Class      isolation.Class `json:"class"`
	Truncated  bool            `json:"truncated"`

	reason string // how it ended, where the exit code does not say it
}

func (c Command) run(as caller) *cobra.Command {
	var box boxOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run -- COMMAND [ARG…]",
		Short: "run one command in the box, in the current folder: silent when green",
		Long: `Run one command in the box, in the current folder. Nothing is printed when it
is green; all of its output is, when it is red. The exit code is the command's
own (1 when it has none, as after a timeout); under "sandbox" it is 0 or 1.`,
		Example: "  patchvet run --via 'WRAPPER sh -c' -- go test ./...",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usagef("nothing to run: give a command after --, for example %s -- go test ./...", cmd.CommandPath())
			}
			cache, err := gitops.CacheRoot()
			if err != nil {
				return err
			}
			id, err := uuid.NewV7()
			if err != nil {
				return fmt.Errorf("make a run id: %w", err)
			}
			// In the cache, under a lock: what a kill leaves there, gc finds.
			scratch, err := gitops.NewScratch(cache, id.String())
			if err != nil {
				return err
			}
			defer scratch.Close()
			log := scratch.Path("output.log")
			report, err := c.runOnce(cmd.Context(), box, args, scratch)
			if err != nil {
				return err
			}
			if asJSON {
				if err := printJSON(c.Stdout, report); err != nil {
					return err
				}
			} else if !report.Passed {
				c.explainEnd(report)
				if err := c.printLog(log); err != nil {
					return err
				}
			}
			return exitWith(runCode(as, report))
		},
	}
	box.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document instead of the output")
	return cmd
}

// runCode is the exit code of run.
func runCode(as caller, r runReport) int {
	switch {
	case r.Passed:
		return exitDone
	case as == asEidolons, r.ExitCode <= 0:
		return 1
	}
	return r.ExitCode
}

// explainEnd says how a command ended that no exit code of its own tells.
func (c Command) explainEnd(r runReport) {
	if r.reason != "" {
		fmt.Fprintln(c.Stderr, "patchvet:", r.reason)
	}
}

// runOnce runs a command and reads its log, output.log in the scratch folder.
func (c Command) runOnce(ctx context.Context, o boxOptions, args []string, scratch *gitops.Scratch) (runReport, error) {
	limits, err := o.limits()
	if err != nil {
		return runReport{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return runReport{}, fmt.Errorf("find the current folder: %w", err)
	}
	options, err := c.isolationOptions(&o, nil, "")
	if err != nil {
		return runReport{}, err
	}
	options.Native.Root = dir
	box, err := isolation.New(o.via, options)
	if err != nil {
		return runReport{}, err
	}
	log := scratch.Path("output.log")
	home, tmp := scratch.Path("home"), scratch.Path("tmp")
	for _, d := range []string{home, tmp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return runReport{}, fmt.Errorf("make a private folder: %w", err)
		}
	}
	var mounts []isolation.Mount
	if d := box.Describe(); d.Mounts {
		if box, _, err = isolation.Prove(ctx, box, scratch.Path(), isolation.RequiredCapabilities(), isolation.StartUp); err != nil {
			return runReport{}, err
		}
		home, tmp, mounts = d.Home, d.Tmp, hereMounts(dir)
	}
	res, err := box.Run(ctx, isolation.Job{
		Role: isolation.RoleVerify, Command: isolation.Command{Argv: args}, Dir: dir, Mounts: mounts,
		Env:    isolation.Environ(isolation.RoleVerify, c.Environ, []string{"HOME=" + home, "TMPDIR=" + tmp}),
		Limits: limits, Log: log,
	})
	if err != nil && !errors.Is(err, isolation.ErrNotStarted) {
		return runReport{}, err
	}
	if err != nil {
		return runReport{}, fmt.Errorf("run %s: %w", args[0], err)
	}
	return readRun(ctx, res, log, dir)
}

// hereMounts shows the current folder in a box with a root of its own, or the
// worktree that it lies in, writable as for any command that is run here. The
// worktree's git folder is read-only: what it holds runs as the user later.
func hereMounts(dir string) []isolation.Mount {
	root := dir
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			root = at
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	mounts := []isolation.Mount{{Source: root, Target: root, Keep: true}}
	if git := filepath.Join(root, ".git"); isFolder(git) {
		mounts = append(mounts, isolation.Mount{Source: git, Target: git, ReadOnly: true})
	}
	return mounts
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

func readRun(ctx context.Context, res isolation.Result, log, dir string) (runReport, error) {
	f, err := os.Open(log)
	if err != nil {
		return runReport{}, fmt.Errorf("read the log: %w", err)
	}
	defer f.Close()
	report, err := feedback.Localize(ctx, f, feedback.Options{Root: dir, Tree: feedback.NewTree(filesBelow(dir))})
	if err != nil {
		return runReport{}, fmt.Errorf("read the log: %w", err)
	}
	doc := feedback.Build(feedback.Attempt{}, report)
	return runReport{
		Passed: res.Class == isolation.ClassPass, ExitCode: res.ExitCode, DurationS: float64(res.Duration.Milliseconds()) / 1000,
		OutputTail: doc.OutputTail, Failing: doc.Failing, Loci: doc.Loci, TestName: doc.TestName, Assertion: doc.Assertion,
		Class: feedback.Classify(res.Class, res.ExitCode, report), Truncated: res.Truncated,
		reason: endReason(res),
	}, nil
}

// endReason says how a command ended that was killed or never ran.
func endReason(res isolation.Result) string {
	switch {
	case res.Reason != "":
		return res.Reason
	case res.Class == isolation.ClassSignal && res.Signal != "":
		return "ended by " + res.Signal
	}
	return ""
}

// mostFiles bounds the files that loci of run are looked up among.
const mostFiles = 50000

// filesBelow lists the files of a folder, slash-separated and relative to it,
// as far as they can be read. Git's own folder is left out.
func filesBelow(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir(), err == nil && d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case err != nil:
			return nil
		case len(out) == mostFiles:
			return fs.SkipAll
		case d.Type().IsRegular():
			if rel, err := filepath.Rel(dir, path); err == nil {
				out = append(out, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return out
}

// printLog prints all of a red command's output.
func (c Command) printLog(log string) error {
	f, err := os.Open(log)
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(c.Stdout, f)
	return err
}
