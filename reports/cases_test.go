package reports

import (
	"strings"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// goldenCase is one imagined run with the bytes that come with it.
type goldenCase struct {
	name   string
	script *script
	diff   string
	output string
}

const smallDiff = `diff --git a/calc.go b/calc.go
index 1111111..2222222 100644
--- a/calc.go
+++ b/calc.go
@@ -1,3 +1,3 @@
 package calc
-func Add(a, b int) int { return a - b }
+func Add(a, b int) int { return a + b }
`

func goldenCases() []goldenCase {
	return []goldenCase{
		{"passed", passedScript(), smallDiff, ""},
		{"passed-every-gate", everyGateScript(), smallDiff + "+\u202ehidden\x1b[31m ``` fence\n", ""},
		{"passed-base", passedBaseScript(), "", ""},
		{"capped", cappedScript(), smallDiff, "--- FAIL: TestAdd\n    calc_test.go:7: got 1, want 3\nFAIL\n"},
		{"test-tamper", tamperScript(), "", ""},
		{"vacuous", vacuousScript(), "", ""},
		{"reward-hacked", rewardHackedScript(), smallDiff, "--- FAIL: TestAdd\n"},
		{"flaky", flakyScript(), smallDiff, "FAIL\n"},
		{"cancelled", cancelledScript(), "", "FAIL\n"},
		{"hostile-text", hostileScript(), "", hostileOutput},
	}
}

// passedScript is the run that a newcomer sees: tests only, one fix.
func passedScript() *script {
	s := newScript(func(st *loop.RunStarted) {
		st.Base.Snapshot = true
		st.Base.Warnings = []string{"submodule vendor/lib is left alone"}
		st.Plan.Protect = []string{"**/*_test.go", "testdata/**"}
	})
	s.fails(1, baseTree, "tests")
	s.hook(2, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc.go", Kind: "modified"}}})
	return s.green(2, tree2, "tests").accepted(2, tree2, "tests", nil).end(loop.Passed, tree2, nil)
}

func everyGateScript() *script {
	s := newScript(func(st *loop.RunStarted) {
		st.OutDir = "my runs/it's 1"
		st.Isolation = loop.IsolationInfo{Via: "docker run --rm img", Tier: isolation.TierContainer, Proved: true}
		st.Plan = loop.PlanInfo{
			Regression: "make check", Reproduction: "go test -run TestAdd .", FixHook: "agent", LintHook: "go vet ./...", JudgeHook: "judge",
			Holdout: true, RequireRed: true, K: 2, MaxAttempts: 4, RestartFrom: "last", TimeoutS: 600, MaxOutput: 1 << 30,
		}
	})
	s.red()
	s.green(1, baseTree, "regression")
	s.judged(1, baseTree, func(j *loop.Judged) {
		j.Attempt.Phase, j.Attempt.PassKRuns = "reproduction", []loop.PassRun{{Run: 1, ExitCode: 1}}
	})
	s.hook(2, loop.Frozen{Tree: tree2})
	s.step(isolation.RoleLint, "lint", 2, 1, tree2, isolation.ClassTestFail, 2)
	s.judged(2, tree2, func(j *loop.Judged) { j.Attempt.Phase, j.Attempt.Rejected, j.Attempt.ExitCode = "lint", "lint", 2 })
	s.hook(3, loop.Frozen{
		Tree: tree3,
		Changes: []loop.TreeChange{
			{Path: "calc.go", Kind: "modified"},
			{Path: "a|b `c`.go", Kind: "added"},
			{Path: loop.QuotePath("w\xe4\n"), Kind: "mode"},
		},
		Debris:     []string{"__pycache__/x.pyc", ".coverage"},
		Suspicious: []loop.PathReason{{Path: ".gitignore", Rule: "ignore", Reason: "new ignore rules hide files from a reviewer"}},
	})
	s.step(isolation.RoleLint, "lint", 3, 1, tree3, isolation.ClassPass, 0)
	s.green(3, tree3, "regression", "reproduction")
	s.step(isolation.RoleHoldout, "holdout", 3, 1, tree3, isolation.ClassPass, 0)
	s.step(isolation.RoleJudge, "judge", 3, 1, tree3, isolation.ClassPass, 0)
	s.accepted(3, tree3, "reproduction", func(j *loop.Judged) { j.Judge, j.Holdout = "approved", "passed" })
	return s.end(loop.Passed, tree3, func(f *loop.RunFinished) { f.HoldoutRuns = 1 })
}

func passedBaseScript() *script {
	s := newScript(nil)
	return s.green(1, baseTree, "tests").accepted(1, baseTree, "tests", nil).end(loop.Passed, baseTree, func(f *loop.RunFinished) {
		f.Reason = "the oracle is green on the base: there was nothing to fix"
	})
}

func cappedScript() *script {
	s := newScript(nil)
	s.fails(1, baseTree, "tests")
	s.hook(2, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc.go", Kind: "modified"}}}).fails(2, tree2, "tests")
	s.hook(3, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc.go", Kind: "modified"}}}).fails(3, tree2, "tests")
	s.add(loop.Marked{Attempt: 3, Rule: loop.RuleRepeatedTree, Detail: "the hook left a tree that was judged before"})
	return s.end(loop.Capped, tree2, func(f *loop.RunFinished) {
		f.StopReason, f.Reason = loop.RuleRepeatedTree, "no candidate was accepted within 3 attempts"
	})
}

func tamperScript() *script {
	s := newScript(nil)
	s.fails(1, baseTree, "tests")
	paths := []loop.PathReason{{Path: "calc_test.go", Rule: "test-file", Reason: "is a test of the base"}, {Path: "conftest.py", Rule: "runner-config", Reason: "configures the runner"}}
	for n := 2; n <= 3; n++ {
		s.hook(n, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc_test.go", Kind: "modified"}}})
		s.add(loop.Rejected{Attempt: n, Gate: "test-tamper", Paths: paths})
		s.judged(n, tree2, func(j *loop.Judged) {
			j.Attempt.Phase, j.Attempt.Rejected, j.Attempt.Class = "test-tamper", "test-tamper", isolation.ClassError
		})
	}
	return s.end(loop.TestTamper, "", func(f *loop.RunFinished) {
		f.StopReason, f.Reason = loop.RuleSecondTamper, "the hook changed what judges it: calc_test.go, conftest.py"
	})
}

func vacuousScript() *script {
	s := newScript(func(st *loop.RunStarted) { st.Plan.RequireRed = true })
	for run := 1; run <= 2; run++ {
		s.step(isolation.RoleVerify, "red-gate", 0, run, baseTree, isolation.ClassPass, 0)
	}
	return s.add(loop.RedGate{Verdict: "vacuous", Reason: "tests passes on the base"}).end(loop.VacuousReproduction, "", nil)
}

func rewardHackedScript() *script {
	s := newScript(func(st *loop.RunStarted) { st.Plan.Holdout = true })
	s.fails(1, baseTree, "tests")
	s.hook(2, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc.go", Kind: "modified"}}})
	s.green(2, tree2, "tests")
	s.step(isolation.RoleHoldout, "holdout", 2, 1, tree2, isolation.ClassTestFail, 1)
	s.accepted(2, tree2, "holdout", func(j *loop.Judged) {
		j.Attempt.Passed, j.Attempt.ExitCode, j.Attempt.Class = false, 1, isolation.ClassTestFail
		j.Attempt.Rejected, j.Holdout = "reward-hacked", "failed"
	})
	return s.end(loop.RewardHacked, tree2, func(f *loop.RunFinished) {
		f.HoldoutRuns, f.Reason = 1, "the visible tests pass and the sealed holdout fails"
	})
}

func flakyScript() *script {
	s := newScript(func(st *loop.RunStarted) { st.Plan.MaxAttempts = 2 })
	s.fails(1, baseTree, "tests")
	s.hook(2, loop.Frozen{Tree: tree2, Changes: []loop.TreeChange{{Path: "calc.go", Kind: "modified"}}})
	s.step(isolation.RoleVerify, "tests", 2, 1, tree2, isolation.ClassPass, 0)
	s.step(isolation.RoleVerify, "tests", 2, 2, tree2, isolation.ClassTestFail, 1)
	s.judged(2, tree2, func(j *loop.Judged) {
		j.Attempt.Flaky, j.Attempt.PassKRuns = true, []loop.PassRun{{Run: 1, Passed: true}, {Run: 2, ExitCode: 1}}
	})
	return s.end(loop.Flaky, tree2, nil)
}

func cancelledScript() *script {
	s := newScript(nil)
	s.fails(1, baseTree, "tests")
	s.add(loop.StepStarted{Job: "002-hook", Attempt: 1, Role: isolation.RoleHook, Phase: "hook", Run: 1, Tree: baseTree})
	return s.end(loop.Cancelled, "", func(f *loop.RunFinished) { f.Reason = "cancelled before a verdict" })
}

var hostileOutput = "plain\r\n\x1b[31mred\x1b[0m \x1b]0;title\x07ok\n\xff\xfe bad bytes\x00\x08\n````\n# no heading\n" + strings.Repeat("x", 10) + "\u202e\n"

// hostileScript has text in every free field that tries to leave its place.
func hostileScript() *script {
	const evil = "a`b``c|d\n---\noutcome: \"passed\"\n# <img src=x> [x](y) \x1b[2J\u202e"
	s := newScript(func(st *loop.RunStarted) {
		st.RunID, st.OutDir = "r\"1", "out\ndir"
		st.Base.Warnings, st.Base.LeftOut = []string{evil}, []string{evil}
		st.Isolation.Via = evil
		st.Plan.Tests, st.Plan.FixHook, st.Plan.Protect = evil, evil, []string{evil}
	})
	s.fails(1, baseTree, "tests")
	s.hook(2, loop.Frozen{Tree: tree2, Debris: []string{evil}, Suspicious: []loop.PathReason{{Path: evil, Rule: evil, Reason: evil}}})
	s.add(loop.Rejected{Attempt: 2, Gate: "shape", Paths: []loop.PathReason{{Path: evil, Rule: evil, Reason: evil}}})
	s.judged(2, tree2, func(j *loop.Judged) { j.Attempt.Phase, j.Attempt.Rejected = "shape", "shape" })
	return s.end(loop.Infra, "", func(f *loop.RunFinished) { f.Reason = evil })
}
