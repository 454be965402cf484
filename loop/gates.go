package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// judgeLeft takes what a hook left through the gates in order: protect, shape,
// lint, then the oracle. A failed gate ends the attempt.
func (e *Engine) judgeLeft(ctx context.Context, attempt int, l left) (verdict, error) {
	if l.result == hookFailed && !e.Plan.JudgeFailedHook {
		return e.hookFailure(ctx, l)
	}
	if v, refused, err := e.gateChanges(ctx, attempt, l); err != nil || refused {
		return v, err
	}
	tree := l.frozen.Tree
	if v, known := e.knownTree(tree, l); known {
		return v, nil
	}
	_, repeat := e.run.seen[tree]
	e.run.seen[tree] = verdict{}
	e.run.lastTree = tree
	if e.Plan.LintHook != "" {
		v, passed, err := e.lint(ctx, attempt, tree)
		if err != nil || !passed {
			v.repeat = repeat
			e.run.seen[tree] = v
			return v, err
		}
	}
	e.run.bestTree = tree
	v, err := e.judgeTree(ctx, attempt, tree)
	v.repeat = repeat
	e.run.seen[tree] = v
	return v, err
}

// hookFailure is the verdict on a hook that exited non-zero. What it changed is
// kept as evidence and goes no further.
func (e *Engine) hookFailure(ctx context.Context, l left) (verdict, error) {
	v := verdict{
		tree: l.frozen.Tree, phase: string(feedback.PhaseHook), class: l.step.evidence.Class, exitCode: l.step.evidence.ExitCode,
		durationS: l.step.evidence.DurationS, rejected: rejectedHook,
		reason: fmt.Sprintf("the fix hook ended with %s (exit %d)", l.step.evidence.Class, l.step.evidence.ExitCode),
	}
	if l.frozen.Tree == l.start {
		return v, nil
	}
	return v, e.keepEvidence(ctx, l)
}

// gateChanges refuses trees that touch what decides the verdict, or that hold
// what a candidate may not be.
func (e *Engine) gateChanges(ctx context.Context, attempt int, l left) (verdict, bool, error) {
	var protected, tampered, shape []PathReason
	var restore []string
	for _, viol := range e.Guard.Check(touchedPaths(l.frozen)) {
		pr := PathReason{Path: QuotePath(viol.Path), Rule: string(viol.Rule), Reason: viol.Reason}
		restore = append(restore, viol.Path)
		switch {
		case viol.Abort:
			protected = append(protected, pr)
		case viol.Rule == gitops.RuleShape:
			shape = append(shape, pr)
		default:
			tampered = append(tampered, pr)
		}
	}
	for _, r := range l.frozen.Rejected {
		shape = append(shape, rejection(r))
	}
	strays, err := e.strays()
	if err != nil {
		return verdict{}, false, err
	}
	tampered = append(tampered, strays...)
	v := verdict{tree: l.frozen.Tree, class: isolation.ClassError, exitCode: 1}
	switch {
	case len(protected) > 0:
		v.phase, v.rejected, v.ends = string(feedback.PhaseProtect), rejectedProtected, ProtectedTestsMutated
		v.reason = "the hook changed a path that --protect guards: " + listPaths(protected)
		v.failure = failure{phase: feedback.PhaseProtect, paths: protected, message: v.reason}
	case len(tampered) > 0:
		e.run.tamper++
		v.phase, v.rejected = string(feedback.PhaseTestTamper), rejectedTamper
		v.reason = "the hook changed what judges it: " + listPaths(tampered)
		v.failure = failure{phase: feedback.PhaseTestTamper, paths: slices.Concat(tampered, shape), message: v.reason}
		if e.run.tamper > 1 && !e.Plan.MarkOnly {
			v.ends, v.endRule = TestTamper, RuleSecondTamper
		}
	case len(shape) > 0:
		v.phase, v.rejected = string(feedback.PhaseShape), rejectedShape
		v.reason = "the tree holds what a candidate may not be: " + listPaths(shape)
		v.failure = failure{phase: feedback.PhaseShape, paths: shape, message: v.reason}
	default:
		return verdict{}, false, nil
	}
	v.failure.digest = v.reason
	all := slices.Concat(protected, tampered, shape)
	if err := e.emit(Rejected{Attempt: attempt, Gate: v.phase, Paths: listed(all), Total: len(all)}); err != nil {
		return verdict{}, false, err
	}
	if err := e.keepEvidence(ctx, l); err != nil {
		return verdict{}, false, err
	}
	// The next edit room keeps the hook's other work: only what was refused is put back.
	kept, err := e.Store.Restore(ctx, l.frozen.Tree, restore)
	if err != nil {
		return verdict{}, false, fmt.Errorf("put back refused paths: %w", err)
	}
	e.run.lastTree = kept
	return v, true, nil
}

// touchedPaths are the changes of a tree, and those that no tree can hold: a
// guarded path that was replaced by a fifo is as touched as an edited one.
func touchedPaths(f *gitops.Frozen) []gitops.Change {
	out := slices.Clone(f.Changes)
	for _, r := range f.Rejected {
		out = append(out, gitops.Change{Path: r.Path, Kind: gitops.Type})
	}
	return out
}

// knownTree is the verdict on a tree that equals the base or was judged
// before. Callers of the older names have it judged again.
func (e *Engine) knownTree(tree string, l left) (verdict, bool) {
	if e.Plan.MarkOnly {
		return verdict{}, false
	}
	known, judged := e.run.seen[tree]
	if !judged {
		return verdict{}, false
	}
	// What was said of the tree stands: phase, class, and that it is flaky.
	v := verdict{
		tree: tree, phase: known.phase, class: known.class, exitCode: known.exitCode, flaky: known.flaky,
		durationS: l.step.evidence.DurationS, rejected: rejectedRepeated, repeat: true,
		reason: "the hook left a tree that was judged before",
	}
	switch {
	case tree == e.Store.Base().Tree:
		v.rejected, v.repeat, v.flaky, v.reason = rejectedEmpty, false, false, "the hook left the base as it was"
	case known.flaky:
		v.reason = known.reason
	}
	return v, true
}

// lint runs the lint hook on the tree. The oracle is not asked when it fails.
func (e *Engine) lint(ctx context.Context, attempt int, tree string) (verdict, bool, error) {
	p, err := e.newPlace(ctx, "lint", tree)
	if err != nil {
		return verdict{}, false, err
	}
	defer p.close()
	out, err := e.runStep(ctx, stepSpec{attempt: attempt, role: isolation.RoleLint, phase: string(feedback.PhaseLint), run: 1, tree: tree, command: e.Plan.LintHook, place: p})
	if err != nil || out.evidence.Class == isolation.ClassPass {
		return verdict{}, err == nil, err
	}
	return verdict{
		tree: tree, phase: string(feedback.PhaseLint), class: out.evidence.Class, exitCode: out.evidence.ExitCode,
		durationS: out.evidence.DurationS, rejected: rejectedLint, reason: "the lint hook failed; tests were not run",
		failure: failure{phase: feedback.PhaseLint, step: out, digest: "lint\x00" + out.report.Signature},
	}, false, nil
}

// listPaths names the first paths of a refusal.
func listPaths(paths []PathReason) string {
	const most = 3
	var names []string
	for i, p := range paths {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(paths)-most))
			break
		}
		names = append(names, p.Path)
	}
	return strings.Join(names, ", ")
}
