package loop

import (
	"context"
	"fmt"
	"sort"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// rooms holds one clean room a phase, so that the k re-runs of one command
// share theirs and each command starts in a fresh one.
type rooms map[string]place

func (r rooms) close() {
	for _, p := range r {
		p.close()
	}
}

// judgeTree runs the oracle on a tree: every phase once in order, then all of
// them again until each was green k times in a row. For the base the red
// gate's runs are reused, and what its clean rooms compiled goes to the
// persistent cache while no hook has run.
func (e *Engine) judgeTree(ctx context.Context, attempt int, tree string) (verdict, error) {
	began := e.Clock()
	v := verdict{tree: tree}
	open := rooms{}
	defer func() { open.close() }()
	for run := 1; run <= e.Plan.K; run++ {
		row := PassRun{Run: run, Passed: true}
		for _, ph := range e.Plan.Phases() {
			out, tampered, err := e.judgePhase(ctx, attempt, tree, ph, run, open)
			if err != nil {
				return verdict{}, err
			}
			v.phase, v.class, v.exitCode = ph.Name, out.evidence.Class, out.evidence.ExitCode
			row.ExitCode = v.exitCode
			if row.Passed = e.settle(&v, out, tampered, run); !row.Passed {
				break
			}
		}
		v.runs = append(v.runs, row)
		if !row.Passed {
			break
		}
		v.passed = run == e.Plan.K
	}
	v.durationS = seconds(e.Clock().Sub(began))
	return v, nil
}

// settle folds one execution into the verdict and reports whether it was a
// green that counts.
func (e *Engine) settle(v *verdict, out *stepOutcome, tampered []PathReason, run int) bool {
	v.failure = failure{phase: feedback.Phase(out.step.Phase), step: out}
	switch {
	case out.evidence.Class == isolation.ClassInfra:
		v.inconclusive, v.reason = true, fmt.Sprintf("%s could not be run: %s", out.step.Phase, out.evidence.Reason)
		v.rejected = rejectedInconclusive
	case out.doubtful():
		v.inconclusive, v.reason = true, out.doubt()
		v.rejected = rejectedInconclusive
	case !out.passed():
		if run > 1 {
			v.flaky = true
			v.reason = fmt.Sprintf("%s passed %d time(s) and then failed on the same tree", out.step.Phase, run-1)
		}
	case len(tampered) > 0:
		e.run.tamper++
		v.rejected, v.class = rejectedTamper, isolation.ClassError
		v.reason = fmt.Sprintf("%s changed files of the tree while it ran: %s", out.step.Phase, tampered[0].Path)
		v.failure = failure{phase: feedback.PhaseTestTamper, step: out, paths: tampered, message: v.reason}
		if e.run.tamper > 1 && !e.Plan.MarkOnly {
			v.ends, v.endRule = TestTamper, RuleSecondTamper
		}
	default:
		v.failure = failure{}
		return true
	}
	v.failure.flaky = v.flaky
	v.failure.digest = out.step.Phase + "\x00" + string(out.evidence.Class) + "\x00" + out.report.Signature
	return false
}

// judgePhase runs one command of the oracle in its clean room and says which
// files of the tree the run itself changed.
func (e *Engine) judgePhase(ctx context.Context, attempt int, tree string, ph Phase, run int, open rooms) (*stepOutcome, []PathReason, error) {
	isBase := tree == e.Store.Base().Tree
	if isBase && run <= len(e.run.redRuns) && ph.Name == e.Plan.Target().Name {
		out := e.run.redRuns[run-1]
		err := e.emit(StepFinished{StepStarted: out.step, Evidence: out.evidence, Reused: true})
		out.step.Phase = ph.Name
		return &out, nil, err
	}
	p, ok := open[ph.Name]
	if !ok || e.Plan.FreshReruns {
		if ok {
			p.close()
		}
		var err error
		if p, err = e.newPlace(ctx, "clean", tree); err != nil {
			return nil, nil, err
		}
		open[ph.Name] = p
	}
	out, err := e.runStep(ctx, stepSpec{
		attempt: attempt, role: isolation.RoleVerify, phase: ph.Name, run: run, tree: tree, command: ph.Command, place: p,
	})
	if err != nil {
		return nil, nil, err
	}
	if isBase {
		return out, nil, e.afterBaseRun(ctx, ph.Name, p)
	}
	tampered, err := e.touched(ctx, ph, p)
	return out, tampered, err
}

// afterBaseRun notes which tracked files the base's own run changes, and keeps
// what it compiled.
func (e *Engine) afterBaseRun(ctx context.Context, phase string, p place) error {
	if _, err := e.strays(); err != nil {
		return err
	}
	diffs, err := p.room.Compare(ctx, []string{exchangeDir})
	if err != nil {
		return err
	}
	touched := e.run.baseTouched[phase]
	if touched == nil {
		touched = map[string]bool{}
		e.run.baseTouched[phase] = touched
	}
	for _, d := range diffs {
		touched[d.Path] = true
	}
	if e.Cache == nil || e.run.hookCalls > 0 {
		return nil
	}
	if _, err := e.Cache.Publish(ctx, p.ownCache()); err != nil {
		e.Log.Warn("keep the compiler cache", "error", err)
	}
	return nil
}

// touched lists the files of the judged tree that a run changed and that the
// base's own run of the same command leaves alone. A suite that rewrites a
// tracked file on the base too is not the candidate's doing.
func (e *Engine) touched(ctx context.Context, ph Phase, p place) ([]PathReason, error) {
	out, err := e.strays()
	if err != nil {
		return nil, err
	}
	diffs, err := p.room.Compare(ctx, []string{exchangeDir})
	if err != nil || len(diffs) == 0 {
		return out, err
	}
	known, seen := e.run.baseTouched[ph.Name]
	if !seen {
		if known, err = e.learnBaseTouched(ctx, ph); err != nil {
			return nil, err
		}
	}
	for _, d := range diffs {
		if !known[d.Path] && (d.Rule != gitops.RuleRewritten || e.guards(d.Path)) {
			out = append(out, rejection(d))
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, nil
}

// guards reports a path of the tree that a hook may not change. A file that is
// written and put back matters only there: what judges must not have been
// another file for a while.
func (e *Engine) guards(path string) bool {
	return len(e.Guard.Check([]gitops.Change{{Path: path, Kind: gitops.Modified}})) > 0
}

// strays are files that a command put into the folders above its room. They
// are gone afterwards.
func (e *Engine) strays() ([]PathReason, error) {
	names, err := e.Store.RemoveStrays()
	var out []PathReason
	for _, name := range names {
		out = append(out, PathReason{Path: QuotePath(name), Rule: "stray", Reason: "It stands above the room, where test runners look for configuration."})
	}
	return out, err
}

// learnBaseTouched runs a phase on the base that attempt 1 did not come to.
func (e *Engine) learnBaseTouched(ctx context.Context, ph Phase) (map[string]bool, error) {
	base := e.Store.Base().Tree
	p, err := e.newPlace(ctx, "clean", base)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if _, err := e.runStep(ctx, stepSpec{role: isolation.RoleVerify, phase: ph.Name, run: 1, tree: base, command: ph.Command, place: p}); err != nil {
		return nil, err
	}
	if err := e.afterBaseRun(ctx, ph.Name, p); err != nil {
		return nil, err
	}
	return e.run.baseTouched[ph.Name], nil
}

func rejection(r gitops.Rejection) PathReason {
	return PathReason{Path: QuotePath(r.Path), Rule: string(r.Rule), Reason: r.Reason}
}
