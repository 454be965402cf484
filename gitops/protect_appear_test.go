package gitops

import (
	"strings"
	"testing"
)

// Whether a new file counts depends on the oracle and on the base.
func TestGuardNewFiles(t *testing.T) {
	t.Parallel()
	makefile := tree{
		"Makefile": "-include .env\ninclude conf/*.conf $(wildcard conf/*.inc) $(X)/y\nTARGETS = lint fmt\n.PHONY: clean $(TARGETS)\nall: test app\n" +
			"test: build docs gen folder prog\n\tpytest\n\t@echo done $@\nlint:\n\teslint .\nclean:\n\trm -rf build\nbuild:\n\tpython setup.py build\n" +
			"docs: all\napp: main.c\n\t$(CC) main.c -o $@\ngen:\n\t./mk > gen\nfolder:\n\tmkdir -p folder; true\nother:\n\t./other.sh\n",
		"main.c": "", "prog.c": "", "conf/a.conf": "", "sub/Makefile": "check:\n\tprove\n", "t/x": "", "Docs2/x": "",
	}
	python := tree{
		"calc.py": "", "tests/test_calc.py": "", "tests/helper.py": "", "pyproject.toml": "", "src/pkg/__init__.py": "", "src/pkg/mod.py": "",
		"src/test_runner_client.py": "", "lib/x.py": "", "backend/tests/test_b.py": "", "backend/app/__init__.py": "", "queue/__init__.py": "",
		"scripts/check.py": "", "scripts/run": "#!/usr/bin/env python3\n", "bin/link": "->../scripts/check.py", "space/a.py": "",
		"deep/__init__.py": "", "deep/in/__init__.py": "", "deep/in/test_d.py": "",
	}
	golang := tree{"go.mod": "", "x.go": "", "pkg/y.go": "", "pkg/z_test.go": "", "web/app.js": "", "web/vendor/jq.js": "", "Makefile": "t:\n\tgo test ./...\n"}
	node := tree{"tests/util/index.js": "", "tests/x.js": "", "check/index.js": "", "src/a/index.js": "", "run.test/y": ""}

	cases := []struct {
		base           tree
		oracle, change string
		rule           string // "" allowed
	}{
		// a file that has the name of a goal of make
		{makefile, "make test", "A test", RuleProgram},
		{makefile, "make test", "A test/x.txt", RuleProgram},
		{makefile, "make test", "A Test", RuleProgram},
		{makefile, "make test", "L test", RuleProgram},
		{makefile, "make", "A all", RuleProgram},
		{makefile, "make", "A test", RuleProgram},
		{makefile, "make test", "A build", RuleProgram},
		{makefile, "make test", "A other", ""}, // not reached
		{makefile, "make other", "A other", RuleProgram},
		{makefile, "make unknown", "A unknown", RuleProgram},
		{makefile, "make lint clean", "A lint", ""},
		{makefile, "make lint clean", "A clean", ""},
		{makefile, "make test", "A docs", ""}, // no recipe
		{makefile, "make app", "A app", ""},   // made by it
		{makefile, "make test", "A gen", ""},
		{makefile, "make test", "A folder/x", ""},
		{makefile, "make prog", "A prog", ""}, // make's own rule makes it
		{makefile, "make main.o", "A main.o", ""},
		{makefile, "make t", "A t/new", ""}, // the base has the folder
		{makefile, "make docs2", "A docs2/new", ""},
		{makefile, "make -C sub check", "A sub/check", RuleProgram},
		{makefile, "make -C sub check", "A check", ""},
		{makefile, "cd sub && make check", "A sub/check", RuleProgram},
		{makefile, "go test ./...", "A test", ""},

		// what make includes
		{makefile, "make test", "A .env", RuleProgram},
		{makefile, "make test", "A .ENV", RuleProgram},
		{makefile, "make test", "A conf/b.conf", RuleProgram},
		{makefile, "make test", "A conf/b.inc", RuleProgram},
		{makefile, "make test", "M conf/a.conf", RuleProgram},
		{makefile, "make test", "A conf/b.txt", ""},
		{makefile, "make test", "A y", ""},
		{makefile, "go test", "A .env", ""},

		// modules that Python would take instead
		{python, "python3 -m pytest", "A json.py", rulePythonShadow},
		{python, "python3 -m pytest", "A calc_helper.py", ""},
		{python, "python3 -m pytest", "A json/__init__.py", rulePythonShadow},
		{python, "python3 -m pytest", "A json/decoder.py", rulePythonShadow},
		{python, "python3 -m pytest", "A html/index.html", ""},
		{python, "python3 -m pytest", "A json.cpython-311-x86_64-linux-gnu.so", rulePythonShadow},
		{python, "python3 -m pytest", "A typing.pyc", rulePythonShadow},
		{python, "python3 -m pytest", "L json", rulePythonShadow},
		{python, "python3 -m pytest", "L json2", ""},
		{python, "python3 -m pytest", "A pluggy/__init__.py", rulePythonShadow},
		{python, "python3 -m pytest", "A iniconfig.py", rulePythonShadow},
		{python, "python3 -m pytest", "A hypothesis.py", rulePythonShadow},
		{python, "python3 -m pytest", "A queue/more.py", ""}, // the base's own
		{python, "python3 -m pytest", "A tests/argparse.py", rulePythonShadow},
		{python, "python3 -m pytest", "A Tests/argparse.py", rulePythonShadow},
		{python, "pytest", "A backend/tests/re.py", rulePythonShadow},
		{python, "pytest tests", "A backend/tests/re.py", ""},
		{python, "pytest tests", "A tests/re.py", rulePythonShadow},
		{python, "pytest tests/test_calc.py::test_x", "A tests/re.py", rulePythonShadow},
		{python, "pytest deep", "A deep/in/re.py", ""}, // inside a package
		{python, "pytest deep", "A re.py", rulePythonShadow},
		{python, "cd backend && python -m pytest tests", "A backend/re.py", rulePythonShadow},
		{python, "cd backend && python -m pytest tests", "A backend/tests/re.py", rulePythonShadow},
		{python, "cd backend && python -m pytest tests", "A backend/app/types.py", ""},
		{python, "python -m unittest discover -s tests", "A tests/calc.py", rulePythonShadow},
		{python, "python -m unittest discover -s tests", "A tests/calc/__init__.py", rulePythonShadow},
		{python, "python -m unittest discover -s tests", "A tests/calc/test_more.py", ""},
		{python, "python -m unittest discover -s tests", "A tests/other.py", ""},
		{python, "python -m unittest discover --start-directory=backend/tests", "A backend/tests/json.py", rulePythonShadow},
		{python, "python -m unittest discover --start-directory backend/tests", "A backend/tests/calc.py", rulePythonShadow},
		{python, "python -m unittest discover -sbackend/tests", "A backend/tests/calc.py", rulePythonShadow},
		{python, "python -m unittest discover backend/tests", "A backend/tests/calc.py", rulePythonShadow},
		{python, "python -m unittest discover -s tests -t lib", "A lib/json.py", rulePythonShadow},
		{python, "python -m unittest tests.test_calc", "A re.py", rulePythonShadow},
		{python, "python -m pytest", "A pkg/__init__.py", rulePythonShadow}, // hides src/pkg
		{python, "python -m pytest", "A helper.py", rulePythonShadow},
		{python, "python scripts/check.py", "A scripts/json.py", rulePythonShadow},
		{python, "python scripts/check.py", "A scripts/calc.py", rulePythonShadow},
		{python, "python scripts/check.py", "A space/json.py", ""},
		{python, "./scripts/run", "A scripts/json.py", rulePythonShadow},
		{python, "python bin/link", "A scripts/json.py", rulePythonShadow},
		{python, "python3 -c 'import calc'", "A json.py", rulePythonShadow},
		{python, "python3 <<E\nimport calc\nE", "A json.py", rulePythonShadow},
		{python, "PYTHONPATH=lib python -m pytest tests", "A lib/json.py", rulePythonShadow},
		{python, "export PYTHONPATH=\"$PWD/lib:$PYTHONPATH\"; pytest tests", "A lib/json.py", rulePythonShadow},
		{python, "env PYTHONPATH=space:lib pytest tests", "A lib/json.py", rulePythonShadow},
		{tree{"pytest.ini": "[pytest]\npythonpath = a b\n", "tests/test_x.py": ""}, "pytest", "A b/json.py", rulePythonShadow},
		{tree{"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = [\n  \"a\",\n  'b',\n]\n", "tests/test_x.py": ""}, "pytest", "A b/json.py", rulePythonShadow},
		{python, "cd space && go test ./...", "A types.py", ""},
		{python, "tox", "A tests/json.py", rulePythonShadow},
		{python, "./run-everything", "A tests/json.py", rulePythonShadow},
		{python, "python -m pytest tests", "A src/types.py", ""},
		{python, "python -m pytest tests", "A lib/contextlib.py", ""},
		{python, "python -m pytest tests", "A src/pkg/types.py", ""},
		{python, "python -m pytest tests", "A src/utils/types.py", ""},
		{python, "python -m pytest tests", "M src/test_runner_client.py", "python-test"},
		{python, "python -m pytest tests", "A tests/test_new.py", ""},
		{python, "python -m pytest tests", "A tests/__init__.py", ""},
		{python, "python -m pytest tests", "A backend/tests/test_calc.py", ""},
		{python, "python -m pytest tests", "M queue/__init__.py", ""},

		// files that Node takes before a folder
		{node, "node --test", "A tests/util.js", "test-folder"},
		{node, "node --test", "A tests/util.mjs", "test-folder"},
		{node, "node --test", "A tests/util.json", "test-folder"},
		{node, "node --test", "A tests/util.node", "test-folder"},
		{node, "node --test", "A tests/util.ts", "test-folder"},
		{node, "node --test", "A tests/util/package.json", "test-folder"},
		{node, "node --test", "A tests/x", "test-folder"},
		{node, "node --test", "A tests/x.json", ""},
		{node, "node check", "A check.js", RuleProgram},
		{node, "node check", "A check.cjs", RuleProgram},
		{node, "node check", "A src/a.js", ""}, // which may change, too
		{node, "node check", "A tests/new.js", ""},

		// modules of Go
		{golang, "go test ./...", "A pkg/go.mod", "go-config"},
		{golang, "make t", "A pkg/go.mod", "go-config"},
		{golang, "go test ./...", "A pkg/Go.mod", ""},
		{golang, "go test ./...", "A pkg/go.work", "go-config"},
		{golang, "go test ./...", "A web/go.mod", ""},
		{golang, "go test ./...", "M go.mod", ""},
		{golang, "go test ./...", "A go.sum", ""},
		{golang, "npm test", "A pkg/go.mod", ""},
		{golang, "go test ./...", "A vendor/modules.txt", "go-config"},
		{golang, "go test ./...", "A vendor/a/b.go", "go-config"},
		{golang, "go test ./...", "A web/vendor/new.js", ""},
		{golang, "go test ./...", "A web/vendor/modules.txt", "go-config"},
		{tree{"go.mod": "", "x.go": "", "vendor/modules.txt": "", "vendor/a/a.go": ""}, "go test ./...", "A vendor/b/b.go", ""},
		{tree{"x.go": ""}, "go test ./...", "A go.mod", "go-config"},
	}
	for _, c := range cases {
		g := guardOf(t, Protection{Ratchet: true, Oracle: []string{c.oracle}}, c.base)
		got := g.Check([]Change{parseChange(c.change)})
		rule := ""
		if len(got) > 0 {
			rule = got[0].Rule
			if got[0].Abort || !strings.Contains(got[0].Reason, "--allow-edit") || strings.Contains(got[0].Reason, "\n") {
				t.Errorf("%s, %s: %+v", c.oracle, c.change, got[0])
			}
		}
		if rule != c.rule {
			t.Errorf("%s, %s: rule %q, want %q: %+v", c.oracle, c.change, rule, c.rule, got)
		}
		g = guardOf(t, Protection{Ratchet: true, Oracle: []string{c.oracle}, Allow: []string{globFor(c.change[2:])}}, c.base)
		if got := g.Check([]Change{parseChange(c.change)}); len(got) > 0 && c.change[0] == 'A' && got[0].Rule != "test-folder" && !strings.ContainsAny(c.change[2:], "TE") && got[0].Rule != RuleProgram {
			t.Errorf("%s, %s: --allow-edit does not help: %+v", c.oracle, c.change, got)
		}
	}
}

