package reports

import (
	"fmt"
	"slices"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// Gate is what one gate said of the attempt that decided.
type Gate struct {
	Name   string
	Result string // "not run", or a verdict
}

const notRun = "not run"

// gatesOf returns a row for every gate, in the order in which they stand. A
// gate is called passed only where an event shows it; all else is "not run".
func gatesOf(a *account) []Gate {
	plan, last := a.start.Plan, a.lastJudged()
	refused := refusedBy(a, last.Attempt.Attempt)
	return []Gate{
		{"red", redResult(a)},
		{"protect", changeGate(a, last, refused, gateProtect, gateTamper)},
		{"shape", changeGate(a, last, refused, gateShape)},
		{"lint", given(plan.LintHook != "", stepResult(a, last, phaseLint))},
		{"regression", given(plan.Regression != "", stepResult(a, last, phaseRegression))},
		{"reproduction", given(plan.Reproduction != "", stepResult(a, last, phaseReproduction))},
		{"tests", given(plan.Tests != "", stepResult(a, last, phaseTests))},
		{"pass^k", passKResult(last.Attempt, plan.K)},
		{"control", notRun + " (none)"},
		{"holdout", given(plan.Holdout, orNotRun(last.Holdout))},
		{"judge", given(plan.JudgeHook != "", orNotRun(last.Judge))},
	}
}

// given tells a gate that nobody asked for from one that was not reached.
func given(asked bool, result string) string {
	if !asked {
		return notRun + " (not given)"
	}
	return result
}

func orNotRun(verdict string) string {
	if verdict == "" {
		return notRun
	}
	return verdict
}

func redResult(a *account) string {
	return given(a.start.Plan.RequireRed, orNotRun(a.red.Verdict))
}

// refusedBy returns the gate that refused paths of an attempt, or "".
func refusedBy(a *account, attempt int) string {
	for _, r := range a.rejected {
		if r.Attempt == attempt {
			return r.Gate
		}
	}
	return ""
}

// changeGate is the result of a gate that looks at what a hook changed. It let
// an attempt through where a command of the oracle or the lint hook ran after it.
func changeGate(a *account, last loop.Judged, refused string, gates ...string) string {
	n := last.Attempt.Attempt
	switch {
	case slices.Contains(gates, refused):
		return "rejected"
	case refused == gateShape:
		return "passed" // the shape of a tree is looked at after its protected paths
	case refused != "":
		return notRun
	case n <= 1:
		return notRun + " (the base was judged)"
	}
	for _, s := range a.started {
		if s.Attempt == n && (s.Role == isolation.RoleLint || s.Role == isolation.RoleVerify) {
			return "passed"
		}
	}
	return notRun
}

// stepResult folds the runs of one command in an attempt into a word. The
// base's attempt may rest on the red gate's evidence alone.
func stepResult(a *account, last loop.Judged, phase string) string {
	runs := 0
	for _, s := range a.steps {
		if s.Attempt != last.Attempt.Attempt || s.Phase != phase || s.Attempt == 0 {
			continue
		}
		if s.Evidence.Class != isolation.ClassPass {
			return failedWith(s.Evidence.Class, s.Evidence.ExitCode)
		}
		runs++
	}
	at := last.Attempt
	switch {
	case at.Phase == phase && !at.Passed && at.Class == isolation.ClassPass:
		return "inconclusive"
	case at.Phase == phase && !at.Passed:
		return failedWith(at.Class, at.ExitCode)
	case runs > 0:
		return "passed"
	}
	return notRun
}

func failedWith(class isolation.Class, exitCode int) string {
	return fmt.Sprintf("failed (%s, exit %d)", class, exitCode)
}

func passKResult(at loop.Attempt, k int) string {
	n := greens(at)
	switch {
	case at.Flaky:
		return fmt.Sprintf("flaky (%d of %d green)", n, k)
	case n == 0:
		return notRun
	case n < k:
		return fmt.Sprintf("failed (%d of %d green)", n, k)
	}
	return fmt.Sprintf("passed (%d of %d green)", n, k)
}

// greens counts the green runs of an attempt.
func greens(at loop.Attempt) int {
	n := 0
	for _, r := range at.PassKRuns {
		if r.Passed {
			n++
		}
	}
	return n
}
