package feedback

import (
	"testing"

	"github.com/patchvet/patchvet/isolation"
)

// TestClassifyTouchesOnlyTestFail: no log can change any other class.
func TestClassifyTouchesOnlyTestFail(t *testing.T) {
	t.Parallel()
	worst := Report{BuildFailure: true, NoTests: true, Contradiction: true, Runner: "pytest"}
	for _, c := range []isolation.Class{
		isolation.ClassPass, isolation.ClassError, isolation.ClassBuildFail, isolation.ClassNotFound, isolation.ClassSignal,
		isolation.ClassTimeout, isolation.ClassKilledOutput, isolation.ClassInfra,
	} {
		if got := Classify(c, 5, worst); got != c {
			t.Errorf("%s became %s", c, got)
		}
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	const pytestNone = "============================ no tests ran in 0.00s =============================\n"
	goNone := "?   \texample.com/a\t[no test files]\n"
	for _, c := range []struct {
		name string
		log  string
		exit int
		want isolation.Class
	}{
		{"plain failure", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tp\t0.1s\n", 1, isolation.ClassTestFail},
		{"build failure", "# p\nx.go:1:1: undefined: x\nFAIL\tp [build failed]\nFAIL\n", 1, isolation.ClassBuildFail},
		{"another package passed", "ok  \tq\t0.1s\n# p\nx.go:1:1: undefined: x\nFAIL\tp [build failed]\nFAIL\n", 1, isolation.ClassBuildFail},
		{"another package failed", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tq\t0.1s\n# p\nx.go:1:1: undefined: x\nFAIL\tp [build failed]\nFAIL\n", 1, isolation.ClassTestFail},
		{"words of a failing test", "--- FAIL: TestX (0.00s)\n    x_test.go:1: FAIL\tp [build failed]\nFAIL\nFAIL\tq\t0.1s\n", 1, isolation.ClassTestFail},
		{"pytest found nothing", pytestNone, 5, isolation.ClassBuildFail},
		{"pytest found nothing, another command failed", pytestNone + "checks failed\n", 1, isolation.ClassTestFail},
		{"go found nothing, another command failed", goNone + "checks failed\n", 1, isolation.ClassTestFail},
		{"unknown runner", "compilation error\n", 1, isolation.ClassTestFail},
		{"a test that checks a compiler", "x.c:3:5: error: expected\nmake: *** [Makefile:2: test] Error 1\n", 2, isolation.ClassTestFail},
		{"a compiler's own recipe", "gcc -c x.c\nx.c:3:5: error: expected\nmake: *** [Makefile:2: test] Error 1\n", 2, isolation.ClassBuildFail},
		{"a compiler's recipe after tests failed", "not ok 1 - a\n1..1\ngcc -c x.c\nx.c:3:5: error: expected\nmake: *** [Makefile:2: x.o] Error 1\n", 2, isolation.ClassTestFail},
		{"a Python program that imports late", "Traceback (most recent call last):\n  File \"c.py\", line 9, in check\n    import x\nModuleNotFoundError: No module named 'x'\n", 1, isolation.ClassTestFail},
	} {
		rep := localize(t, c.log, Options{})
		if got := Classify(isolation.ClassTestFail, c.exit, rep); got != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got, c.want, rep)
		}
	}
}

// TestGreens checks what a green log says about itself.
func TestGreens(t *testing.T) {
	t.Parallel()
	dash := "----------------------------------------------------------------------\n"
	for _, c := range []struct {
		name                   string
		log                    string
		noTests, contradiction bool
	}{
		{"go", "ok  \tp\t0.1s\n", false, false},
		{"go cached", "ok  \tp\t(cached)\n", false, false},
		{"go, some packages without tests", "?   \tq\t[no test files]\nok  \tp\t0.1s\n", false, false},
		{"go, nothing anywhere", "?   \tq\t[no test files]\nok  \tp\t0.1s [no tests to run]\n", true, false},
		{"go, cached nothing", "ok  \tp\t(cached) [no tests to run]\n", true, false},
		{"go, exit code lost", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tp\t0.1s\nFAIL\n", false, true},
		{"go, result printed by a test", "=== RUN   TestX\n--- FAIL: TestY (0.00s)\n--- PASS: TestX (0.00s)\nPASS\nok  \tp\t0.1s\n", false, false},
		{"go, result without a package", "--- FAIL: TestX (0.00s)\n", false, false},
		{"go, a test left", "=== RUN   TestX\nok  \tp\t0.1s\n", false, true},
		{"go, a parallel test left", "=== RUN   TestX\n=== PAUSE TestX\n=== CONT  TestX\nok  \tp\t0.1s\n", false, true},
		{"go, failed in a package that is ok", "=== RUN   TestX\n--- FAIL: TestX (0.00s)\nFAIL\nok  \tp\t0.1s\n", false, true},
		{"go, text before the result", "=== RUN   TestX\nprinted--- PASS: TestX (0.00s)\nPASS\nok  \tp\t0.1s\n", false, false},
		{"go, crashed and another package is fine", "=== RUN   TestX\npanic: x\nFAIL\tp\t0.1s\n=== RUN   TestY\n--- PASS: TestY (0.00s)\nPASS\nok  \tq\t0.1s\n", false, true},
		{"go, crashed, same test name in the next package", "=== RUN   TestX\npanic: x\nFAIL\tp\t0.1s\n=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\nok  \tq\t0.1s\n", false, true},
		{"unittest", dash + "Ran 2 tests in 0.1s\n\nOK\n", false, false},
		{"unittest, none", dash + "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", true, false},
		{"unittest, all skipped", dash + "Ran 2 tests in 0.1s\n\nOK (skipped=2)\n", true, false},
		{"unittest, failed", dash + "Ran 2 tests in 0.1s\n\nFAILED (failures=1)\n", false, true},
		{"unittest, failed as text", "Ran 2 tests in 0.1s\n\nFAILED (failures=1)\n" + dash + "Ran 2 tests in 0.1s\n\nOK\n", false, false},
		{"unittest, verdict without the blank line", dash + "Ran 2 tests in 0.1s\nFAILED (failures=1)\n", false, true},
		{"unittest, unexpected success", dash + "Ran 1 test in 0.1s\n\nFAILED (unexpected successes=1)\n", false, true},
		{"pytest", "2 passed in 0.12s\n", false, false},
		{"pytest, old", "=========== 2 passed in 0.12 seconds ===========\n", false, false},
		{"pytest, long", "====== 2 passed, 1 warning in 61.20s (0:01:01) ======\n", false, false},
		{"pytest, none", "no tests ran in 0.00s\n", true, false},
		{"pytest, listed only", "3/5 tests collected (2 deselected) in 0.01s\n", true, false},
		{"pytest, failed", "1 failed, 2 passed in 0.12s\n", false, true},
		{"pytest, error", "2 passed, 1 error in 0.12s\n", false, true},
		{"pytest, as text", "1 failed, 2 passed in 0.12s of our time\n", false, false},
		{"pytest, words", "3 men failed in 9s\n", false, false},
		{"pytest, cut off", "===== test session starts =====\n", false, true},
		{"TAP", "1..2\nok 1 - a\nok 2 - b\n", false, false},
		{"TAP, plan last", "ok 1 - a\n1..1\n", false, false},
		{"TAP, failed", "1..2\nok 1 - a\nnot ok 2 - b\n", false, true},
		{"TAP, todo", "1..2\nok 1 - a\nnot ok 2 - b # TODO later\n", false, false},
		{"TAP, skip in small letters", "1..2\nok 1 - a\nnot ok 2 - b # skip later\n", false, false},
		{"TAP, hash in the name", "1..1\nnot ok 1 - b \\# TODO later\n", false, true},
		{"TAP, none", "1..0 # SKIP nothing\n", true, false},
		{"TAP, all skipped", "1..1\nok 1 - a # SKIP\n", true, false},
		{"TAP, cut off", "1..3\nok 1 - a\n", false, true},
		{"TAP, two streams", "1..1\nok 1 - a\n1..1\nnot ok 1 - b\n", false, true},
		{"TAP, no plan", "ok 1 - a\nnot ok 2 - b\n", false, false},
		{"TAP, a range in a sentence", "1..5 of them\n", false, false},
		{"TAP, nested failure", "1..1\n    not ok 1 - inner\nok 1 - outer\n", false, false},
		{"bats, pretty", " ✓ a\n\n1 test, 0 failures\n", false, false},
		{"bats, pretty, failed", " ✗ a\n\n1 test, 1 failure\n", false, true},
		{"words", "\n5 tests, 3 failures\n", false, false},
		{"prove", "Files=1, Tests=4, 0 wallclock secs\nResult: FAIL\n", false, true},
		{"prove as text", "Result: FAIL\n", false, false},
		{"node, partial summary", "TAP version 13\n# Subtest: a\nok 1 - a\n1..1\n# tests 1\n# fail 1\n", false, true},
		{"cargo", "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", false, false},
		{"two runners, one ran nothing", "?   \tq\t[no test files]\n2 passed in 0.12s\n", false, false},
		{"no runner", "all fine\n", false, false},
	} {
		rep := localize(t, c.log, Options{})
		if rep.NoTests != c.noTests || rep.Contradiction != c.contradiction {
			t.Errorf("%s: no tests %v, contradiction %v (%s)", c.name, rep.NoTests, rep.Contradiction, rep.Reason)
		}
		if (c.noTests || c.contradiction) && rep.Reason == "" {
			t.Errorf("%s: no reason", c.name)
		}
	}
}
