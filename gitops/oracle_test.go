package gitops

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// tree is a base for tests: path to content; a content that begins with "->"
// is a symbolic link.
type tree map[string]string

func (tr tree) entries() []Entry {
	var all []Entry
	for path, content := range tr {
		mode := modeFile
		if strings.HasPrefix(content, "->") {
			mode = modeLink
		}
		all = append(all, Entry{Path: path, Mode: mode})
	}
	return all
}

func (tr tree) read(path string) ([]byte, error) {
	content, ok := tr[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(strings.TrimPrefix(content, "->")), nil
}

// programsOf are the sorted paths that command lines execute.
func programsOf(tr tree, root string, lines ...string) []string {
	o := newOracle(root, tr.entries(), tr.read)
	for _, line := range lines {
		o.line(line)
	}
	var found []string
	for path := range o.programs {
		found = append(found, path)
	}
	slices.Sort(found)
	return found
}

func TestOraclePrograms(t *testing.T) {
	t.Parallel()
	base := tree{
		"run.sh": "", "app.py": "", "file.txt": "", "pkg/x.go": "", "sub/run.sh": "", "sub/deep/x.sh": "", "tool": "",
		"check.js": "", "srv/index.js": "", "checks/a.py": "", "checks/b.py": "", "conf/p.ini": "", "mod/__main__.py": "", "mod/part.py": "",
		"a b.sh": "", "src/calc.py": "", "dir/__main__.py": "", "X.java": "", "my.jar": "", "ov.json": "", "t.rb": "", "grep": "", "boot.php": "",
	}
	cases := []struct{ line, want string }{
		// what is executed
		{"./run.sh", "run.sh"},
		{"sub/run.sh --fast file.txt", "sub/run.sh"},
		{"sh run.sh file.txt", "run.sh"},
		{"bash -ex ./run.sh", "run.sh"},
		{"bash -o pipefail run.sh", "run.sh"},
		{"python3 app.py --selfcheck", "app.py"},
		{"python3.11 -u -W error app.py file.txt", "app.py"},
		{"/usr/bin/env python3 app.py", "app.py"},
		{"env -i A=b LC_ALL=C ./run.sh", "run.sh"},
		{"A=b C='d e' ./run.sh", "run.sh"},
		{"exec ./run.sh", "run.sh"},
		{"timeout -k 5 10 ./run.sh", "run.sh"},
		{"timeout --signal=KILL 10 python3 app.py", "app.py"},
		{"nice -n 5 xvfb-run -a -s '-screen 0 1x1x8' sh run.sh", "run.sh"},
		{"time -p ./run.sh", "run.sh"},
		{"! ./run.sh", "run.sh"},
		{"(cd sub && ./run.sh)", "run.sh sub/run.sh"}, // whether cd succeeds is not known
		{"cd sub/deep; sh x.sh", "sub/deep/x.sh"},
		{"sh -c './run.sh'", "run.sh"},
		{"bash -lc 'cd sub && exec ./run.sh'", "run.sh sub/run.sh"},
		{"sh -c \"sh -c 'sh run.sh'\"", "run.sh"},
		{`"./a b.sh"`, "a b.sh"},
		{`./a\ b.sh`, "a b.sh"},
		{"'./a b.sh' && true", "a b.sh"},
		{"if ./run.sh; then echo ok; fi", "run.sh"},
		{"for i in 1 2; do ./run.sh $i; done", "run.sh"},
		{"x() { ./run.sh; }; x", "run.sh"},

		// whose output another command looks at: the program under repair
		{"echo $(./run.sh) | diff - file.txt", ""},
		{"diff <(./run.sh) file.txt", ""},
		{"`./run.sh`", ""},
		{"test \"$(sh run.sh)\" = hello", ""},
		{"python3 app.py | grep -q hello", ""},
		{"./run.sh | sed s/a/b/ | cmp - file.txt", ""},
		{"./run.sh | tee log", "run.sh"}, // tee decides nothing
		{"./run.sh 2>&1 | cat", "run.sh"},
		{"./run.sh | sh checks/c.sh", "checks/c.sh"},
		{"test $(node check.js) = ok", "check.js"}, // judges by its name
		{"test \"$(python3 checks/a.py)\" = ok", "checks/a.py"},

		{"eval './run.sh'", "run.sh"},
		{". ./run.sh", "run.sh"},
		{"source run.sh", "run.sh"},
		{"sh < run.sh", "run.sh"},
		{"sh <<EOF\n./run.sh\nEOF", "run.sh"},
		{"sh <<<'./run.sh'", "run.sh"},
		{"\"$PWD/run.sh\"", "run.sh sub/run.sh"}, // a tail fits several
		{"$PWD/sub/run.sh", "sub/run.sh"},
		{"sh \"$(git rev-parse --show-toplevel)/sub/deep/x.sh\"", "sub/deep/x.sh"},
		{"/home/me/repo/run.sh", "run.sh"},
		{"/elsewhere/run.sh", ""},
		{"find . -name x -exec ./run.sh {} \\;", "run.sh"},
		{"echo a | xargs -n 1 ./run.sh", "run.sh"},
		{"node check.js", "check.js"},
		{"node check", "check.js"},
		{"node srv", "srv/index.js"},
		{"node -r ./check.js -e 1", "check.js"},
		{"node --require=./check.js srv", "check.js srv/index.js"},
		{"node --test checks/a.py checks/b.py", "checks/a.py checks/b.py"},
		{"python -m mod", "mod/__main__.py"},
		{"python -m mod.part x", "mod/part.py"},
		{"python -mmod", "mod/__main__.py"},
		{"python -Im mod", "mod/__main__.py"},
		{"python dir", "dir/__main__.py"},
		{"python -m coverage run app.py", "app.py"},
		{"coverage run -m mod.part", "mod/part.py"},
		{"poetry run python app.py", "app.py"},
		{"uv run --with pytest app.py", ""}, // no slash: looked up on PATH
		{"uv run python app.py", "app.py"},
		{"pytest checks/a.py", "checks/a.py"},
		{"python3 -m pytest -q checks/a.py::test_x -k y", "checks/a.py"},
		{"pytest checks/*.py", "checks/a.py checks/b.py"},
		{"pytest -c conf/p.ini", "conf/p.ini"},
		{"pytest --config-file=conf/p.ini -p mod.part", "conf/p.ini mod/part.py"},
		{"python -m unittest checks.a", "checks/a.py"},
		{"python -m unittest discover -s checks", ""},
		{"java X.java", "X.java"},
		{"java -cp lib -jar my.jar", "my.jar"},
		{"ruby -I lib t.rb", "t.rb"},
		{"rspec t.rb:12", "t.rb"},
		{"phpunit --bootstrap boot.php", "boot.php"},
		{"go run pkg/x.go", "pkg/x.go"},
		{"go test -exec ./run.sh -overlay=ov.json ./...", "ov.json run.sh"},
		{"awk -f tool file.txt", "tool"},
		{"perl -ne 'print' file.txt", ""},
		{"npx mocha --require ./check.js checks/a.py", "check.js checks/a.py"},

		// what the text itself says of its variables
		{"C=app.py; python3 $C", "app.py"},
		{"PY=python3; \"$PY\" app.py", "app.py"},
		{"PY='python3 -u'\n$PY app.py", "app.py"},
		{"CMD='python3 app.py'; $CMD file.txt", "app.py"},
		{"D=sub; C=$D/run.sh; sh \"$C\"", "sub/run.sh"},
		{"export C=app.py; python3 ${C}", "app.py"},
		{"\"${PY:-python3}\" app.py", "app.py"},
		{"C=${1:-app.py}; python3 $C", "app.py"},
		{"if x; then C=app.py; else C=check.js; fi; python3 $C", "app.py check.js"},
		{"D=$(pwd)/sub; sh $D/run.sh", "sub/run.sh"},
		{"cmd=(python3 app.py); \"${cmd[@]}\"", "app.py"},
		{"for f in checks/?.py; do python3 $f; done", "checks/a.py checks/b.py"},
		{"for f in app.py check.js; do python3 \"$f\" || exit; done", "app.py check.js"},
		{"P='checks/*.py'; for f in $P; do python3 $f; done", "checks/a.py checks/b.py"},
		{"for d in sub; do (cd $d && ./run.sh); done", "run.sh sub/run.sh"},
		{"C=app.py; grep -q x $C", ""},

		// what an interpreter reads
		{"cat app.py | python3 -", "app.py"},
		{"cat app.py | python3", "app.py"},
		{"cat run.sh | sh", "run.sh"},
		{"cat run.sh | sh -s x", "run.sh"},
		{"cat run.sh | sed s/a/b/ | sh", "run.sh"},
		{"sed s/a/b/ run.sh | env A=b sh", "run.sh"},
		{"< run.sh cat | sh", "run.sh"},
		{"python3 - < app.py", "app.py"},
		{"python3 /dev/stdin < app.py", "app.py"},
		{"timeout 5 sh < run.sh", "run.sh"},
		{"bash <(cat run.sh)", "run.sh"},
		{". <(cat run.sh)", "run.sh"},
		{"sh -c \"$(cat run.sh)\"", "run.sh"},
		{"python3 -c \"$(cat app.py)\"", "app.py"},
		{"eval \"$(< run.sh)\"", "run.sh"},
		{"cat file.txt | python3 app.py", "app.py"},
		{"cat app.py | grep -q x", ""},

		// what program text loads: the program under repair, or one that judges
		{"python3 -c 'import checks.a'", "checks/a.py"},
		{"python3 -c \"from checks import a, b as c\"", "checks/a.py checks/b.py"},
		{"python3 - <<E\nimport sys\nimport checks.a\nE", "checks/a.py"},
		{"python3 -c 'import runpy; runpy.run_path(\"checks/a.py\")'", "checks/a.py"},
		{"node -e 'require(\"./check\")'", "check.js"},
		{"node -e \"import('./check.js')\"", "check.js"},
		{"python3 -c 'import app'", ""},
		{"node -e 'require(\"./srv\")'", ""},

		// what is only named
		{"grep -q fixed file.txt", ""},
		{"./grep -q fixed file.txt", "grep"},
		{"test -f run.sh", ""},
		{"go test ./pkg", ""},
		{"go test pkg/x.go", ""},
		{"go vet ./...", ""},
		{"cat run.sh", ""},
		{"diff file.txt app.py", ""},
		{"python3 -c 'import app' app.py", ""},
		{"sh -c 'echo app.py' run.sh", ""},
		{"tool app.py", ""},
		{"command -v run.sh", ""},
		{"pytest --doctest-modules src/calc.py", ""},
		{"python -m doctest src/calc.py", ""},
		{"python3 < file.txt > app.py", "file.txt"},
		{"echo ./run.sh", ""},
		{"# ./run.sh", ""},
		{"gcc -o out pkg/x.go", ""},
		{"", ""},

		// what the base lacks
		{"./missing.sh", "missing.sh"},
		{"python3 later.py", "later.py"},
		{"[ -x ./o.sh ] && ./o.sh", "o.sh"},
		{"python -m later", "later.py later/__init__.py later/__main__.py"},
		{"../outside.sh", ""},
		{"python ../../outside.py", ""},

		// what is no shell
		{"if then ./run.sh ((", "run.sh"},
		{"./run.sh 'open", "run.sh"},
	}
	for _, c := range cases {
		got := programsOf(base, "/home/me/repo", c.line)
		want := strings.Fields(c.want)
		if c.want == "a b.sh" {
			want = []string{c.want}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.line, got, want)
		}
	}
}

