package feedback

import "bytes"

// jsStack reads errors as V8 prints them: "TypeError: text", perhaps with more
// lines, then frames "    at f (file:///x.js:3:5)", the innermost first. It
// also reads the fatal form that Node prints when a file cannot be loaded: the
// place, the error, the frames and a line "Node.js v20.1.0".
type jsStack struct {
	f    *findings
	st   frames
	text block // the error's text, until its first frame

	inFrames bool
	quiet    bool // the error is expected: keep nothing

	fatal jsFatal
	fault []byte // the error of the last fatal block
}

// jsFatal is what is known of an error that may turn out to be fatal.
type jsFatal struct {
	place    string // file of the line "file:///x.js:3" above the error
	placeAt  int
	error    []byte
	importer string // file that asks for a missing module
	what     string // the missing name
	stack    bool   // the next line is the first of "Require stack:"
	internal bool   // the innermost frame is Node's module loader, and no function of the program's ran
	framed   bool   // a frame was seen
	set      bool
}

// line takes a line and tells whether a fatal error's block has ended with it;
// load then says that it was a failure to load a file.
func (j *jsStack) line(l *line) (fatal, load bool) {
	body, indent := l.body(), l.indent
	if hasPrefix(l.text, "# ") { // a TAP comment holds what the file printed
		body = bytes.TrimLeft(l.text[2:], " ")
		indent = len(l.text) - 2 - len(body)
	}
	if len(body) == 0 || !j.inFrames && !j.fatal.stack && j.text.lines == 0 && !jsOpens(body[0]) {
		return false, false
	}
	if body[0] == 'a' && hasPrefix(body, "at ") && indent > 0 {
		if name, n, ok := jsFrame(body[len("at "):]); ok {
			j.frame(l, name, n, jsTopLevel(body[len("at "):]))
			return false, false
		}
	}
	if j.inFrames {
		j.inFrames = false
		j.st.end(j.f, false)
	}
	if indent == 0 && (body[0] == 'f' || body[0] == '/' || body[0] == 'n') && hasAnyPrefix(body, "file://", "/", "node:") {
		if name, n, ok := jsPlace(body); ok {
			j.fatal = jsFatal{place: string(name), placeAt: n}
			return false, false
		}
	}
	switch {
	case hasPrefix(body, "Node.js v") && indent == 0:
		fatal, load = j.end(l)
	case jsError(body):
		j.error(l, body)
	case j.fatal.stack:
		j.fatal.stack = false
		if rest, ok := bytes.CutPrefix(body, []byte("- ")); ok {
			j.fatal.importer = string(rest)
		}
	case string(body) == "Require stack:":
		j.fatal.stack = j.fatal.importer == ""
	case j.text.lines > 0:
		j.text.add(l.no, body)
		if j.text.lines > 2*blockMax {
			j.drop()
		}
	}
	return fatal, load
}

// jsOpens tells the characters with which a line of interest can start: an
// error's name, a frame, a place, "Node.js" and "Require stack".
func jsOpens(c byte) bool {
	return c >= 'A' && c <= 'Z' || c == 'a' || c == 'f' || c == '/' || c == 'n'
}

func (j *jsStack) drop() { j.text.drop() }

// error starts an error's text.
func (j *jsStack) error(l *line, body []byte) {
	j.drop()
	j.text.add(l.no, body)
	place, at := j.fatal.place, j.fatal.placeAt
	j.fatal = jsFatal{place: place, placeAt: at, set: true, error: append([]byte(nil), clip(body, showText)...)}
	if what, ok := between(body, "does not provide an export named '", "'"); ok {
		j.fatal.what, j.fatal.importer = string(what), place
	}
	for _, kind := range []string{"Cannot find module '", "Cannot find package '"} {
		if what, ok := between(body, kind, "'"); ok {
			j.fatal.what = string(what)
			if _, from, ok := bytes.Cut(body, []byte("' imported from ")); ok {
				j.fatal.importer = string(from)
			}
		}
	}
}

