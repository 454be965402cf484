package loop

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// Store makes rooms from the sealed base and names what is left in them. It is
// implemented by gitops.Sealed.
type Store interface {
	Base() gitops.Base
	Warnings() []string
	NewRoom(ctx context.Context, spec gitops.RoomSpec) (*gitops.Room, error)
	Freeze(ctx context.Context, room *gitops.Room, opt gitops.FreezeOptions) (*gitops.Frozen, error)
	Restore(ctx context.Context, tree string, paths []string) (string, error)
	Changes(ctx context.Context, from, to string) ([]gitops.Change, error)
	Paths(ctx context.Context, tree string) ([]gitops.Entry, error)
	Diff(ctx context.Context, tree string) ([]byte, error)
	RemoveStrays() ([]string, error)
}

// Guard says which changes touch what decides the verdict. It is implemented
// by gitops.Guard.
type Guard interface {
	Check(changes []gitops.Change) []gitops.Violation
	// IsTest reports a path that is a part of the tests.
	IsTest(path string) bool
}

// Box runs one command. It is implemented by the back-ends of package isolation.
type Box interface {
	Run(ctx context.Context, job isolation.Job) (isolation.Result, error)
	Describe() isolation.Description
}

// BuildCache gives each room a private copy of the go command's build cache,
// and takes entries back from rooms that no hook could write. It is
// implemented by isolation.BuildCache; nil means that the base has no Go code.
type BuildCache interface {
	Seed(ctx context.Context, dst string) (isolation.Seeded, error)
	Publish(ctx context.Context, src string) (isolation.Published, error)
}

// Sink takes the events of a run in order. An error ends the run: an account
// that cannot be written is no account.
type Sink interface {
	Emit(Payload) error
}

// Folders are the places that a run may write.
type Folders struct {
	Run     string // the run folder (--out), absolute: evidence, feedback, diffs
	Out     string // the same folder as the user may type it
	Private string // scratch space of this run that no hook is told of
}

// Engine carries out one plan. All fields but Toolchains, Cache, Log and Clock are required.
type Engine struct {
	RunID   string
	Tool    Tool
	Plan    Plan
	Store   Store
	Guard   Guard
	Box     Box
	Folders Folders
	Root    string   // of the user's repository; "" for a bare one
	Environ []string // of this process; boxes get an allowlist of it
	// Toolchains are NAME=value pairs by which tools below the user's home are
	// found from a private one.
	Toolchains []string
	Cache      BuildCache
	Sink       Sink
	Log        *slog.Logger
	Clock      func() time.Time

	run runState
}

// runState is what changes while a run goes on.
type runState struct {
	started     time.Time
	jobs        int
	rooms       int
	hookCalls   int
	holdoutRuns int
	tamper      int
	seen        map[string]verdict // of the trees that were judged
	lastTree    string             // where the next edit room starts
	bestTree    string             // last candidate that reached the oracle
	mark        Rule               // first stop rule that fired
	signatures  []string           // failure signatures of consecutive hook calls
	last        *failure           // what the next hook call is told
	baseTouched map[string]map[string]bool
	redRuns     []stepOutcome
	paths       map[string]*feedback.Tree // of the tree at hand
}

// ErrReservedPath is returned by Run when the base tracks a path that the
// exchange folder needs.
var ErrReservedPath = errors.New("the base tracks " + exchangeDir + ", which patchvet needs for its exchange folder")

// Run carries out the plan and emits its events, the last of which is the
// returned RunFinished. The error is non-nil only when the account itself
// could not be kept, or the plan cannot be carried out on this base.
func (e *Engine) Run(ctx context.Context) (RunFinished, error) {
	if e.Log == nil {
		e.Log = slog.New(slog.DiscardHandler)
	}
	if e.Clock == nil {
		e.Clock = time.Now
	}
	e.run = runState{
		started:     e.Clock(),
		seen:        map[string]verdict{},
		lastTree:    e.Store.Base().Tree,
		baseTouched: map[string]map[string]bool{},
		paths:       map[string]*feedback.Tree{},
	}
	if err := e.checkReserved(ctx); err != nil {
		return RunFinished{}, err
	}
	if err := os.MkdirAll(filepath.Join(e.Folders.Private, placesFolder), 0o700); err != nil {
		return RunFinished{}, fmt.Errorf("make the run's private folder: %w", err)
	}
	if err := e.Sink.Emit(e.runStarted()); err != nil {
		return RunFinished{}, err
	}
	end, err := e.iterate(ctx)
	if err != nil {
		end, err = e.endByError(ctx, err)
		if err != nil {
			return RunFinished{}, err
		}
	}
	return e.finish(end)
}

