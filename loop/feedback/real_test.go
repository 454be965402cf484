package feedback

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/isolation"
)

// TestRealRunners runs the interpreters of this machine, so that a change of
// their reports is seen. The goldens cover the rest.
func TestRealRunners(t *testing.T) {
	for _, c := range []struct {
		name   string
		tool   string
		files  map[string]string
		argv   []string
		runner string
		class  isolation.Class
		loci   []string
		tests  []string
		check  func(Report) bool
	}{
		{
			name: "go fails", tool: "go", argv: []string{"go", "test", "./..."},
			files: map[string]string{
				"go.mod": "module example.com/m\n", "sum/sum.go": "package sum\n\nfunc Sum(a, b int) int { return a - b }\n",
				"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
			},
			runner: "go test", class: isolation.ClassTestFail, loci: []string{"sum/sum_test.go:7"}, tests: []string{"TestSum"},
			check: func(r Report) bool { return r.Contradiction },
		},
		{
			name: "go test first", tool: "go", argv: []string{"go", "test", "./..."},
			files: map[string]string{
				"go.mod": "module example.com/m\n", "sum/sum.go": "package sum\n",
				"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(1, 2) }\n",
			},
			runner: "go test", class: isolation.ClassBuildFail, loci: []string{"sum/sum_test.go:5"},
			check: func(r Report) bool { return TestFirstBuildFailure(r, isTestFile) },
		},
		{
			name: "go has no tests", tool: "go", argv: []string{"go", "test", "./..."},
			files:  map[string]string{"go.mod": "module example.com/m\n", "sum/sum.go": "package sum\n"},
			runner: "go test", class: isolation.ClassPass, check: func(r Report) bool { return r.NoTests },
		},
		{
			name: "unittest fails", tool: "python3", argv: []string{"python3", "-m", "unittest"},
			files: map[string]string{
				"calc.py":      "def half(n):\n    return n / 0\n",
				"test_calc.py": "import unittest\nfrom calc import half\n\n\nclass T(unittest.TestCase):\n    def test_half(self):\n        self.assertEqual(half(2), 1)\n",
			},
			runner: "unittest", class: isolation.ClassTestFail, loci: []string{"calc.py:2", "test_calc.py:7"}, tests: []string{"test_calc.T.test_half"},
			check: func(r Report) bool { return r.Contradiction },
		},
		{
			name: "unittest test first", tool: "python3", argv: []string{"python3", "-m", "unittest"},
			files:  map[string]string{"calc.py": "", "test_calc.py": "import unittest\nfrom calc import half\n"},
			runner: "unittest", class: isolation.ClassBuildFail, loci: []string{"test_calc.py:2"},
			check: func(r Report) bool { return TestFirstBuildFailure(r, isTestFile) },
		},
		{
			name: "node fails", tool: "node", argv: []string{"node", "--test"},
			files: map[string]string{
				"src/half.mjs":       "export function half(n) {\n  return n.missing.value;\n}\n",
				"test/half.test.mjs": "import { test } from 'node:test';\nimport { half } from '../src/half.mjs';\n\ntest('halves', () => {\n  half(2);\n});\n",
			},
			runner: "node:test", class: isolation.ClassTestFail, loci: []string{"src/half.mjs:2"}, tests: []string{"halves"},
			check: func(r Report) bool { return r.Contradiction },
		},
		{
			name: "node test first", tool: "node", argv: []string{"node", "--test"},
			files: map[string]string{
				"src/half.mjs":       "export const other = 1;\n",
				"test/half.test.mjs": "import { test } from 'node:test';\nimport { half } from '../src/half.mjs';\n\ntest('halves', () => half(2));\n",
			},
			runner: "node:test", class: isolation.ClassBuildFail, loci: []string{"test/half.test.mjs:2"},
			check: func(r Report) bool { return TestFirstBuildFailure(r, isTestFile) },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skipf("%s is not installed", c.tool)
			}
			rep, exit := runReal(t, c.files, c.argv)
			class := isolation.ClassPass
			if exit != 0 {
				class = isolation.ClassTestFail
			}
			if got := Classify(class, exit, rep); got != c.class || rep.Runner != c.runner {
				t.Errorf("%s, runner %q, want %s, %q", got, rep.Runner, c.class, c.runner)
			}
			if len(rep.Loci) < len(c.loci) || !slices.Equal(rep.Loci[:len(c.loci)], c.loci) {
				t.Errorf("loci %q, want first %q", rep.Loci, c.loci)
			}
			if c.tests != nil && !slices.Equal(rep.TestName, c.tests) {
				t.Errorf("tests %q, want %q", rep.TestName, c.tests)
			}
			if !c.check(rep) {
				t.Errorf("the check failed")
			}
			if t.Failed() {
				t.Logf("%s", rep.OutputTail)
			}
		})
	}
}

func runReal(t *testing.T, files map[string]string, argv []string) (Report, int) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, name)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(),
		"PYTHONDONTWRITEBYTECODE=1", "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local",
	}
	if argv[0] == "go" { // the cache that built this test: a new one would take half a minute to fill
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "GOCACHE="+strings.TrimSpace(string(cache)))
	}
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	rep, err := Localize(context.Background(), bytes.NewReader(out), Options{Tree: NewTree(paths), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	return rep, cmd.ProcessState.ExitCode()
}