// Honest repairs.
func TestGuardHonestChanges(t *testing.T) {
	t.Parallel()
	base := tree{
		"src/contest.py": "", "src/spectrum.js": "", "src/latest.go": "", "lib/inspector.rb": "", "docs/testing-notes.md": "", "go.mod": "", "calc.py": "",
		"greet.sh": "", "app.py": "", "tests/test_a.py": "", "src/expected.hpp": "", "src/reference.go": "", "docs/reference/api.md": "", "docs/reference.md": "",
		"src/want.rs": "", "src/utils/__init__.py": "", "package.json": "", "src/expect/mod.py": "", "accept.py": "import calc\n", "Makefile": "",
		"run.sh": "out=$(./greet.sh)\npython3 calc.py 1 2\n[ \"$(python3 app.py)\" = x ]\n", "src/golden_ratio.py": "", "src/unexpected.py": "", "src/wanted.txt": "",
	}
	oracles := []string{"python -m pytest tests", "go test ./...", "./run.sh", "python3 accept.py", "python3 -c 'import calc; assert calc.add(1, 2) == 3'", "node -e 'require(\"./src/spectrum\")'"}
	g := guardOf(t, Protection{Ratchet: true, Oracle: oracles}, base)
	for _, change := range []string{
		"M src/contest.py", "M src/spectrum.js", "M src/latest.go", "M lib/inspector.rb", "M docs/testing-notes.md", "A tests/test_new.py", "M go.mod",
		"A src/utils/types.py", "M src/utils/__init__.py", "M calc.py", "M greet.sh", "M app.py", "M src/expected.hpp", "M src/reference.go", "M docs/reference/api.md",
		"M docs/reference.md", "M src/want.rs", "M package.json", "M src/expect/mod.py", "A expected.txt", "M Makefile", "M src/golden_ratio.py", "M src/unexpected.py", "M src/wanted.txt",
		"A src/types.py", "A lib/contextlib.py", "A test.md", "A docs/test",
	} {
		if got := g.Check([]Change{parseChange(change)}); len(got) > 0 {
			t.Errorf("%s: %+v", change, got)
		}
	}
}
