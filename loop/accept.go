package loop

import (
	"context"
	"fmt"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// acceptOrReject takes a tree that the visible oracle accepted to the sealed
// holdout and the judge, writes the attempt's row and says how the run goes on.
func (e *Engine) acceptOrReject(ctx context.Context, attempt int, tree string, v verdict) (ending, bool, error) {
	if e.Plan.Holdout != "" {
		end, stop, err := e.holdout(ctx, attempt, tree, &v)
		if err != nil {
			return ending{}, false, err
		}
		if stop {
			return end, true, e.record(attempt, tree, v)
		}
	}
	if e.Plan.JudgeHook != "" {
		if err := e.askJudge(ctx, attempt, tree, &v); err != nil {
			return ending{}, false, err
		}
	}
	if err := e.record(attempt, tree, v); err != nil {
		return ending{}, false, err
	}
	switch {
	case v.passed:
		return ending{outcome: Passed, tree: tree, reason: e.acceptedReason(tree)}, true, nil
	case e.Plan.VetoEnds && v.rejected == rejectedJudge:
		return ending{outcome: JudgeRejected, tree: e.run.bestTree, reason: v.reason}, true, nil
	case attempt == 1:
		end, stop := e.bounds(attempt, v)
		return end, stop, nil
	}
	return e.afterFailure(attempt, v)
}

func (e *Engine) acceptedReason(tree string) string {
	if tree == e.Store.Base().Tree {
		return "the oracle is green on the base: there was nothing to fix"
	}
	return ""
}

// holdout runs the sealed command once in a fresh clean room. Its result
// reaches nobody but the verdict.
func (e *Engine) holdout(ctx context.Context, attempt int, tree string, v *verdict) (ending, bool, error) {
	p, err := e.newPlace(ctx, "clean", tree)
	if err != nil {
		return ending{}, false, err
	}
	defer p.close()
	e.run.holdoutRuns++
	out, err := e.runStep(ctx, stepSpec{attempt: attempt, role: isolation.RoleHoldout, phase: string(feedback.PhaseHoldout), run: 1, tree: tree, command: e.Plan.Holdout, place: p, sealed: true})
	if err != nil {
		return ending{}, false, err
	}
	if out.passed() {
		v.holdout = "passed"
		return ending{}, false, nil
	}
	v.passed, v.phase, v.class, v.exitCode = false, string(feedback.PhaseHoldout), out.evidence.Class, out.evidence.ExitCode
	// The run ends here; still, what the holdout said is for the evidence alone.
	v.failure = failure{phase: feedback.PhaseHoldout, message: "the sealed holdout did not pass"}
	switch class := out.evidence.Class; {
	case out.doubtful(), class == isolation.ClassInfra, class == isolation.ClassNotFound, class == isolation.ClassError:
		v.holdout, v.rejected = "inconclusive", rejectedInconclusive
		v.reason = fmt.Sprintf("the holdout proved nothing: it ended with %s (exit %d)", class, out.evidence.ExitCode)
		return ending{outcome: Inconclusive, tree: e.run.bestTree, reason: v.reason}, true, nil
	}
	v.holdout, v.rejected = "failed", rejectedHoldout
	v.reason = "the visible tests pass and the sealed holdout fails"
	return ending{outcome: RewardHacked, tree: e.run.bestTree, reason: v.reason}, true, nil
}

// askJudge runs the judge on the candidate's diff. Exit 0 approves; any other
// plain exit is a veto; a judge that could not be run decides nothing.
func (e *Engine) askJudge(ctx context.Context, attempt int, tree string, v *verdict) error {
	p, err := e.newPlace(ctx, "judge", tree)
	if err != nil {
		return err
	}
	defer p.close()
	diff, err := e.Store.Diff(ctx, tree)
	if err != nil {
		return fmt.Errorf("diff for the judge: %w", err)
	}
	in, err := e.fillExchange(p, failure{attempt: attempt, phase: feedback.Phase(v.phase), passed: true})
	if err != nil {
		return err
	}
	diffPath, err := in.add("candidate.diff", diff)
	if err != nil {
		return err
	}
	out, err := e.runStep(ctx, stepSpec{
		attempt: attempt, role: isolation.RoleJudge, phase: string(feedback.PhaseJudge), run: 1, tree: tree, command: e.Plan.JudgeHook, place: in.mount(p),
		told: bothPrefixes([]string{"DIFF=" + diffPath, "FEEDBACK=" + in.feedback, "BASE=" + e.Store.Base().Commit, "OUT=" + in.out}),
	})
	if err != nil {
		return err
	}
	switch class := out.evidence.Class; class {
	case isolation.ClassPass:
		v.judge = "approved"
		return nil
	case isolation.ClassInfra, isolation.ClassNotFound, isolation.ClassError:
		v.judge, v.rejected, v.inconclusive = "inconclusive", rejectedInconclusive, true
		v.reason = fmt.Sprintf("the judge could not be run: it ended with %s (exit %d)", class, out.evidence.ExitCode)
	default:
		v.judge, v.rejected = "rejected", rejectedJudge
		v.reason = fmt.Sprintf("the judge rejected the candidate (exit %d)", out.evidence.ExitCode)
	}
	v.passed, v.phase, v.class, v.exitCode = false, string(feedback.PhaseJudge), out.evidence.Class, out.evidence.ExitCode
	// Its text stays with the evidence: a hook that reads a judge learns to please it.
	v.failure = failure{phase: feedback.PhaseJudge, message: "the judge rejected the candidate", digest: "judge"}
	return nil
}