func TestOracleGoesOnInsidePrograms(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		base tree
		line string
		want string
	}{
		{"script", tree{
			"ci.sh":       "#!/bin/sh\nset -e\nDIR=$(dirname \"$0\")\n\"$DIR/lib/help.sh\" data.txt\npython3 lib/check.py data.txt\n",
			"lib/help.sh": "", "lib/check.py": "import os\n", "data.txt": "",
		}, "./ci.sh", "ci.sh lib/check.py"},
		{"beside the script", tree{"ci/run": "#!/usr/bin/env bash\n. $(dirname $0)/env.sh\nsh other.sh\n", "ci/env.sh": "./up.sh\n", "ci/other.sh": "", "up.sh": ""}, "ci/run", "ci/env.sh ci/other.sh ci/run"},
		{"no shell script", tree{"x.py": "./run.sh\n", "run.sh": ""}, "python3 x.py", "x.py"},
		{"a shell script for another shell", tree{"x": "./run.sh\n", "run.sh": ""}, "sh x", "x"},
		{"link", tree{"run.sh": "->tools/real.sh", "tools/real.sh": "./next.sh", "next.sh": ""}, "./run.sh", "run.sh tools/real.sh"},
		{"link that goes round", tree{"a": "->b", "b": "->a"}, "./a", "a b"},
		{"link that leads out", tree{"a": "->../../etc/passwd", "b": "->/bin/sh"}, "./a; ./b", "a b"},
		{"a script of the tests", tree{"ci/run": "#!/bin/sh\npython3 accept.py && ./greet.sh && node tools/compareAll.js && python3 calc.py\n", "accept.py": "", "greet.sh": "", "calc.py": "", "tools/compareAll.js": ""}, "ci/run", "accept.py ci/run tools/compareAll.js"},
		{"its variables", tree{"test.sh": "PY=${PY:-python3}\nfor f in grade_*.py; do\n  \"$PY\" $f || exit 1\ndone\n", "grade_a.py": "", "grade_b.py": "", "app.py": ""}, "sh test.sh", "grade_a.py grade_b.py test.sh"},
		{"recursion", tree{"a.sh": "./b.sh", "b.sh": "./a.sh"}, "./a.sh", "a.sh"},
		{"recursion of checks", tree{"check-a.sh": "./check-b.sh", "check-b.sh": "./check-a.sh"}, "./check-a.sh", "check-a.sh check-b.sh"},
		{"make", tree{
			"Makefile": "PY := python3\nCHECK = ./check.sh\n.PHONY: all test\nall: build\nbuild:\n\tgcc -o app app.c\ntest: build pre ; @./inline.sh\n\t@-$(PY) checks/run.py $(DATA) \\\n\t  more\n\t$(CHECK)\npre:\n\tcd sub && ./pre.sh\nother:\n\t./other.sh\n",
			"check.sh": "", "checks/run.py": "", "sub/pre.sh": "", "other.sh": "", "inline.sh": "", "app.c": "",
		}, "make test", "Makefile check.sh checks/run.py inline.sh sub/pre.sh"},
		{"make takes GNUmakefile", tree{"GNUmakefile": "a:\n\t./g.sh\n", "Makefile": "a:\n\t./m.sh\n", "g.sh": "", "m.sh": ""}, "make", "GNUmakefile g.sh"},
		{"make with file, folder and include", tree{
			"d/x.mk": "include y.mk\nfirst: $(DEPS)\n\t${MAKE} -C e\n", "d/y.mk": "DEPS = second\nsecond:\n\t./s.sh $@\n", "e/Makefile": "t:\n\t./t.sh\n", "d/s.sh": "", "e/t.sh": "",
		}, "make -C d -f x.mk first", "d/s.sh d/x.mk d/y.mk e/Makefile e/t.sh"},
		{"make that expands for ever", tree{"Makefile": "A = $(A)$(A)$(A)\nt: \n\t$(A) ./x.sh\n", "x.sh": ""}, "make", "Makefile x.sh"},
		{"npm", tree{
			"package.json": `{"scripts":{"pretest":"./pre.sh","test":"node checks/run.js && npm run lint","lint":"sh lint.sh","posttest":"./post.sh","other":"./other.sh"}}`,
			"pre.sh":       "", "post.sh": "", "other.sh": "", "checks/run.js": "", "lint.sh": "",
		}, "npm test -- --silent", "checks/run.js lint.sh post.sh pre.sh"},
		{"yarn, pnpm, bun, node --run", tree{
			"package.json": `{"scripts":{"a":"./a.sh","b":"./b.sh","c":"./c.sh","d":"./d.sh"}}`, "a.sh": "", "b.sh": "", "c.sh": "", "d.sh": "",
		}, "yarn a; pnpm run b; bun run c; node --run d", "a.sh b.sh c.sh d.sh"},
		{"workspace", tree{"package.json": "{}", "p/q/package.json": `{"scripts":{"test":"sh ./x.sh"}}`, "p/q/x.sh": ""}, "npm test --workspaces", "p/q/x.sh"},
		{"prefix", tree{"p/package.json": `{"scripts":{"test":"sh x.sh"}}`, "p/x.sh": ""}, "npm --prefix p test", "p/x.sh"},
		{"broken package.json", tree{"package.json": `{"scripts":[`}, "npm test", ""},
		{"npm that runs itself", tree{"package.json": `{"scripts":{"test":"npm test; npm test; npm test"}}`}, "npm test", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(programsOf(c.base, "", c.line), " "); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.line, got, c.want)
			}
		})
	}
}

