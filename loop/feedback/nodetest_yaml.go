package feedback

import (
	"bytes"
	"strings"
)

// nodeYAML reads the block of details below a TAP line "not ok": from "---" to
// "...", two blanks deeper than the line.
type nodeYAML struct {
	n        *nodeTest
	no       int64
	indent   int
	name     string
	expected bool // TODO or SKIP: the failure does not count
	pending  bool // the next line may open the block
	inside   bool

	key   string // the key whose lines follow
	text  block
	suite bool // failed only because tests inside failed
	file  bool // a file's process failed
	st    frames
}

func (y *nodeYAML) open(l *line, name string, expected bool) {
	y.close()
	*y = nodeYAML{n: y.n, no: l.no, indent: l.indent + 2, name: name, expected: expected, pending: true}
	if !expected {
		y.n.f.test(l.no, name)
		y.n.f.fail(l)
	}
}

// line tells whether the line belongs to a block.
func (y *nodeYAML) line(l *line) bool {
	if y.pending {
		y.pending = false
		y.inside = l.indent == y.indent && string(l.body()) == "---"
		if !y.inside {
			y.close()
		}
		return y.inside
	}
	if !y.inside {
		return false
	}
	body := l.body()
	if l.indent < y.indent {
		y.inside = false
		y.close()
		return false
	}
	if l.indent > y.indent {
		y.more(l, body)
		return true
	}
	if string(body) == "..." {
		y.close()
		y.inside = false
		return true
	}
	key, value, ok := bytes.Cut(body, []byte(":"))
	if !ok {
		return true
	}
	y.key = string(key)
	value = bytes.TrimLeft(value, " ")
	switch y.key {
	case "failureType":
		y.suite = string(value) == "'subtestsFailed'"
	case "exitCode":
		y.file = true
	case "error":
		if string(value) != "|-" {
			y.text.add(l.no, []byte(strings.Trim(string(value), `'"`)))
		}
	}
	return true
}

// more reads the lines of a value that spans several.
func (y *nodeYAML) more(l *line, body []byte) {
	if y.expected {
		return
	}
	switch y.key {
	case "error":
		if y.text.lines > 0 || len(body) > 0 {
			y.text.add(l.no, body)
		}
	case "stack":
		if name, n, ok := jsFrame(body); ok && len(name) > 0 {
			y.st.add(y.n.f, l.no, name, n)
		}
	}
}

func (y *nodeYAML) close() {
	if y.name == "" {
		return
	}
	no, text := y.text.take()
	if !y.expected && !y.suite {
		if y.file {
			y.n.files++
		} else {
			y.n.f.assert(no, text)
		}
	}
	y.st.end(y.n.f, false)
	y.name, y.pending = "", false
}
