package loop

import (
	"context"
	"fmt"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// iterate is the sequential shape of a run: judge the base, then call the hook
// and judge what it left until something is accepted or a bound is reached.
func (e *Engine) iterate(ctx context.Context) (ending, error) {
	if e.Plan.RequireRed {
		end, stop, err := e.redGate(ctx)
		if err != nil || stop {
			return end, err
		}
	}
	end, stop, err := e.attemptBase(ctx)
	if err != nil || stop {
		return end, err
	}
	for attempt := 2; ; attempt++ {
		end, stop, err := e.attemptHook(ctx, attempt)
		if err != nil || stop {
			return end, err
		}
	}
}

// attemptBase is attempt 1: the base itself.
func (e *Engine) attemptBase(ctx context.Context) (ending, bool, error) {
	base := e.Store.Base().Tree
	v, err := e.judgeTree(ctx, 1, base)
	if err != nil {
		return ending{}, false, err
	}
	e.run.seen[base] = v
	if v.class == isolation.ClassInfra {
		return ending{outcome: Infra, reason: v.reason}, true, e.record(1, base, v)
	}
	if v.phase == "regression" && !v.passed && !e.Plan.RunOnRedRegression && e.Plan.Target().Name != "regression" {
		end := ending{
			outcome: Inconclusive, rule: RuleRedRegression,
			reason: "the regression command is red on the base, and exit codes cannot tell old failures from new ones: narrow --regression to tests that pass on the base",
		}
		return end, true, e.record(1, base, v)
	}
	if v.inconclusive {
		// What the base's own run cannot show, no candidate's run can.
		return ending{outcome: Inconclusive, reason: v.reason}, true, e.record(1, base, v)
	}
	if v.passed {
		return e.acceptOrReject(ctx, 1, base, v)
	}
	if err := e.record(1, base, v); err != nil {
		return ending{}, false, err
	}
	if end, stop := e.bounds(1, v); stop {
		return end, true, nil
	}
	if e.Plan.FixHook == "" {
		return ending{outcome: NoFixHook, reason: "no --fix-hook was given: the base was judged and nothing else"}, true, nil
	}
	return ending{}, false, nil
}

// attemptHook calls the hook and judges the tree that it leaves as the given attempt.
func (e *Engine) attemptHook(ctx context.Context, attempt int) (ending, bool, error) {
	left, err := e.callHookCounted(ctx, attempt)
	if err != nil {
		return ending{}, false, err
	}
	switch left.result {
	case hookAbstained:
		return ending{outcome: Abstained, tree: e.run.bestTree, reason: "the fix hook exited 75: it says that no honest fix exists"}, true, nil
	case hookInfra:
		return ending{outcome: Infra, rule: RuleHookInfra, tree: e.run.bestTree, reason: fmt.Sprintf("the fix hook could not be run, or said so (exit 69), %d times in a row: see evidence/%s/output.log", hookInfraTries, left.job)}, true, nil
	}
	v, err := e.judgeLeft(ctx, attempt, left)
	if err != nil {
		return ending{}, false, err
	}
	if v.ends != "" {
		return ending{outcome: v.ends, rule: v.endRule, tree: e.run.bestTree, reason: v.reason}, true, e.record(attempt, v.tree, v)
	}
	if v.passed {
		return e.acceptOrReject(ctx, attempt, v.tree, v)
	}
	if err := e.record(attempt, v.tree, v); err != nil {
		return ending{}, false, err
	}
	return e.afterFailure(attempt, v)
}

// afterFailure applies the stop rules and the cap to an attempt that failed.
func (e *Engine) afterFailure(attempt int, v verdict) (ending, bool, error) {
	rule, detail := e.stopRule(v)
	if rule != "" {
		if err := e.emit(Marked{Attempt: attempt, Rule: rule, Detail: detail}); err != nil {
			return ending{}, false, err
		}
		if e.run.mark == "" {
			e.run.mark = rule
		}
	}
	if end, stop := e.bounds(attempt, v); stop {
		return end, true, nil
	}
	if rule == "" || e.Plan.MarkOnly {
		return ending{}, false, nil
	}
	return ending{outcome: ruleOutcome(rule), rule: rule, tree: e.run.bestTree, reason: detail}, true, nil
}

// bounds ends a run that has no attempt left. The last verdict's own word is
// the outcome where it has one.
func (e *Engine) bounds(attempt int, v verdict) (ending, bool) {
	if attempt < e.Plan.MaxAttempts {
		return ending{}, false
	}
	end := ending{outcome: Capped, tree: e.run.bestTree, reason: fmt.Sprintf("no candidate was accepted within %d attempts", e.Plan.MaxAttempts)}
	switch {
	case v.flaky:
		end.outcome, end.reason = Flaky, v.reason
	case v.inconclusive:
		end.outcome, end.reason = Inconclusive, v.reason
	case v.rejected == rejectedJudge:
		end.outcome, end.reason = JudgeRejected, v.reason
	case v.rejected == rejectedTamper && !e.Plan.MarkOnly:
		end.outcome, end.reason = TestTamper, v.reason
	}
	return end, true
}

// record writes an attempt's row to the journal, and what a hook may be told
// about it to the run folder.
func (e *Engine) record(attempt int, tree string, v verdict) error {
	f := v.failure
	if v.passed {
		f = failure{phase: feedback.Phase(v.phase), passed: true}
	} else if f.phase == "" && e.run.last != nil {
		// The hook itself failed and the oracle was not asked: its last answer stands.
		f = *e.run.last
	}
	f.attempt = attempt
	if !v.passed {
		e.run.last = &f
	}
	if err := e.writeFeedback(f); err != nil {
		return err
	}
	return e.emit(Judged{
		Attempt: Attempt{
			Attempt: attempt, Passed: v.passed, ExitCode: v.exitCode, DurationS: v.durationS,
			Phase: v.phase, Flaky: v.flaky, PassKRuns: append([]PassRun{}, v.runs...),
			Rejected: v.rejected, Tree: tree, Class: v.class,
		},
		Judge: v.judge, Holdout: v.holdout,
	})
}