// Refuse writes the account of a run that may not start: nothing is executed,
// not the base either.
func (e *Engine) Refuse(reason string) (RunFinished, error) {
	if e.Clock == nil {
		e.Clock = time.Now
	}
	e.run.started = e.Clock()
	if err := e.Sink.Emit(e.runStarted()); err != nil {
		return RunFinished{}, err
	}
	return e.finish(ending{outcome: Refused, reason: reason})
}

// ending is how a run stops: its outcome, the rule that ended it where there
// is one, the tree that is handed over and one sentence.
type ending struct {
	outcome Outcome
	rule    Rule
	tree    string
	reason  string
}

// sinkError marks an error of the account itself.
type sinkError struct{ err error }

func (s *sinkError) Error() string { return "write the journal: " + s.err.Error() }
func (s *sinkError) Unwrap() error { return s.err }

func (e *Engine) emit(p Payload) error {
	if err := e.Sink.Emit(p); err != nil {
		return &sinkError{err}
	}
	return nil
}

// endByError turns an error into an outcome: cancelled when the caller gave
// up, infra for everything else but a broken account, which has none.
func (e *Engine) endByError(ctx context.Context, err error) (ending, error) {
	var broken *sinkError
	switch {
	case errors.As(err, &broken):
		return ending{}, err
	case ctx.Err() != nil:
		return ending{outcome: Cancelled, tree: e.run.bestTree, reason: "cancelled before a verdict"}, nil
	}
	e.Log.Error("run ended by an error", "error", err)
	return ending{outcome: Infra, tree: e.run.bestTree, reason: err.Error()}, nil
}

func (e *Engine) finish(end ending) (RunFinished, error) {
	sum, err := e.writeDiff(end)
	if err != nil {
		e.Log.Error("write candidate diff", "error", err)
		end = ending{outcome: Infra, reason: fmt.Sprintf("the candidate's diff could not be proved: %v", err)}
	}
	if end.rule == "" {
		end.rule = e.run.mark
	}
	fin := RunFinished{
		Final:       end.outcome,
		StopReason:  end.rule,
		Reason:      end.reason,
		HasDiff:     sum != "",
		DiffSHA256:  sum,
		DurationS:   seconds(e.Clock().Sub(e.run.started)),
		HoldoutRuns: e.run.holdoutRuns,
	}
	if sum != "" {
		fin.Tree = end.tree
	}
	if err := e.collectSealedLogs(); err != nil {
		e.Log.Error("keep the holdout's log", "error", err)
	}
	return fin, e.emit(fin)
}

// writeDiff writes candidate.diff for the tree that is handed over and returns
// its SHA-256, "" where there is no tree. It works without the caller's
// context: also a cancelled run hands over what it has.
func (e *Engine) writeDiff(end ending) (string, error) {
	if end.tree == "" {
		return "", nil
	}
	diff, err := e.Store.Diff(context.Background(), end.tree)
	if err != nil {
		return "", err
	}
	if err := writeFile(filepath.Join(e.Folders.Run, "candidate.diff"), diff); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(diff)), nil
}

func (e *Engine) runStarted() RunStarted {
	base, p, box := e.Store.Base(), e.Plan, e.Box.Describe()
	classes := []string{}
	for _, c := range p.RedClasses {
		classes = append(classes, string(c))
	}
	from := "last"
	if p.RestartFromBase {
		from = "base"
	}
	return RunStarted{
		RunID:  e.RunID,
		Tool:   e.Tool,
		OutDir: e.Folders.Out,
		Base: BaseInfo{
			Commit: base.Commit, Tree: base.Tree, Snapshot: base.Snapshot, Parent: base.Parent,
			LeftOut: quotePaths(base.LeftOut), Submodules: quotePaths(base.Submodules),
			Warnings: append([]string{}, e.Store.Warnings()...),
		},
		Isolation: IsolationInfo{Via: box.Via, Tier: box.Tier, Proved: box.Proved},
		Plan: PlanInfo{
			Tests: p.Tests, Regression: p.Regression, Reproduction: p.Reproduction,
			FixHook: p.FixHook, LintHook: p.LintHook, JudgeHook: p.JudgeHook, Holdout: p.Holdout != "",
			RequireRed: p.RequireRed, RedClasses: classes, K: p.K, FreshReruns: p.FreshReruns,
			MaxAttempts: p.MaxAttempts, RestartFrom: from, FreshContext: p.FreshContext,
			MarkOnly: p.MarkOnly, AllowTestEdits: p.AllowTestEdits, Protect: append([]string{}, p.Protect...),
			TimeoutS: seconds(p.Limits.Timeout), MaxOutput: p.Limits.MaxOutput,
		},
	}
}

func seconds(d time.Duration) float64 {
	return float64(d.Milliseconds()) / 1000
}

func quotePaths(paths []string) []string {
	out := []string{}
	for _, p := range paths {
		out = append(out, QuotePath(p))
	}
	return out
}
