package reports

import "github.com/patchvet/patchvet/loop"

// outcomeText is what a reader is told of an outcome.
type outcomeText struct {
	meaning string // one sentence: why the run ended so
	next    string // one sentence: what to do now
}

// outcomeTexts has a row for every outcome but passed.
var outcomeTexts = map[loop.Outcome]outcomeText{
	loop.Capped: {
		"No attempt was accepted before the limit of attempts was reached.",
		"Read the last failure below; then give the hook a better task text (--spec), or more attempts (--max-attempts).",
	},
	loop.Flaky: {
		"The same command on the same tree was green once and red once, so neither result can be believed.",
		"Make the tests deterministic first: look for time, order, network and files that a run leaves behind.",
	},
	loop.ProtectedTestsMutated: {
		"The fix hook changed a path that --protect guards.",
		"Look at the refused paths: either the hook cheats, or the glob guards a file that the fix must touch.",
	},
	loop.TestTamper: {
		"What decides the verdict was changed: tests, fixtures, runner configuration or programs that the oracle runs.",
		"Look at the refused paths; if a fix must change tests, review that change by hand (--allow-test-edits).",
	},
	loop.VacuousReproduction: {
		"The target tests pass on the base, so they do not show the bug and no change can be judged by them.",
		"Write a test that fails for the bug, then run again.",
	},
	loop.WrongRed: {
		"The target tests fail on the base for a reason that proves nothing.",
		"Run the command by hand at the base; where such a failure is the bug, declare it with --red-class.",
	},
	loop.RewardHacked: {
		"The candidate passes the visible tests and fails the sealed holdout.",
		"Do not apply the candidate: read it as an attempt to please the visible tests.",
	},
	loop.JudgeRejected: {
		"The judge hook rejected the candidate.",
		"Read the judge's log in the evidence folder and decide by hand.",
	},
	loop.Inconclusive: {
		"What the commands left does not decide either way.",
		"Run the command of the last attempt by hand and see why its result cannot be believed.",
	},
	loop.EmptyCandidate: {
		"The fix hook left the tree as the base has it.",
		"Check that the hook edits files in its working directory, and read its log in the evidence folder.",
	},
	loop.Stuck: {
		"The run went in circles: the same tree or the same failure came again.",
		"Give the hook something new: a better task text (--spec), another hook, or a narrower test.",
	},
	loop.Budget: {
		"A budget of the run was spent before a candidate was accepted.",
		"See what it was spent on in results.tsv, then raise the budget or narrow the tests.",
	},
	loop.Abstained: {
		"The fix hook said that no honest fix exists (exit code 75).",
		"Read the hook's log in the evidence folder: the test or the task may be wrong.",
	},
	loop.NoFixHook: {
		"The base is not accepted and no fix hook was given, so nothing was tried.",
		"Give a --fix-hook, or fix the failure below by hand.",
	},
	loop.Infra: {
		"Something other than the candidate failed, so nothing can be said about it.",
		"Mend what the reason names, then run again.",
	},
	loop.Regression: {
		"Tests that guard against regressions fail on the candidate.",
		"Fix what the failing tests name, or show that they fail on the base too.",
	},
	loop.Refused: {
		"No adequate isolation was available, so nothing was run.",
		"Name a box with --via, or accept the risk with --allow-unsafe-host.",
	},
	loop.Cancelled: {
		"The run was cancelled before it came to a verdict.",
		"Run again; the best candidate so far is kept where one is named above.",
	},
}
