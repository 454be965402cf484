package feedback

import (
	"bytes"
	"strings"
)

// nodeTest reads the report of Node's own test runner (node:test), as TAP and
// as spec. Both end with the same summary, "# tests 3" or "ℹ tests 3" and so
// on; what a test prints is a TAP comment too, but never behind the plan.
type nodeTest struct {
	f     *findings
	stack jsStack
	yaml  nodeYAML

	path    []string // titles of the open suites by depth
	listing bool     // in the repeated list of failing tests at the end

	started bool  // a TAP stream is open
	planAt  int64 // line of the last plan at the left edge
	titleAt int64 // line of the last failed test of the spec report, whose text follows
	placeAt int64 // line of the last "test at path:1:1" of the list at the end

	files int // files that failed to load or crashed, since the last summary
	loads int // of these, failures to load

	sum     nodeSummary
	sumNext int // index of the summary's next row; 0 outside a summary
}

// nodeSummary is the closing tally.
type nodeSummary struct {
	tap    bool
	pass   int
	bad    int // failed or cancelled
	todo   int
	passed string // the row of the passed tests
}

func newNodeTest(f *findings) runner {
	n := &nodeTest{f: f, stack: jsStack{f: f}}
	n.yaml.n = n
	return n
}

func (n *nodeTest) line(l *line) {
	if len(l.text) == 0 {
		return
	}
	if n.yaml.line(l) {
		return
	}
	if _, load := n.stack.line(l); load {
		n.loads++
		because(&n.f.whyBuild, &line{text: n.stack.fault})
	}
	if n.sumNext > 0 && n.summary(l) {
		return
	}
	body := l.body()
	switch body[0] {
	case '#':
		if title, ok := bytes.CutPrefix(body, []byte("# Subtest: ")); ok && l.indent%4 == 0 {
			n.f.recognise(l)
			n.title(l.indent/4, string(title))
			return
		}
		if l.indent == 0 && l.no == n.planAt+1 && hasPrefix(l.text, "# tests ") {
			n.open(l, true)
		}
	case 'n':
		if hasPrefix(body, "not ok ") && l.indent%4 == 0 {
			n.notOK(l, body)
		}
	case '1':
		if l.indent == 0 && hasPrefix(l.text, "1..") {
			n.planAt = l.no
		}
	case 'T':
		if l.indent == 0 && hasPrefix(l.text, "TAP version ") {
			n.started, n.listing = true, false
		}
	case 0xe2: // the first byte of the spec report's marks
		n.mark(l, body)
	case '\'':
		if n.titleAt == 0 || l.no != n.titleAt+1 {
			return
		}
		if string(body) == "'test failed'" {
			n.files++
		} else {
			n.f.assert(l.no, strings.Trim(string(body), "'"))
		}
	case 't':
		if hasPrefix(l.text, "test at ") {
			n.placeAt = l.no
		}
	}
}

// title opens a test or suite at a depth.
func (n *nodeTest) title(depth int, title string) {
	if depth > len(n.path) || depth > 64 {
		return
	}
	n.path = append(n.path[:depth], title)
}

func (n *nodeTest) name(depth int, title string) string {
	if depth > len(n.path) {
		return title
	}
	return strings.Join(append(append([]string(nil), n.path[:depth]...), title), " > ")
}

// notOK reads "not ok 1 - title # TODO".
func (n *nodeTest) notOK(l *line, body []byte) {
	rest := body[len("not ok "):]
	_, size := digits(rest)
	title, ok := bytes.CutPrefix(rest[size:], []byte(" - "))
	if size == 0 || !ok {
		return
	}
	title, directive := tapDirective(title)
	n.yaml.open(l, n.name(l.indent/4, string(title)), directive != "")
}

// mark reads a line of the spec report.
func (n *nodeTest) mark(l *line, body []byte) {
	mark, text, ok := bytes.Cut(body, []byte(" "))
	if !ok {
		return
	}
	depth := l.indent / 2
	switch string(mark) {
	case "▶":
		title, _ := nodeTimed(text)
		n.title(depth, string(title))
		n.listing, n.stack.quiet = false, false
	case "✔", "﹣":
		n.listing, n.stack.quiet = false, false
	case "✖":
		if string(text) == "failing tests:" {
			n.listing = true
			n.stack.quiet = true
			return
		}
		title, timed := nodeTimed(text)
		if !timed {
			return
		}
		n.f.recognise(l)
		n.titleAt = 0
		n.listing = n.listing && n.placeAt > 0 && l.no == n.placeAt+1
		n.stack.quiet = n.listing || bytes.Contains(text, []byte("ms) # ")) // TODO or SKIP
		if n.stack.quiet {
			return
		}
		n.titleAt = l.no
		suite := depth < len(n.path) && n.path[depth] == string(title)
		n.f.test(l.no, n.name(depth, string(title)))
		if !suite {
			n.f.fail(l)
		}
	case "ℹ":
		if l.indent == 0 && hasPrefix(text, "tests ") {
			n.open(l, false)
		}
	}
}

// nodeTimed splits "title (1.5ms)".
func nodeTimed(b []byte) (title []byte, ok bool) {
	i := bytes.LastIndex(b, []byte("ms)"))
	if i < 0 {
		return b, false
	}
	k := bytes.LastIndex(b[:i], []byte(" ("))
	if k < 0 {
		return b, false
	}
	return b[:k], true
}

func (n *nodeTest) end() {
	n.yaml.close()
	n.stack.flush()
	if n.started && n.f.seenAt > 0 {
		n.f.incomplete = "node:test: a report was started and never summed up"
	}
}
