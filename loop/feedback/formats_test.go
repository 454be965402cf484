package feedback

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOtherForms reads forms of other versions, which the tools of the golden
// logs no longer print, and forms that take much to provoke. They are written
// from the tools' sources and manuals.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	tree := NewTree([]string{"src/lib.rs", "com/x/Y.java", "src/x.c", "test_calc.py", "calc.py", "a.go", "lib/a.js", "x.bats"})
	dash, equals := strings.Repeat("-", 70), strings.Repeat("=", 70)
	for _, c := range []struct {
		name             string
		log              string
		runner           string
		loci, tests, cmp []string
	}{
		{
			"rustc before 1.73", "thread 'tests::a' panicked at 'index out of bounds', src/lib.rs:2:5\n",
			"rustc",
			[]string{"src/lib.rs:2"},
			nil,
			[]string{"index out of bounds"},
		},
		{
			"java with a class loader", "java.lang.IllegalStateException: no\n\tat app//com.x.Y.m(Y.java:7)\n\tat java.base/java.util.A.b(A.java:1)\n\tat com.x.Y.n(Native Method)\n",
			"java",
			[]string{"com/x/Y.java:7"},
			nil,
			[]string{"java.lang.IllegalStateException: no"},
		},
		{
			"undefined behaviour sanitizer", "src/x.c:3:9: runtime error: signed integer overflow\n",
			"cc",
			[]string{"src/x.c:3"},
			nil,
			[]string{"runtime error: signed integer overflow"},
		},
		{
			"unittest before Python 3.11", equals + "\nFAIL: test_a (test_calc.T)\nA docstring.\n" + dash + "\nTraceback (most recent call last):\n  File \"/room/test_calc.py\", line 4, in test_a\n    x\nAssertionError: 1 != 2\n\n" + dash + "\nRan 1 test in 0.0s\n\nFAILED (failures=1)\n",
			"unittest",
			[]string{"test_calc.py:4"},
			[]string{"test_calc.T.test_a"},
			[]string{"AssertionError: 1 != 2"},
		},
		{
			"prove that passes", "t/a.t .. ok\nAll tests successful.\nFiles=1, Tests=4,  0 wallclock secs\nResult: PASS\n",
			"tap", nil, nil, nil,
		},
		{
			"fatal error of the Go runtime", "fatal error: concurrent map writes\n\ngoroutine 7 [running]:\nm.f()\n\t/room/a.go:3 +0x1\n\ngoroutine 1 [select]:\nm.g()\n\t/room/a.go:9 +0x1\n",
			"go",
			[]string{"a.go:3", "a.go:9"},
			nil,
			[]string{"fatal error: concurrent map writes"},
		},
		{
			"Node's error with an alias and a promise", "TypeError: no\n    at async Promise.all (index 0)\n    at Object.f [as g] (/room/lib/a.js:3:4)\n    at new A (/room/lib/a.js:9:4)\n\nNode.js v20.0.0\n",
			"node",
			[]string{"lib/a.js:3", "lib/a.js:9"},
			nil,
			[]string{"TypeError: no"},
		},
		{
			"go that refuses", "go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
			"go test", nil, nil, nil,
		},
	} {
		rep := localize(t, c.log, Options{Tree: tree, Root: "/room"})
		if diff := cmp.Diff([]any{c.runner, c.loci, c.tests, c.cmp}, []any{rep.Runner, rep.Loci, rep.TestName, rep.Assertion}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestRanksOfLoci: the innermost frame comes before the assertion, that before
// a compile error, that before outer frames, those before a mention.
func TestRanksOfLoci(t *testing.T) {
	t.Parallel()
	tree := NewTree([]string{"a.go", "b_test.go", "c.go", "m.go", "calc.py", "app.py"})
	log := "listening, see m.go:1\n# example.com/p\n./c.go:2:1: undefined: X\nFAIL\texample.com/p [build failed]\n" +
		"--- FAIL: TestB (0.00s)\n    b_test.go:3: no\nFAIL\nFAIL\texample.com/q\t0.1s\n" +
		"Traceback (most recent call last):\n  File \"/room/app.py\", line 9, in <module>\n    f()\n  File \"/room/calc.py\", line 4, in f\n    x\nValueError: no\n" +
		"see m.go:1 again, and calc.py:4\n"
	rep := localize(t, log, Options{Tree: tree, Root: "/room"})
	want := []string{"calc.py:4", "b_test.go:3", "c.go:2", "app.py:9", "m.go:1"}
	if diff := cmp.Diff(want, rep.Loci); diff != "" {
		t.Error(diff)
	}
}

// TestNamesOfRunners: the runner that reported a failure names the log.
func TestNamesOfRunners(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"ok  \tp\t0.1s\n2 passed in 0.1s\n":                   "go test",
		"ok  \tp\t0.1s\n1 failed in 0.1s\n":                   "pytest",
		"src/x.c:3:9: error: no\nok  \tp\t0.1s\n":             "go test",
		"1..1\nnot ok 1 a\n# (in test file x.bats, line 5)\n": "bats",
		"1..1\nnot ok 1 a\n":                                  "tap",
		"nothing known\n":                                     "",
	} {
		if rep := localize(t, log, Options{}); rep.Runner != want {
			t.Errorf("%q: %q, want %q", log, rep.Runner, want)
		}
	}
}
