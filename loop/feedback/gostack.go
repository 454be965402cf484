package feedback

import "bytes"

// goStack reads goroutine stacks (runtime/traceback.go) after a panic or fatal
// error, and the stacks of race reports. A frame is a line with the function
// and a line with "<tab>path:line +0x1f".
type goStack struct {
	f       *findings
	armed   bool // a panic or fatal error was announced
	timeout bool // it was the test binary's own alarm
	listing bool // inside the alarm's list of running tests
	first   bool // no stack of this crash has been ranked
	inside  bool // between "goroutine N [state]:" and the blank line
	created bool // the next place is where the goroutine was started
	test    bool // the stack is a test's: tRunner called it
	race    bool // inside a race report
	st      frames
	text    block
}

func newGoStack(f *findings) runner { return &goStack{f: f} }

func (g *goStack) end() { g.flush() }

func (g *goStack) line(l *line) {
	if len(l.text) == 0 {
		g.flush()
		return
	}
	switch c := l.text[0]; {
	case c == '\t':
		g.tab(l)
	case c == ' ':
		if g.race {
			g.raceFrame(l)
		}
	case c == 'p' && hasPrefix(l.text, "panic: "), c == 'f' && hasPrefix(l.text, "fatal error: "):
		g.crash(l)
	case c == 'g' && hasPrefix(l.text, "goroutine ") && hasSuffix(l.text, "]:"):
		g.flush()
		if g.inside = g.armed; g.inside {
			g.f.recognise(l)
		}
	case c == 'c' && hasPrefix(l.text, "created by "):
		g.created = g.inside
	case c == 't' && g.inside && hasPrefix(l.text, "testing.tRunner("):
		g.test = true
	case c == 'm' && g.inside && hasPrefix(l.text, "main.main("):
		g.test = false // the runner itself, which waits for a test
	case c == 'W' && string(l.text) == "WARNING: DATA RACE":
		g.flush()
		g.race = true
		g.f.recognise(l)
		g.f.fail(l)
		g.f.assert(l.no, string(l.text))
	case g.race:
		g.flush()
		if hasPrefix(l.text, "=====") {
			g.race = false
		} else {
			g.created = hasSuffix(l.text, "created at:")
		}
	case hasPrefix(l.text, "exit status "), hasPrefix(l.text, "FAIL"):
		g.flush()
		g.armed = false
	default:
		if g.text.lines > 0 && !g.inside {
			g.text.add(l.no, l.text)
		}
	}
}

func (g *goStack) crash(l *line) {
	g.flush()
	g.armed, g.first = true, true
	g.timeout = bytes.Contains(l.text, []byte("test timed out after "))
	g.f.fail(l)
	g.text.add(l.no, l.text)
}

// tab reads the place of a frame, or a test that the alarm found running.
func (g *goStack) tab(l *line) {
	if g.timeout && !g.inside {
		body := l.body()
		if string(body) == "running tests:" {
			g.listing = true
			return
		}
		if i := bytes.LastIndex(body, []byte(" (")); g.listing && i > 0 && l.indent == 2 {
			g.f.test(l.no, string(body[:i]))
		}
		return
	}
	if !g.inside {
		if g.text.lines > 0 {
			g.text.add(l.no, l.text)
		}
		return
	}
	name, n, _, ok := diagnostic(l.text[1:])
	if !ok {
		return
	}
	if g.created {
		g.created = false
		g.f.locus(rankOuter, l.no, name, n)
		return
	}
	g.st.add(g.f, l.no, name, n)
}

// raceFrame reads the place of a frame of a race report, six blanks deep.
func (g *goStack) raceFrame(l *line) {
	if l.indent != 6 {
		return
	}
	if name, n, _, ok := diagnostic(l.body()); ok {
		g.st.add(g.f, l.no, name, n)
	}
}

// flush ranks the stack that has ended. The goroutine that crashed is printed
// first; after a timeout that is the alarm, and the tests' own stacks count.
func (g *goStack) flush() {
	g.f.assertBlock(&g.text)
	found := len(g.st.list) > 0
	inner := g.first && !g.timeout || g.timeout && g.test
	if g.race {
		inner = !g.created
	}
	if inner {
		g.st.end(g.f, false)
	} else {
		g.st.outer(g.f)
	}
	if found {
		g.first = false
	}
	g.inside, g.created, g.test, g.listing = false, false, false, false
}