// frame takes a frame's place; an empty name is one that has none.
func (j *jsStack) frame(l *line, name []byte, n int, top bool) {
	if !j.fatal.framed {
		j.fatal.framed = true
		j.fatal.internal = hasAnyPrefix(name, "node:internal/modules/", "node:internal/vm")
	}
	if len(name) > 0 && !hasPrefix(name, "node:") && !top {
		j.fatal.internal = false // a function of the program was running
	}
	if j.quiet {
		j.drop()
		return
	}
	if j.text.lines > 0 {
		first, _, _ := bytes.Cut(j.text.buf, []byte("\n"))
		j.f.failText(j.text.no, first)
		j.f.assertBlock(&j.text)
	}
	j.inFrames = true
	if len(name) > 0 {
		j.st.add(j.f, l.no, name, n)
	}
}

// end closes the block of a fatal error. It was a failure to load a file when
// the module loader itself raised it.
func (j *jsStack) end(l *line) (fatal, load bool) {
	e := j.fatal
	j.fatal = jsFatal{}
	if !e.set {
		return false, false
	}
	j.fault = e.error
	load = e.internal && (hasPrefix(e.error, "SyntaxError: ") || e.what != "")
	if !load {
		return true, false
	}
	if e.place != "" && hasPrefix(e.error, "SyntaxError: ") {
		j.f.locus(rankCompile, l.no, []byte(e.place), e.placeAt)
	}
	if e.what != "" && e.importer != "" {
		j.f.missing(e.what, e.importer)
	} else {
		j.f.unexplained++
	}
	return true, true
}

func (j *jsStack) flush() {
	j.inFrames = false
	j.st.end(j.f, false)
	j.drop()
}

// jsError tells whether a text starts with an error's name: "TypeError: x",
// "AssertionError [ERR_ASSERTION]: x", "Uncaught Error: x".
func jsError(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("Uncaught "))
	if len(b) == 0 || b[0] < 'A' || b[0] > 'Z' {
		return false
	}
	i := 0
	for i < len(b) && (isWord(b[i]) || b[i] == '.') {
		i++
	}
	if !hasSuffix(b[:i], "Error") && !hasSuffix(b[:i], "Exception") {
		return false
	}
	rest := b[i:]
	if hasPrefix(rest, " [") {
		k := bytes.IndexByte(rest, ']')
		if k < 0 {
			return false
		}
		rest = rest[k+1:]
	}
	return len(rest) == 0 || rest[0] == ':'
}

// jsFrame reads what follows "at ": "f (place)", "async f (place)", "place".
// Frames without a place ("<anonymous>", "native") give an empty name.
func jsFrame(b []byte) (name []byte, n int, ok bool) {
	b = bytes.TrimSuffix(b, []byte(" {"))
	if hasSuffix(b, ")") {
		i := bytes.LastIndex(b, []byte(" ("))
		if k := bytes.LastIndex(b, []byte(" (file://")); k >= 0 {
			i = k
		} else if k := bytes.LastIndex(b, []byte(" (/")); k >= 0 {
			i = k
		}
		if i < 0 {
			return nil, 0, false
		}
		b = b[i+2 : len(b)-1]
		if name, n, ok := jsPlace(b); ok {
			return name, n, true
		}
		return nil, 0, true
	}
	b = bytes.TrimPrefix(b, []byte("async "))
	if name, n, ok := jsPlace(b); ok {
		return name, n, true
	}
	return nil, 0, false
}

// jsTopLevel tells whether a frame is the top level of a module.
func jsTopLevel(b []byte) bool {
	return hasPrefix(b, "Object.<anonymous> (") || !hasSuffix(bytes.TrimSuffix(b, []byte(" {")), ")")
}

// jsPlace reads "path:LINE:COLUMN" or "path:LINE", the whole text.
func jsPlace(b []byte) (name []byte, n int, ok bool) {
	i := bytes.LastIndexByte(b, ':')
	if i <= 0 {
		return nil, 0, false
	}
	n, size := digits(b[i+1:])
	if size == 0 || i+1+size != len(b) {
		return nil, 0, false
	}
	if k := bytes.LastIndexByte(b[:i], ':'); k > 0 {
		if m, size := digits(b[k+1 : i]); size > 0 && k+1+size == i {
			i, n = k, m
		}
	}
	return b[:i], n, true
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}
