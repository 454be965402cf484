package loop

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
)

// Exit codes with a meaning of their own. 75 and 69 are EX_TEMPFAIL and
// EX_UNAVAILABLE of sysexits(3).
const (
	exitAbstain = 75
	exitInfra   = 69
)

// hookInfraTries is how often a hook that reports infrastructure trouble is
// called for one attempt.
const hookInfraTries = 3

// hookResult is what a call of the fix hook came to.
type hookResult string

const (
	hookEdited    hookResult = "edited"
	hookUnchanged hookResult = "unchanged"
	hookAbstained hookResult = "abstained"
	hookInfra     hookResult = "infra"
	hookFailed    hookResult = "failed"
)

// left is what a hook left behind.
type left struct {
	result hookResult
	job    string
	step   *stepOutcome
	frozen *gitops.Frozen
	start  string // the tree that the edit room began with
}

// callHookCounted calls the fix hook for an attempt. A call that reports
// infrastructure trouble is not counted and is repeated, a bounded number of times.
func (e *Engine) callHookCounted(ctx context.Context, attempt int) (left, error) {
	for try := 1; ; try++ {
		l, err := e.callHook(ctx, attempt)
		if err != nil || l.result != hookInfra || try == hookInfraTries {
			return l, err
		}
	}
}

// callHook runs the fix hook once in a fresh edit room and freezes what it left.
func (e *Engine) callHook(ctx context.Context, attempt int) (left, error) {
	start := e.run.lastTree
	if e.Plan.RestartFromBase {
		start = e.Store.Base().Tree
	}
	p, err := e.newPlace(ctx, "edit", start)
	if err != nil {
		return left{}, err
	}
	defer p.close()
	in, err := e.fillExchange(p, *e.run.last)
	if err != nil {
		return left{}, err
	}
	e.run.hookCalls++
	out, err := e.runStep(ctx, stepSpec{
		attempt: attempt - 1, role: isolation.RoleHook, phase: "hook", run: 1, tree: start,
		command: e.Plan.FixHook, place: in.mount(p), told: e.hookVariables(in, p.dir, attempt-1), passed: e.Plan.HookEnv,
	})
	if err != nil {
		return left{}, err
	}
	frozen, err := e.Store.Freeze(ctx, p.room, gitops.FreezeOptions{Skip: []string{exchangeDir}})
	if err != nil {
		return left{}, fmt.Errorf("freeze the edit room of attempt %d: %w", attempt, err)
	}
	l := left{job: out.step.Job, step: out, frozen: frozen, start: start}
	l.result = result(out, frozen, start)
	if err := e.emit(HookFinished{Attempt: attempt - 1, Call: e.run.hookCalls, ExitCode: out.evidence.ExitCode, Result: string(l.result)}); err != nil {
		return left{}, err
	}
	return l, e.emit(frozenEvent(attempt, frozen))
}

func result(out *stepOutcome, frozen *gitops.Frozen, start string) hookResult {
	switch {
	case out.evidence.ExitCode == exitAbstain:
		return hookAbstained
	case out.evidence.ExitCode == exitInfra, out.evidence.Class == isolation.ClassInfra:
		return hookInfra
	case out.evidence.Class != isolation.ClassPass:
		return hookFailed
	case frozen.Tree == start && len(frozen.Rejected) == 0:
		return hookUnchanged
	}
	return hookEdited
}

// hookVariables is what the fix hook is told by its environment, each under both
// prefixes. Variables that name files of the exchange folder are absolute.
func (e *Engine) hookVariables(in exchange, root string, attempt int) []string {
	vars := []string{
		"FEEDBACK=" + in.feedback,
		"FULL_LOG=" + in.fullLog,
		"LAST_OUTPUT=" + in.lastOutput,
		"ATTEMPT=" + strconv.Itoa(attempt),
		"BASE=" + e.Store.Base().Commit,
		"ROOT=" + root,
		"FRESH_CONTEXT=" + strconv.FormatBool(e.Plan.FreshContext),
	}
	env := bothPrefixes(vars)
	if in.spec != "" {
		env = append(env, "PATCHVET_SPEC="+in.spec)
	}
	return env
}

// bothPrefixes names each variable for patchvet's own hooks and for those
// written for the older harness.
func bothPrefixes(vars []string) []string {
	var out []string
	for _, v := range vars {
		out = append(out, "PATCHVET_"+v, "EIDOLONS_SANDBOX_"+v)
	}
	return out
}

func frozenEvent(attempt int, f *gitops.Frozen) Frozen {
	ev := Frozen{
		Attempt: attempt, Tree: f.Tree, Changes: []TreeChange{}, Debris: quotePaths(listed(f.Debris)), Suspicious: []PathReason{},
		Total: FrozenTotal{Changes: len(f.Changes), Debris: len(f.Debris), Suspicious: len(f.Suspicious)},
	}
	for _, c := range listed(f.Changes) {
		ev.Changes = append(ev.Changes, TreeChange{Path: QuotePath(c.Path), Kind: string(c.Kind)})
	}
	for _, s := range listed(f.Suspicious) {
		ev.Suspicious = append(ev.Suspicious, PathReason{Path: QuotePath(s.Path), Rule: "suspicious", Reason: s.Reason})
	}
	return ev
}

// listed is the part of a list that an event holds.
func listed[T any](list []T) []T { return list[:min(len(list), MaxListed)] }

// keepEvidence writes the diff of a tree that is not judged beside the log of
// the hook that left it.
func (e *Engine) keepEvidence(ctx context.Context, l left) error {
	diff, err := e.Store.Diff(ctx, l.frozen.Tree)
	if err != nil {
		return fmt.Errorf("keep what %s left: %w", l.job, err)
	}
	return writeFile(filepath.Join(e.Folders.Run, "evidence", l.job, "left.diff"), diff)
}
