package feedback

import (
	"bytes"
	"strings"
)

// unittest reads the report of Python's unittest.TextTestRunner: for each
// problem a rule of 70 "=", "FAIL: test (id)", a rule of 70 "-" and a
// traceback; at the end a rule of "-", "Ran N tests in 0.1s", a blank line and
// "OK" or "FAILED (failures=1)".
type unittest struct {
	f     *findings
	stack pyStack
	text  block

	prev   ruleKind // what the line before was
	head   bool     // between a problem's title and the rule below it
	inside bool     // in a problem's traceback
	loader bool     // the problem is a module that could not be loaded
	fault  bool     // the load failure's exception was seen

	counted int // N of "Ran N tests", -1 outside a summary
	waits   int // lines since then
	modules int // load failures since the last summary
}

type ruleKind byte

const (
	noRule ruleKind = iota
	doubleRule
	singleRule
)

func newUnittest(f *findings) runner {
	u := &unittest{f: f, counted: -1}
	u.stack = pyStack{f: f, raised: u.raised}
	return u
}

func (u *unittest) line(l *line) {
	prev := u.prev
	u.prev = noRule
	if len(l.text) == 70 && (l.text[0] == '=' || l.text[0] == '-') {
		switch {
		case ruleOf(l.text, '=', 70):
			u.close()
			u.prev = doubleRule
			return
		case ruleOf(l.text, '-', 70):
			if u.head {
				u.head, u.inside = false, true
				return
			}
			u.close()
			u.prev = singleRule
			return
		}
	}
	switch {
	case prev == doubleRule:
		u.title(l)
	case prev == singleRule && hasPrefix(l.text, "Ran "):
		u.ran(l)
	case u.counted >= 0:
		u.summary(l)
	case u.inside:
		u.detail(l)
	}
}

// title reads "FAIL: test_x (module.Class.test_x)".
func (u *unittest) title(l *line) {
	rest, ok := bytes.CutPrefix(l.text, []byte("FAIL: "))
	if !ok {
		if rest, ok = bytes.CutPrefix(l.text, []byte("ERROR: ")); !ok {
			return
		}
	}
	u.f.recognise(l)
	u.head = true
	u.fault = false
	name := unittestName(string(rest))
	rest, u.loader = bytes.CutPrefix([]byte(name), []byte("unittest.loader._FailedTest."))
	if u.loader {
		u.modules++
	}
	u.f.test(l.no, string(rest))
	u.f.fail(l)
}

// unittestName makes "module.Class.test" of "test (module.Class)", as older
// versions print it, and of "test (module.Class.test) (n=1)".
func unittestName(s string) string {
	name, rest, ok := strings.Cut(s, " (")
	if !ok {
		return s
	}
	id, tail, ok := strings.Cut(rest, ")")
	if !ok {
		return s
	}
	if !strings.HasSuffix(id, "."+name) {
		id += "." + name
	}
	return id + strings.TrimRight(tail, " ")
}

func (u *unittest) detail(l *line) {
	if u.stack.line(l) {
		if u.stack.inside {
			u.flush()
		}
		return
	}
	if hasAnyPrefix(l.text, "The above exception was the direct cause", "During handling of the above exception") {
		u.flush()
	}
	if u.text.lines > 0 {
		u.text.add(l.no, l.text)
	}
}

func (u *unittest) raised(l *line, text []byte) {
	u.flush()
	u.f.fail(l)
	u.text.add(l.no, text)
	if !u.loader {
		return
	}
	u.fault = true
	if name, ok := pyUndefined(text); ok && u.stack.importer != "" {
		u.f.missing(name, u.stack.importer)
	} else {
		u.f.unexplained++
	}
}

func (u *unittest) ran(l *line) {
	n, size := digits(l.text[len("Ran "):])
	tail := l.text[len("Ran ")+size:]
	if size == 0 && hasPrefix(tail, "0 ") {
		n, tail = 0, tail[1:]
	} else if size == 0 {
		return
	}
	if hasPrefix(tail, " test") && bytes.Contains(tail, []byte(" in ")) {
		u.f.recognise(l)
		u.counted, u.waits = n, 0
	}
}

// summary reads the verdict, which stands one blank line below "Ran".
func (u *unittest) summary(l *line) {
	u.waits++
	if len(l.text) == 0 && u.waits == 1 {
		return
	}
	n := u.counted
	u.counted = -1
	verdict, rest, _ := bytes.Cut(l.text, []byte(" ("))
	count := func(key string) int { return unittestCount(rest, key) }
	switch string(verdict) {
	case "OK", "NO TESTS RAN":
		if n-count("skipped") <= 0 {
			u.f.empty(l)
		} else {
			u.f.ran = true
		}
	case "FAILED":
		bad := count("failures") + count("errors") + count("unexpected successes")
		u.f.reports(l, max(bad, 1), max(bad-u.modules, 0))
		if u.modules > 0 {
			u.f.builds(l, u.modules)
		}
		if n > u.modules {
			u.f.ran = true
		}
	}
	u.modules = 0
}

// unittestCount reads one of "failures=1, errors=2".
func unittestCount(b []byte, key string) int {
	i := bytes.Index(b, []byte(key+"="))
	if i < 0 || i > 0 && b[i-1] != ' ' && b[i-1] != '(' {
		return 0
	}
	n, _ := digits(b[i+len(key)+1:])
	return n
}

// close ends the problem before.
func (u *unittest) close() {
	if u.inside {
		u.stack.st.end(u.f, true)
		u.stack.inside = false
		if u.loader && !u.fault {
			u.f.unexplained++
		}
	}
	u.flush()
	u.head, u.inside, u.loader = false, false, false
}

func (u *unittest) flush() {
	u.f.assertBlock(&u.text)
}

func (u *unittest) end() { u.close() }
