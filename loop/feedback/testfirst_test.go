package feedback

import (
	"strings"
	"testing"
)

func TestTestFirstBuildFailure(t *testing.T) {
	t.Parallel()
	tree := NewTree([]string{"x.go", "x_test.go", "sub/y_test.go", "test_calc.py", "calc.py", "a.test.js", "a.js"})
	failed := "FAIL\tp [build failed]\nFAIL\n"
	py := func(frames, err string) string {
		dashes, equals := strings.Repeat("-", 70), strings.Repeat("=", 70)
		return equals + "\nERROR: test_calc (unittest.loader._FailedTest.test_calc)\n" + dashes + "\nImportError: Failed to import test module: test_calc\n" +
			"Traceback (most recent call last):\n" + frames + err + "\n\n\n" + dashes + "\nRan 1 test in 0.0s\n\nFAILED (errors=1)\n"
	}
	inTest := "  File \"/room/test_calc.py\", line 1, in <module>\n    x\n"
	inCode := inTest + "  File \"/room/calc.py\", line 1, in <module>\n    x\n"
	node := func(place, err, frame string) string {
		return place + "\ncode\n ^\n\n" + err + "\n    at " + frame + "\n\nNode.js v20.0.0\n"
	}
	loader := "f (node:internal/modules/esm/module_job:213:21)"
	for _, c := range []struct {
		name string
		log  string
		want bool
	}{
		{"go name", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n" + failed, true},
		{"go name of a package", "# p_test [p.test]\n./x_test.go:12:5: undefined: p.Foo\n" + failed, true},
		{"go method", "# p [p.test]\n./x_test.go:12:5: v.Foo undefined (type T has no field or method Foo)\n" + failed, true},
		{"go method, spelled otherwise", "# p [p.test]\n./x_test.go:12:5: v.Foo undefined (type T has no field or method Foo, but does have method foo)\n" + failed, true},
		{"go vet", "# p [p.test]\nvet: ./x_test.go:12:5: undefined: Foo\n" + failed, true},
		{"go private method", "# p [p.test]\n./x_test.go:12:5: v.foo undefined (cannot refer to unexported method foo)\n" + failed, false},
		{"go in the code", "# p [p.test]\n./x.go:12:5: undefined: Foo\n" + failed, false},
		{"go in both", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n./x.go:1:5: undefined: Bar\n" + failed, false},
		{"go and another error", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n./x_test.go:13:5: declared and not used: a\n" + failed, false},
		{"go, too many errors", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n./x_test.go:12:5: too many errors\n" + failed, false},
		{"go, wrong arguments", "# p [p.test]\n./x_test.go:12:5: not enough arguments in call to Foo\n" + failed, false},
		{"go, file not in the tree", "# p [p.test]\n./z_test.go:12:5: undefined: Foo\n" + failed, false},
		{"go, missing package", "# p\nx_test.go:3:2: no required module provides package q\nFAIL\tp [setup failed]\n", false},
		{"go, nothing shown", failed, false},
		{"go, one package not shown", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\nFAIL\tq [build failed]\n" + failed, false},
		{"go, a test failed too", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n" + failed + "--- FAIL: TestA (0.0s)\nFAIL\nFAIL\tq\t0.1s\n", false},
		{"go, no build failure", "--- FAIL: TestA (0.0s)\nFAIL\nFAIL\tq\t0.1s\n", false},
		{"go, only words", "# p [p.test]\n./x_test.go:12:5: undefined: Foo\n", false},

		{"python name", py(inTest, "ImportError: cannot import name 'f' from 'calc' (/room/calc.py)"), true},
		{"python module", py(inTest, "ModuleNotFoundError: No module named 'calc2'"), true},
		{"python in the code", py(inCode, "ImportError: cannot import name 'f' from 'os'"), false},
		{"python circular", py(inTest, "ImportError: cannot import name 'f' from partially initialized module 'calc' (most likely due to a circular import)"), false},
		{"python syntax", py(inTest, "SyntaxError: invalid syntax"), false},
		{"python name error", py(inTest, "NameError: name 'x' is not defined"), false},
		{"python attribute", py(inTest, "AttributeError: module 'calc' has no attribute 'f'"), false},
		{"python, no place", py("", "ModuleNotFoundError: No module named 'calc2'"), false},

		{"node export", node("file:///room/a.test.js:3", "SyntaxError: The requested module './a.js' does not provide an export named 'f'", loader), true},
		{"node export in the code", node("file:///room/a.js:3", "SyntaxError: The requested module './b.js' does not provide an export named 'f'", loader), false},
		{"node module", node("node:internal/x:1", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/room/b.js' imported from /room/a.test.js", loader), true},
		{"node package", node("node:internal/x:1", "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'b' imported from /room/a.test.js", loader), true},
		{"node module in the code", node("node:internal/x:1", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/room/b.js' imported from /room/a.js", loader), false},
		{"node, thrown by a program", node("file:///room/a.test.js:3", "SyntaxError: The requested module './a.js' does not provide an export named 'f'", "g (file:///room/a.js:1:1)"), false},
		{"node syntax", node("file:///room/a.test.js:3", "SyntaxError: Unexpected token '='", loader), false},
		{"node, not fatal", "SyntaxError: The requested module './a.js' does not provide an export named 'f'\n    at " + loader + "\n", false},

		{"nothing", "", false},
	} {
		rep := localize(t, c.log, Options{Tree: tree, Root: "/room"})
		protected := func(p string) bool {
			return strings.HasSuffix(p, "_test.go") || strings.HasPrefix(p, "test_") || strings.Contains(p, ".test.")
		}
		if got := TestFirstBuildFailure(rep, protected); got != c.want {
			t.Errorf("%s: %v, want %v (%+v)", c.name, got, c.want, rep)
		}
		if TestFirstBuildFailure(rep, func(string) bool { return false }) {
			t.Errorf("%s: accepted without a protected file", c.name)
		}
		cut := localize(t, c.log, Options{Tree: tree, Root: "/room", Truncated: true})
		if TestFirstBuildFailure(cut, protected) {
			t.Errorf("%s: accepted though the log lacks its middle", c.name)
		}
	}
}
