package reports

import (
	"fmt"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// EvidenceError says that a journal calls a run passed and does not hold the
// evidence for it. No ledger, report or exit code may say passed then.
type EvidenceError struct{ Missing string }

func (e *EvidenceError) Error() string {
	return "the journal says passed, but " + e.Missing
}

// checkPassed verifies that a run that ended as passed did pass: the tree that
// is handed over was judged last, k times in a row green by every command of
// the oracle, and every gate that the plan names approved it.
func checkPassed(a *account) error {
	if a.finish.Final != loop.Passed {
		return nil
	}
	last := a.lastJudged()
	for _, missing := range []string{
		missingVerdict(last.Attempt, a.start.Plan.K),
		missingTree(a, last.Attempt.Tree),
		missingRuns(a, last.Attempt),
		missingGates(a, last),
	} {
		if missing != "" {
			return &EvidenceError{Missing: missing}
		}
	}
	return nil
}

func missingVerdict(at loop.Attempt, k int) string {
	switch {
	case at.Attempt == 0:
		return "no attempt was judged"
	case !at.Passed || at.Flaky || at.Rejected != "" || at.ExitCode != 0 || at.Class != isolation.ClassPass:
		return fmt.Sprintf("attempt %d, the last, was not accepted", at.Attempt)
	case len(at.PassKRuns) < k:
		return fmt.Sprintf("attempt %d has %d of %d runs", at.Attempt, len(at.PassKRuns), k)
	}
	for _, r := range at.PassKRuns {
		if !r.Passed || r.ExitCode != 0 {
			return fmt.Sprintf("run %d of attempt %d is not green", r.Run, at.Attempt)
		}
	}
	return ""
}

// missingTree compares the judged tree with the one that is handed over. A run
// that hands over nothing accepted the base.
func missingTree(a *account, judged string) string {
	handed := a.finish.Tree
	if handed == "" {
		handed = a.start.Base.Tree
	}
	switch {
	case judged == "" || judged != handed:
		return fmt.Sprintf("tree %q was judged and tree %q is handed over", judged, handed)
	case judged != a.start.Base.Tree && !a.finish.HasDiff:
		return "there is no diff of the accepted tree"
	}
	return ""
}

func missingRuns(a *account, at loop.Attempt) string {
	k := a.start.Plan.K
	for _, phase := range oraclePhases(a.start.Plan) {
		greens := 0
		for _, s := range a.steps {
			if s.Attempt != at.Attempt || s.Phase != phase || s.Role != isolation.RoleVerify {
				continue
			}
			if s.Tree != at.Tree || s.Evidence.Class != isolation.ClassPass || s.Evidence.ExitCode != 0 {
				return fmt.Sprintf("%s (%s) is not a green of tree %s", s.Job, s.Evidence.Class, at.Tree)
			}
			greens++
		}
		if greens < k {
			return fmt.Sprintf("%s was green in %d of %d runs of attempt %d", phase, greens, k, at.Attempt)
		}
	}
	return ""
}

func missingGates(a *account, last loop.Judged) string {
	plan := a.start.Plan
	switch {
	case plan.RequireRed && a.red.Verdict != verdictVerifiedRed:
		return fmt.Sprintf("the red gate says %q", a.red.Verdict)
	case plan.Holdout && last.Holdout != verdictPassed:
		return fmt.Sprintf("the holdout's verdict is %q", last.Holdout)
	case plan.JudgeHook != "" && last.Judge != verdictApproved:
		return fmt.Sprintf("the judge's verdict is %q", last.Judge)
	}
	return ""
}
