package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// Verdicts of the red gate, as the ledger's red_gate has them.
const (
	RedVerified = "verified-red"
	RedVacuous  = "vacuous"
	RedWrong    = "wrong-red"
)

// redGate proves that the target fails on the base, k times, for a reason that
// a fix can answer. It stops the run otherwise, before any hook call is spent.
func (e *Engine) redGate(ctx context.Context) (ending, bool, error) {
	base, target := e.Store.Base().Tree, e.Plan.Target()
	open := rooms{}
	defer func() { open.close() }()
	var runs []stepOutcome
	reds := 0
	for run := 1; run <= e.Plan.K; run++ {
		out, err := e.redRun(ctx, base, target, run, open)
		if err != nil {
			return ending{}, false, err
		}
		runs = append(runs, *out)
		if !out.passed() && !out.doubtful() {
			reds++
		}
		if out.doubtful() {
			return e.redEnd(out, RedWrong, Inconclusive, out.doubt())
		}
		if out.evidence.Class == isolation.ClassInfra {
			return e.redEnd(out, RedWrong, WrongRed, fmt.Sprintf("%s could not be run on the base: %s", target.Name, out.evidence.Reason))
		}
	}
	last := &runs[len(runs)-1]
	switch {
	case reds == 0:
		return e.redEnd(last, RedVacuous, VacuousReproduction, fmt.Sprintf("%s passes on the base: it does not show the bug, so no change can be judged by it", target.Name))
	case reds < len(runs):
		return e.redEnd(last, RedWrong, Flaky, fmt.Sprintf("%s failed on the base in %d of %d runs: a test that fails now and then cannot judge a fix", target.Name, reds, len(runs)))
	}
	for i := range runs {
		if why := e.wrongRed(&runs[i]); why != "" {
			return e.redEnd(&runs[i], RedWrong, WrongRed, why)
		}
	}
	e.run.redRuns = runs
	if err := e.writeFeedback(failure{phase: feedback.PhaseRedGate, step: last}); err != nil {
		return ending{}, false, err
	}
	return ending{}, false, e.emit(RedGate{Verdict: RedVerified, Reason: fmt.Sprintf("%s failed on the base in %d of %d runs", target.Name, reds, len(runs))})
}

func (e *Engine) redRun(ctx context.Context, base string, target Phase, run int, open rooms) (*stepOutcome, error) {
	p, ok := open[target.Name]
	if !ok || e.Plan.FreshReruns {
		if ok {
			p.close()
		}
		var err error
		if p, err = e.newPlace(ctx, "clean", base); err != nil {
			return nil, err
		}
		open[target.Name] = p
	}
	out, err := e.runStep(ctx, stepSpec{role: isolation.RoleVerify, phase: string(feedback.PhaseRedGate), run: run, tree: base, command: target.Command, place: p})
	if err != nil {
		return nil, err
	}
	return out, e.afterBaseRun(ctx, target.Name, p)
}

// wrongRed says why a red run proves nothing, or "" when it proves the bug.
func (e *Engine) wrongRed(out *stepOutcome) string {
	class := out.evidence.Class
	switch {
	case class == isolation.ClassTestFail, slices.Contains(e.Plan.RedClasses, class):
		return ""
	case class == isolation.ClassBuildFail:
		if feedback.TestFirstBuildFailure(out.report, e.Guard.IsTest) {
			return ""
		}
		return "the tests were never reached on the base: the build or the collection fails outside the tests; if that is the bug, declare it with --red-class build-fail"
	case class == isolation.ClassNotFound:
		return fmt.Sprintf("the command was not found on the base (exit 127): %s; check --%s and PATH", lastLine(out.report.OutputTail), e.Plan.Target().Name)
	}
	return fmt.Sprintf("the base fails with class %s (exit %d), which does not show a failing test; if that is the bug, declare it with --red-class %s", class, out.evidence.ExitCode, class)
}

// redEnd stops the run at the red gate, with the output that says why.
func (e *Engine) redEnd(out *stepOutcome, verdict string, outcome Outcome, reason string) (ending, bool, error) {
	if err := e.writeFeedback(failure{phase: feedback.PhaseRedGate, step: out, passed: out.passed()}); err != nil {
		return ending{}, false, err
	}
	return ending{outcome: outcome, reason: reason}, true, e.emit(RedGate{Verdict: verdict, Reason: reason})
}

// lastLine is the last line of a tail, which is where a shell says what it did
// not find.
func lastLine(tail string) string {
	lines := strings.Split(strings.TrimSpace(tail), "\n")
	return lines[len(lines)-1]
}
