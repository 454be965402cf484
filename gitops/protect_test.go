package gitops

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// guardOf is a guard that must be possible.
func guardOf(t testing.TB, p Protection, base tree) *Guard {
	t.Helper()
	g, err := NewGuard(p, base.entries(), base.read)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// parseChange reads "A path", "M path", "D path", "T path", "X path" (mode)
// or "L path" (an added link).
func parseChange(s string) Change {
	c := Change{Path: s[2:], OldMode: modeFile, NewMode: modeFile}
	switch s[0] {
	case 'A':
		c.Kind, c.OldMode = Added, ""
	case 'L':
		c.Kind, c.OldMode, c.NewMode = Added, "", modeLink
	case 'M':
		c.Kind = Modified
	case 'D':
		c.Kind, c.NewMode = Deleted, ""
	case 'T':
		c.Kind, c.NewMode = Type, modeLink
	case 'X':
		c.Kind, c.NewMode = Mode, modeExec
	}
	return c
}

func TestGuardProtect(t *testing.T) {
	t.Parallel()
	base := tree{
		"tests/a.py": "", "tests/deep/b.py": "", "src/x.go": "", "src/X_test.go": "", "lib/é.txt": "", "lib/\xff.txt": "",
		"data/golden.txt": "", "README.md": "",
	}
	cases := []struct {
		glob, change string
		hit          bool
	}{
		{"tests/**", "M tests/a.py", true},
		{"tests/**", "D tests/deep/b.py", true},
		{"tests/**", "T tests/a.py", true},
		{"tests/**", "X tests/a.py", true},
		{"tests/**", "A tests/new.py", true},
		{"tests/", "A tests/new/x", true},
		{"tests", "M tests/deep/b.py", true},
		{"/tests", "M tests/a.py", true},
		{"tests/**", "M src/x.go", false},
		{"tests/**", "A testsx/a.py", false},
		{"**/*_test.go", "M src/X_test.go", true},
		{"*_test.go", "A src/new_test.go", true},
		{"*_test.go", "M src/x.go", false},
		{"src/*.go", "M src/x.go", true},

		// a folder above it gave way
		{"tests/deep/**", "L tests", true},
		{"tests/deep/b.py", "A tests/deep", true},
		{"tests/deep/b.py", "L tests/other", false},
		{"tests/a.py", "L TESTS", true},

		// another spelling
		{"tests/a.py", "A tests/A.py", true},
		{"tests/a.py", "A Tests/a.py", true},
		{"tests/a.py", "A Tests/new.py", false},
		{"tests/**", "A Tests/new.py", true},
		{"tests/**", "A TESTS/deep/new.py", true},
		{"tests/a.py", "A tests/a.py.", true},
		{"tests/a.py", "A tests/a\u200c.py", true},
		{"lib/é.txt", "A lib/e\u0301.txt", true},
		{"lib/\xff.txt", "A lib/\xff.TXT", true},
		{"lib/\xff.txt", "A lib/\xfe.txt", false},
		{"lib/\xff.txt", "A lib/\ufffd.txt", false},
		{"data/golden.txt", "A Data/Golden.txt/x", true}, // a folder in the place of the file
		{"conftest.py", "A sub/Conftest.py", true},       // guarded, though the base has none
		{"readme.md", "M README.md", true},
		{"*Test.java", "A src/Latest.java", false},
	}
	for _, c := range cases {
		g := guardOf(t, Protection{Globs: []string{c.glob}}, base)
		got := g.Check([]Change{parseChange(c.change)})
		if hit := len(got) == 1; hit != c.hit {
			t.Errorf("%q on %q: %+v", c.glob, c.change, got)
		} else if hit && (!got[0].Abort || got[0].Rule != RuleProtect || got[0].Path != c.change[2:] || strings.Contains(got[0].Reason, "\n")) {
			t.Errorf("%q on %q: %+v", c.glob, c.change, got[0])
		}
	}
}

func TestGuardRatchet(t *testing.T) {
	t.Parallel()
	base := tree{
		"pkg/x.go": "", "pkg/x_test.go": "", "pkg/testdata/in.txt": "", "tests/test_a.py": "", "tests/helper.py": "", "conftest.py": "",
		"pyproject.toml": "", "setup.py": "", "src/app.js": "", "src/app.test.js": "", "__tests__/util.js": "", "jest.config.js": "",
		"package.json": "", "Makefile": "", "src/test/java/ATest.java": "", "src/main/java/Latest.java": "", "src/main/java/A.java": "",
		"spec/a_spec.rb": "", "lib/a.rb": "", "web/ATest.php": "", "A.Tests/ATests.cs": "", "A/A.cs": "", "t/run.bats": "", "Cargo.toml": "",
		".gitattributes": "", ".gitignore": "", "snap/__snapshots__/x.snap": "", "fixtures/x.json": "", ".cargo/config.toml": "", "go.mod": "",
		"unittest/core.py": "", "tests/mod.py": "", "expected.txt": "", "accept/want.json": "", "golden": "", "reference.out": "", "data/expect": "", "expected.py": "",
	}
	cases := []struct {
		change string
		rule   string // "" allowed
	}{
		{"M pkg/x.go", ""},
		{"A pkg/y.go", ""},
		{"D pkg/x.go", ""},
		{"X setup.py", ""},
		{"M go.mod", ""},
		{"M Cargo.toml", ""},
		{"M pkg/x_test.go", "go-test"},
		{"D pkg/x_test.go", "go-test"},
		{"T pkg/x_test.go", "go-test"},
		{"X pkg/x_test.go", "go-test"},
		{"A pkg/y_test.go", ""},
		{"A pkg/testdata/new.txt", ""},
		{"M pkg/testdata/in.txt", "test-folder"},
		{"M tests/test_a.py", "python-test"},
		{"M tests/helper.py", "test-folder"},
		{"A tests/test_b.py", ""},
		{"A tests/helper2.py", ""},
		{"M conftest.py", "pytest-config"},
		{"A tests/conftest.py", "pytest-config"},
		{"A pkg/deep/conftest.py", "pytest-config"},
		{"A Conftest.py", "pytest-config"},
		{"M pyproject.toml", "python-project"},
		{"A pytest.ini", "pytest-config"},
		{"A .pytest.ini", "pytest-config"},
		{"A tox.ini", "python-project"},
		{"A setup.cfg", "python-project"},
		{"A noxfile.py", "python-runner-config"},
		{"M src/app.js", ""},
		{"M src/app.test.js", "js-test"},
		{"A src/b.test.js", ""},
		{"M __tests__/util.js", "js-test"},
		{"M jest.config.js", "js-runner-config"},
		{"A vitest.config.mts", "js-runner-config"},
		{"A .mocharc.yml", "js-runner-config"},
		{"A .babelrc", "js-transform"},
		{"M package.json", ""},
		{"M Makefile", ""},
		{"A GNUmakefile", ""}, // the oracle runs neither
		{"A .npmrc", "toolchain-config"},
		{"A sub/.npmrc", "toolchain-config"},
		{"M src/test/java/ATest.java", "jvm-test"},
		{"M src/main/java/Latest.java", ""},
		{"M src/main/java/A.java", ""},
		{"M spec/a_spec.rb", "ruby-test"},
		{"M lib/a.rb", ""},
		{"A .rspec", "ruby-runner-config"},
		{"M web/ATest.php", "php-test"},
		{"A phpunit.xml.dist", "php-runner-config"},
		{"A phpunit.xml", "php-runner-config"},
		{"M A.Tests/ATests.cs", "dotnet-test"},
		{"M A/A.cs", ""},
		{"A x.runsettings", "dotnet-runner-config"},
		{"M t/run.bats", "shell-test"},
		{"M .gitattributes", "shape"},
		{"A sub/.gitattributes", "shape"},
		{"A .gitmodules", "shape"},
		{"M .gitignore", ""},
		{"A sub/.gitignore", ""},
		{"M snap/__snapshots__/x.snap", "snapshot"},
		{"M expected.txt", "snapshot"},
		{"D accept/want.json", "snapshot"},
		{"M golden", "snapshot"},
		{"M reference.out", "snapshot"},
		{"M data/expect", "snapshot"},
		{"M expected.py", "snapshot"},
		{"A want.txt", ""},
		{"M fixtures/x.json", "fixture"},
		{"A fixtures/y.json", ""},
		{"M .cargo/config.toml", "cargo-config"},
		{"A .cargo/config", "cargo-config"},
		{"A rust-toolchain.toml", "cargo-config"},
		{"A go.work", "go-config"},
		{"A sitecustomize.py", "python-startup"},
		{"A usercustomize.py", "python-startup"},
		{"A lib/x.pth", "python-startup"},
		{"A x.egg-info/entry_points.txt", "python-metadata"},
		{"A x-1.dist-info/METADATA", "python-metadata"},
		{"A pytest.py", "python-shadow"},
		{"A src/pytest/__init__.py", "python-shadow"},
		{"A _pytest/x.py", "python-shadow"},
		{"A unittest.py", "python-shadow"},
		{"A unittest/case.py", "python-shadow"},
		{"M unittest/core.py", ""},
		{"A pkg/pytest.py", ""},
		{"A tests/unittest.py", "python-shadow"},
		{"A node_modules/.bin/jest", "js-shadow"},
		{"A web/node_modules/mocha/index.js", "js-shadow"},
		{"A node_modules/left-pad/index.js", ""},

		// a folder gave way, or another file is found first
		{"L tests", "python-test"},
		{"L pkg", "test-folder"},
		{"L lib", ""},
		{"A tests/Helper.py", "test-folder"},
		{"A tests/helper/__init__.py", "test-folder"},
		{"A tests/helper.cpython-311-x86_64-linux-gnu.so", "test-folder"},
		{"A __tests__/util.ts", "js-test"},
		{"A __tests__/util/index.js", "js-test"},
		{"A __tests__/util.json", ""},
		{"A pkg/x/__init__.py", ""},
	}
	g := guardOf(t, Protection{Ratchet: true, Oracle: []string{"go test ./..."}}, base)
	for _, c := range cases {
		got := g.Check([]Change{parseChange(c.change)})
		rule := ""
		if len(got) > 0 {
			rule = got[0].Rule
			if got[0].Abort || !strings.Contains(got[0].Reason, "--allow-edit") || strings.Contains(got[0].Reason, "\n") {
				t.Errorf("%s: %+v", c.change, got[0])
			}
		}
		if c.change == "L tests" && rule != "" || c.change == "L pkg" && rule != "" {
			continue // which of the files in it comes first does not matter
		}
		if rule != c.rule {
			t.Errorf("%s: rule %q, want %q", c.change, rule, c.rule)
		}
	}
}

func TestGuardRatchetByTool(t *testing.T) {
	t.Parallel()
	base := tree{"package.json": `{"scripts":{"test":"jest"}}`, "Makefile": "test:\n\tnpm test\n", "justfile": "", "pom.xml": "", "Taskfile.yml": "", "ci.sh": "make test\n"}
	cases := []struct {
		oracle, change string
		hit            bool
	}{
		{"npm test", "M package.json", true},
		{"yarn", "M package.json", true},
		{"node --run test", "M package.json", true},
		{"npx jest", "M package.json", true},
		{"node x.js", "M package.json", false},
		{"npm test", "A sub/package.json", true},
		{"make", "M Makefile", true},
		{"make", "A GNUmakefile", true},
		{"make", "A makefile", true},
		{"make", "A rules.mk", true},
		{"go test ./...", "A GNUmakefile", false},
		{"sh ci.sh", "M Makefile", true},
		{"sh ci.sh", "A GNUmakefile", true},
		{"sh ci.sh", "M package.json", true},
		{"just test", "M justfile", true},
		{"go test", "M justfile", false},
		{"task", "A Taskfile.dist.yml", true},
		{"./mvnw -q test", "M pom.xml", true},
	}
	for _, c := range cases {
		g := guardOf(t, Protection{Ratchet: true, Oracle: []string{c.oracle}}, base)
		if got := g.Check([]Change{parseChange(c.change)}); (len(got) == 1) != c.hit {
			t.Errorf("%q, %q: %+v", c.oracle, c.change, got)
		}
	}
}

func TestGuardPrograms(t *testing.T) {
	t.Parallel()
	base := tree{"app.py": "", "run.sh": "python3 tools/check.py\n", "tools/check.py": "", "file.txt": "", "x_test.go": ""}
	oracle := []string{"python3 app.py --selfcheck", "./run.sh && grep -q fixed file.txt", "./o.sh"}
	check := func(p Protection, change string) []Violation {
		t.Helper()
		return guardOf(t, p, base).Check([]Change{parseChange(change)})
	}
	for change, hit := range map[string]bool{
		"M app.py": true, "M run.sh": true, "X run.sh": true, "M tools/check.py": true, "M file.txt": false, "A o.sh": true, "A O.sh": true,
		"A App.py": true, "L tools": true, "A other.sh": false, "M x_test.go": false, "A app/__init__.py": true,
	} {
		got := check(Protection{Oracle: oracle}, change)
		if (len(got) == 1 && got[0].Rule == RuleProgram && !got[0].Abort) != hit || len(got) == 1 != hit {
			t.Errorf("%s: %+v", change, got)
		}
	}
	got := check(Protection{Oracle: oracle}, "M app.py")
	want := "changed: it is executed by the oracle command python3 app.py --selfcheck; if it is the program under repair, exempt it with --allow-edit /app.py"
	if got[0].Reason != want {
		t.Errorf("%q\nwant %q", got[0].Reason, want)
	}
	if got := check(Protection{Oracle: oracle, Allow: []string{"app.py"}}, "M app.py"); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	if got := check(Protection{Oracle: oracle, Allow: []string{"app.py"}, Globs: []string{"app.py"}}, "M app.py"); len(got) != 1 || !got[0].Abort {
		t.Errorf("%+v", got)
	}
	if got := check(Protection{Oracle: oracle, Ratchet: true, AllowTests: true}, "M run.sh"); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if _, ok := guardOf(t, Protection{Oracle: oracle}, base).Programs()["tools/check.py"]; !ok {
		t.Error("programs")
	}
}

func TestGuardAllowTests(t *testing.T) {
	t.Parallel()
	base := tree{"x_test.go": "", "conftest.py": "", "fixtures/a": ""}
	g := guardOf(t, Protection{Ratchet: true, AllowTests: true}, base)
	for change, hit := range map[string]bool{"M x_test.go": false, "M fixtures/a": false, "M conftest.py": true, "A sitecustomize.py": true} {
		if got := g.Check([]Change{parseChange(change)}); len(got) == 1 != hit {
			t.Errorf("%s: %+v", change, got)
		}
	}
	if got := guardOf(t, Protection{}, base).Check([]Change{parseChange("M x_test.go"), parseChange("M conftest.py")}); len(got) > 0 {
		t.Errorf("without the ratchet: %+v", got)
	}
}

func TestGuardSortsAndTellsOncePerPath(t *testing.T) {
	t.Parallel()
	base := tree{"b_test.go": "", "a_test.go": "", "run.sh": ""}
	g := guardOf(t, Protection{Globs: []string{"b_*"}, Ratchet: true, Oracle: []string{"./run.sh"}}, base)
	got := g.Check([]Change{parseChange("M run.sh"), parseChange("M b_test.go"), parseChange("M a_test.go")})
	var paths []string
	for _, v := range got {
		paths = append(paths, v.Path)
	}
	if !slices.Equal(paths, []string{"a_test.go", "b_test.go", "run.sh"}) || got[0].Abort || !got[1].Abort {
		t.Errorf("%+v", got)
	}
}

func TestGuardExplain(t *testing.T) {
	t.Parallel()
	base := tree{"tests/run.py": "", "x": ""}
	g := guardOf(t, Protection{Globs: []string{"tests/"}, Ratchet: true, Allow: []string{"tests/run.py"}, Oracle: []string{"python tests/run.py"}}, base)
	var names []string
	for _, r := range g.Explain("tests/run.py") {
		names = append(names, r.Name)
		if r.Exempt == (r.Name == RuleProtect) || r.Reason == "" || r.Name != RuleProgram && r.Pattern == "" {
			t.Errorf("%+v", r)
		}
	}
	if got := strings.Join(names, " "); got != "protect oracle-program test-folder" {
		t.Error(got)
	}
	if got := g.Explain("x"); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestGuardErrorsAndUnmatched(t *testing.T) {
	t.Parallel()
	var bad *GlobError
	if _, err := NewGuard(Protection{Globs: []string{"ok", "[x"}}, nil, nil); !errors.As(err, &bad) || bad.Pattern != "[x" || !strings.HasPrefix(err.Error(), "--protect: ") {
		t.Error(err)
	}
	if _, err := NewGuard(Protection{Allow: []string{"{"}}, nil, nil); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), "--allow-edit: ") {
		t.Error(err)
	}
	g := guardOf(t, Protection{Globs: []string{"tests/**", "no/such/**", "*.go"}}, tree{"tests/a": "", "b.go": ""})
	if got := g.Unmatched(); !slices.Equal(got, []string{"no/such/**"}) {
		t.Errorf("%q", got)
	}
	if _, err := NewGuard(Protection{Ratchet: true, Oracle: []string{"./run.sh"}}, []Entry{{Path: "run.sh", Mode: modeFile}}, nil); err != nil {
		t.Errorf("without a reader: %v", err)
	}
}

// Every row of the tables is a valid pattern, has a name and a text, and a
// name means one policy.
func TestRoleTables(t *testing.T) {
	t.Parallel()
	policies := map[string]policy{}
	for _, r := range roles() {
		if r.name == "" || r.what == "" || r.policy == "" || len(r.patterns) == 0 {
			t.Errorf("%+v", r)
		}
		if p, ok := policies[r.name]; ok && p != r.policy {
			t.Errorf("%s has two policies", r.name)
		}
		policies[r.name] = r.policy
		for _, pattern := range r.patterns {
			if _, err := compileGlob(pattern); err != nil {
				t.Error(err)
			}
		}
	}
}
