package feedback

import (
	"bytes"
	"strings"
)

// goTest reads `go test`, plain and -v (cmd/go/internal/test, package testing):
// result lines "--- FAIL: Name (0.00s)", log lines "    file_test.go:12: text"
// and the verdict of a package, "ok|FAIL<tab>package<tab>time".
//
// Tests may print such lines too. Only a package's verdict counts for what the
// report says, and with -v a result or a verdict inside a test that has not
// ended is that test's own output: the runner starts no other test, and ends
// no package, while a sequential test runs.
type goTest struct {
	f     *findings
	build goBuild
	logs  goLogs

	verbose  bool
	running  string          // sequential test that has started and not ended (-v)
	parallel map[string]bool // paused tests without a result (-v)

	status byte // 'P' or 'F': the last bare PASS or FAIL line of the package
	fails  int  // results of top-level tests since the last verdict
	passes int
	skips  int

	doubt goVerdict
}

// goVerdict is what bad verdicts added to the findings while a test was
// running. It stands, unless that test ends after them.
type goVerdict struct {
	test                  string
	no                    int64 // line of the first
	reported, real, build int
}

func newGoTest(f *findings) runner {
	g := &goTest{f: f, parallel: map[string]bool{}}
	g.build.f, g.logs.f = f, f
	return g
}

func (g *goTest) line(l *line) {
	if len(l.text) == 0 || g.build.line(l) {
		return
	}
	switch c := l.text[0]; {
	case c == ' ' || c == '-':
		if body := l.body(); hasPrefix(body, "--- ") {
			g.result(l, body)
			return
		}
		if g.logs.line(l) {
			return
		}
	case c == '=' && hasPrefix(l.text, "=== "):
		g.control(l)
		return
	case c == 'o' && hasPrefix(l.text, "ok  \t"):
		g.good(l)
		return
	case c == 'F' && hasPrefix(l.text, "FAIL"):
		g.bad(l)
		return
	case c == 'P' && string(l.text) == "PASS":
		g.status = 'P'
		return
	case c == '?' && hasPrefix(l.text, "?   \t") && hasSuffix(l.text, "[no test files]"),
		c == '\t' && bytes.Contains(l.text, []byte("\t\tcoverage: 0.0% of statements")):
		g.f.empty(l)
		return
	case c == 'n' && string(l.text) == "no packages to test": // go exits with 1
		g.f.empty(l)
		g.f.builds(l, 1)
		g.f.unexplained++
		return
	}
	g.logs.flush()
	if g.verbose {
		g.unfinished(l)
	}
}

// unfinished finds the result of a test that has started behind text that it
// printed without ending the line.
func (g *goTest) unfinished(l *line) {
	i := bytes.LastIndex(l.text, []byte("--- "))
	if i <= 0 || !hasAnyPrefix(l.text[i+len("--- "):], "PASS: ", "FAIL: ", "SKIP: ") {
		return
	}
	name, _, ok := bytes.Cut(l.text[i+len("--- PASS: "):], []byte(" ("))
	if test := string(name); ok && (test == g.running || test == g.doubt.test || g.parallel[test]) {
		g.result(l, l.text[i:])
	}
}

// control reads the lines that -v prints around tests.
func (g *goTest) control(l *line) {
	g.logs.flush()
	verb, name, _ := bytes.Cut(l.text[len("=== "):], []byte(" "))
	test := g.intern(bytes.TrimSpace(name))
	top, _, sub := strings.Cut(test, "/")
	switch string(verb) {
	case "RUN":
		g.f.recognise(l)
		g.verbose = true
		if g.running != "" && g.running != top {
			return // printed by the running test
		}
		if g.doubt.test == test {
			g.believe() // it starts anew: the verdict before was the runner's
		}
		if !sub {
			g.running = test
		}
		g.logs.speaker(test, false)
	case "PAUSE":
		if g.running == test && len(g.parallel) < keepNames {
			g.running = ""
			g.parallel[test] = true
		}
		g.logs.speaker("", false)
	case "CONT", "NAME":
		g.logs.speaker(test, false)
	}
}

// intern saves the memory of a name that is known.
func (g *goTest) intern(name []byte) string {
	for _, known := range []string{g.running, g.logs.speaks} {
		if string(name) == known {
			return known
		}
	}
	return string(name)
}