func TestOracleTools(t *testing.T) {
	t.Parallel()
	base := tree{"ci.sh": "make check\n", "Makefile": "check:\n\tnpx --yes jest\n"}
	o := newOracle("", base.entries(), base.read)
	o.line("env CI=1 bash ci.sh")
	for _, tool := range []string{"env", "bash", "make", "npx", "jest"} {
		if !o.tools[tool] {
			t.Errorf("%s is not seen: %v", tool, o.tools)
		}
	}
}

func TestOracleJudgesByName(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"accept.py": true, "acceptance/run": true, "compare.sh": true, "cmp-out.sh": true, "diff.py": true, "expect.exp": true, "grade.py": true, "grader.js": true,
		"score.py": true, "eval.py": true, "validate.rb": true, "runChecks.js": true, "tests/x": true, "ci/run": true, "test.sh": true, "self_check.py": true,
		"run.sh": false, "greet.sh": false, "calc.py": false, "app.py": false, "contest.py": false, "latest.go": false, "inspector.rb": false, "spectrum.js": false,
		"different.py": false, "underscore.js": false, "medieval.py": false, "checkers.py": false, "upgrade.sh": false, "basic.test": true,
	} {
		if got := judgesByName(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}

func FuzzOracle(f *testing.F) {
	for _, line := range []string{
		"./run.sh", "sh -c 'a && b' | c", "env -S 'a b' x=y", "make -C a -f b c", "python3 -m x.y", "<<EOF\nx\nEOF", "npm --prefix a run b",
		"a=(1 2) b", "$(", "'", "find . -exec", "go test -exec", "pytest a::b -c", "cd; cd - ; cd .. && ./x", "timeout", "sh -", "--", "node --run",
	} {
		f.Add(line, "#!/bin/sh\n./x\n", "a: b\n\t$(X) ./y\n")
	}
	f.Fuzz(func(t *testing.T, line, script, makefile string) {
		base := tree{"run.sh": script, "Makefile": makefile, "x": "", "y": "", "a/b": "", "package.json": `{"scripts":{"b":"./run.sh"}}`}
		for _, path := range programsOf(base, "/root", line, "./run.sh", "make") {
			if path == "" || strings.HasPrefix(path, "/") || path == ".." || strings.HasPrefix(path, "../") || strings.Contains(path, "//") {
				t.Errorf("%q, %q: %q is no path of a tree", line, script, path)
			}
		}
	})
}

func FuzzParseShell(f *testing.F) {
	f.Add("a 'b c' \"d$e\" \\\nf # g\n")
	f.Add("if x; then y; fi <<E\nz\nE\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range parseShell(text) {
			if len(c.words) == 0 {
				t.Errorf("%q: a command without words", text)
			}
			for _, w := range c.words {
				if w.exact && w.head != "" {
					t.Errorf("%q: an exact word with a head: %+v", text, w)
				}
			}
		}
	})
}
