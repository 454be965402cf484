package feedback

import "bytes"

// pytest reads the terminal report of pytest (all --tb styles): sections
// "=== FAILURES ===", tests "___ name ___", lines "E   text", places
// "path:3: Error" with the innermost last, "FAILED path::test - text" in the
// short summary, and the closing "=== 1 failed, 2 passed in 0.1s ===".
type pytest struct {
	f    *findings
	st   frames
	text block
	// native reads the tracebacks of --tb=native.
	native pyStack

	noneAt int64 // line of the last summary without a test

	open     bool // a session has started and not been summed up
	section  pytestSection
	captured bool // inside output that a test printed
	named    bool // a test's title was seen in this section

	collecting int    // modules that could not be collected, since the last summary
	loading    bool   // the entry is one of them, or a conftest file
	fault      bool   // its import error was seen
	importer   string // the last place of the entry, outside the import machinery
}

type pytestSection byte

const (
	pytestOther pytestSection = iota
	pytestProblems
	pytestShort
)

func newPytest(f *findings) runner {
	p := &pytest{f: f}
	p.native = pyStack{f: f, raised: p.raised}
	return p
}

func (p *pytest) line(l *line) {
	if len(l.text) == 0 {
		return
	}
	switch l.text[0] {
	case '=':
		if words, ok := heading(l.text, '='); ok {
			p.heading(l, words)
			return
		}
	case '_':
		if words, ok := heading(l.text, '_'); ok && p.section == pytestProblems {
			p.title(l, words)
			return
		}
	case '-':
		if words, ok := heading(l.text, '-'); ok && hasPrefix(words, "Captured ") {
			p.flush()
			p.captured = true
			return
		}
	case 'E':
		if p.section == pytestProblems && !p.captured || p.loading {
			if hasPrefix(l.text, "E  ") {
				p.explain(l)
				return
			}
		}
		if hasPrefix(l.text, "ERROR: ") {
			p.refusal(l)
		}
	case 'm': // make passes the exit code 5 (no tests) on as its own 2
		if p.noneAt > 0 && l.no == p.noneAt+1 && hasPrefix(l.text, "make") && hasSuffix(l.text, "] Error 5") {
			p.f.builds(l, 1)
			p.f.unexplained++
		}
	case 'I':
		if rest, ok := bytes.CutPrefix(l.text, []byte("ImportError while loading conftest '")); ok && hasSuffix(rest, "'.") {
			p.f.fail(l)
			p.f.builds(l, 1)
			p.entry(true)
			return
		}
	}
	if c := l.text[0]; c >= '0' && c <= '9' || c == 'n' {
		if p.summary(l, l.text) {
			return
		}
	}
	switch {
	case p.section == pytestShort:
		p.short(l)
	case p.section == pytestProblems && !p.captured || p.loading:
		if !p.native.line(l) && l.indent == 0 {
			p.flushText()
			p.place(l)
		}
	}
}

// raised takes the exception that ends a native traceback.
func (p *pytest) raised(l *line, text []byte) {
	p.flushText()
	p.f.fail(l)
	p.text.add(l.no, text)
	p.importFault(text, p.native.importer)
}

// importFault notes what a module that cannot be loaded misses.
func (p *pytest) importFault(text []byte, importer string) {
	if !p.loading || p.fault {
		return
	}
	if what, ok := pyUndefined(text); ok {
		p.fault = true
		p.f.missing(what, importer)
	}
}

// heading reads the title of a section.
func (p *pytest) heading(l *line, words []byte) {
	p.flush()
	p.captured, p.named, p.section = false, false, pytestOther
	p.entry(false)
	switch string(words) {
	case "test session starts":
		p.f.recognise(l)
		p.open = true
	case "FAILURES", "ERRORS":
		p.section = pytestProblems
	case "short test summary info":
		p.section = pytestShort
	default:
		p.summary(l, words)
	}
}

// title reads the title of a failed test.
func (p *pytest) title(l *line, words []byte) {
	p.flush()
	p.f.recognise(l)
	p.captured, p.named = false, true
	collecting := hasPrefix(words, "ERROR collecting ")
	p.entry(collecting)
	if collecting {
		p.collecting++
		because(&p.f.whyBuild, l)
	}
	p.f.failText(l.no, words)
}

// entry starts the text of a test or of a module that cannot be loaded.
func (p *pytest) entry(loading bool) {
	if p.loading && !p.fault {
		p.f.unexplained++
	}
	p.loading, p.fault, p.importer = loading, false, ""
}

// explain reads a line "E   text".
func (p *pytest) explain(l *line) {
	body := bytes.TrimLeft(l.text[1:], " ")
	if name, n, _, ok := pyFrame(body); ok { // a syntax error's own place
		p.st.add(p.f, l.no, name, n)
	}
	if p.text.lines == 0 {
		p.f.failText(l.no, append([]byte("E   "), body...))
	}
	p.text.add(l.no, body)
	p.importFault(body, p.importer)
}

// place reads "path:3: in f", "path:3: Error" or, with --tb=line,
// "path:3: Error: text".
func (p *pytest) place(l *line) {
	name, n, rest, ok := diagnostic(l.text)
	if !ok || bytes.IndexByte(name, ':') >= 0 {
		return
	}
	if !pyImportMachinery(name) {
		p.importer = string(name)
	}
	p.st.add(p.f, l.no, name, n)
	if !p.named && p.section == pytestProblems && len(rest) > 0 {
		p.f.failText(l.no, l.text)
		p.f.assert(l.no, string(rest))
		p.st.end(p.f, true)
	}
}

// short reads "FAILED path::test - text" of the short summary.
func (p *pytest) short(l *line) {
	rest, ok := bytes.CutPrefix(l.text, []byte("FAILED "))
	if !ok {
		if rest, ok = bytes.CutPrefix(l.text, []byte("ERROR ")); !ok {
			return
		}
	}
	name, _, _ := bytes.Cut(rest, []byte(" - "))
	p.f.recognise(l)
	p.f.test(l.no, string(name))
	p.f.fail(l)
}

// refusal reads the errors after which pytest runs nothing: a bad flag, a path
// or test that is not there (exit code 4, pytest.ExitCode.USAGE_ERROR).
func (p *pytest) refusal(l *line) {
	if !hasAnyPrefix(l.text, "ERROR: usage: ", "ERROR: file or directory not found: ", "ERROR: not found: ") {
		return
	}
	p.f.fail(l)
	p.f.builds(l, 1)
	p.f.unexplained++
}

func (p *pytest) flushText() {
	p.f.assertBlock(&p.text)
}

func (p *pytest) flush() {
	p.flushText()
	p.native.inside = false
	p.native.st.end(p.f, true)
	p.st.end(p.f, true)
}

func (p *pytest) end() {
	p.flush()
	p.entry(false)
	if p.open {
		p.f.incomplete = "pytest: a session was started and never summed up"
	}
}