// result reads "--- PASS|FAIL|SKIP: Name (0.00s)".
func (g *goTest) result(l *line, body []byte) {
	g.logs.flush()
	word, name, _ := bytes.Cut(body[len("--- "):], []byte(": "))
	i := bytes.LastIndex(name, []byte(" ("))
	if i < 0 || !hasSuffix(name, "s)") || !hasAnyPrefix(word, "PASS", "FAIL", "SKIP") {
		return
	}
	test := g.intern(name[:i])
	top, _, sub := strings.Cut(test, "/")
	if g.doubt.test == test {
		g.takeBack()
	}
	if g.running != "" && g.running != top {
		return // printed by the running test
	}
	g.f.recognise(l)
	if !sub {
		g.running = ""
		delete(g.parallel, test)
	}
	failed := word[0] == 'F'
	switch {
	case failed:
		g.fails++
		g.f.test(l.no, test)
		g.f.fail(l)
	case sub:
	case word[0] == 'S':
		g.skips++
	default:
		g.passes++
	}
	g.logs.result(test, failed)
	if failed {
		g.logs.speaker(test, !g.verbose)
	}
}

// good reads a package's verdict "ok".
func (g *goTest) good(l *line) {
	if g.running != "" {
		return // printed by the running test, or the report was cut off: see end
	}
	g.f.recognise(l)
	switch {
	case hasSuffix(l.text, "[no tests to run]"):
		g.f.empty(l)
	case g.skips > 0 && g.passes+g.fails == 0:
		g.f.none = true
		setFirst(&g.f.whyNone, "go test: every test was skipped")
	case g.fails > 0 && (g.verbose || g.status == 'F'):
		g.f.ran = true
		setFirst(&g.f.whyReported, "go test: tests failed in a package that is ok")
		g.f.reports(l, 1, 1)
	case len(g.parallel) > 0:
		g.f.ran = true
		g.f.incomplete = "go test: a test was started and has no result"
	default:
		g.f.ran = true
	}
	g.reset(packageOf(l.text[len("ok  \t"):]))
}

// bad reads a package's verdict "FAIL", or the bare FAIL of a test binary.
func (g *goTest) bad(l *line) {
	g.logs.flush()
	rest := l.text[len("FAIL"):]
	if len(rest) == 0 {
		g.status = 'F'
		return
	}
	if rest[0] != '\t' {
		return
	}
	g.f.fail(l)
	v := goVerdict{reported: 1}
	pkg := packageOf(rest[1:])
	switch {
	case hasSuffix(l.text, " [build failed]"):
		v.build = 1
		g.f.builds(l, 1)
		g.build.verdict(pkg)
	case hasSuffix(l.text, " [setup failed]"):
		v.build = 1
		g.f.builds(l, 1)
		g.f.unexplained++
		g.f.failText(l.no-1, g.build.refusal)
	default:
		v.real = 1
		g.f.ran = true
	}
	g.f.reports(l, v.reported, v.real)
	if g.running != "" && g.doubt.test == "" {
		g.doubt.test, g.doubt.no = g.running, l.no
	}
	if g.doubt.test != "" {
		g.doubt.reported += v.reported
		g.doubt.real += v.real
		g.doubt.build += v.build
	}
	g.logs.keep()
	g.reset(pkg)
}

// believe lets the doubted verdicts stand: the package ended while the test was
// running, so the test ended it.
func (g *goTest) believe() {
	g.f.test(g.doubt.no, g.doubt.test)
	g.doubt = goVerdict{}
}

// takeBack undoes verdicts that turned out to be printed by a test.
func (g *goTest) takeBack() {
	g.f.reported -= g.doubt.reported
	g.f.real -= g.doubt.real
	g.f.build -= g.doubt.build
	g.doubt = goVerdict{}
}

// reset forgets what belongs to a finished package.
func (g *goTest) reset(pkg string) {
	g.logs.finish(pkg)
	g.running, g.status = "", 0
	g.fails, g.passes, g.skips = 0, 0, 0
	clear(g.parallel)
}

func (g *goTest) end() {
	g.build.end()
	g.logs.flush()
	g.believe()
	switch {
	case g.fails > 0 && g.status == 'F': // a test binary that was run by itself
		g.f.ran = true
		g.f.reported++
		g.f.real++
		g.f.whyReported = "FAIL"
	case g.running != "" || len(g.parallel) > 0:
		g.f.incomplete = "go test: a test was started and has no result"
	}
	g.logs.keep()
	g.logs.finish("")
}

// packageOf returns the import path at the start of a verdict's tail.
func packageOf(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte("\t"))
	if i := bytes.LastIndex(b, []byte(" [")); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
