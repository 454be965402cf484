package feedback

import "bytes"

// tap reads the Test Anything Protocol (testanything.org, versions 12 to 14)
// at the left edge: a plan "1..N", which makes the stream, and results
// "ok 1 - text", "not ok 2 - text # TODO". A failure under TODO or SKIP is
// none. It also reads the closing lines of prove.
type tap struct {
	f    *findings
	text block

	version bool // "TAP version" was seen
	plan    int  // N of the plan; -1 for none yet
	results int  // in this stream
	bad     int
	setups  int // of these, bats files whose setup failed: no test was reached
	skipped int
	first   note // the first failure of the stream

	held []tapResult // results before any plan; they count once it comes
	lost bool        // the log was more than what is held

	counted int // N of prove's "Files=1, Tests=N"; -1 outside its summary
}

type tapResult struct {
	no      int64
	line    string
	name    string
	failed  bool
	skipped bool
}

func newTAP(f *findings) runner { return &tap{f: f, plan: -1, counted: -1} }

func (t *tap) line(l *line) {
	if len(l.text) == 0 {
		t.flush()
		return
	}
	switch c := l.text[0]; {
	case c == '#':
		if t.text.lines > 0 {
			t.text.add(l.no, bytes.TrimSpace(l.text[1:]))
		}
		return
	case c == 'o' && hasPrefix(l.text, "ok"):
		t.result(l, l.text[len("ok"):], false)
	case c == 'n' && hasPrefix(l.text, "not ok"):
		t.flush()
		t.result(l, l.text[len("not ok"):], true)
		return
	case c == '1' && hasPrefix(l.text, "1.."):
		t.planned(l)
	case c == 'T' && hasPrefix(l.text, "TAP version "):
		t.close()
		t.version = true
	case c == 'B' && hasPrefix(l.text, "Bail out!") && (t.plan >= 0 || t.version):
		t.f.fail(l)
		t.f.assert(l.no, string(l.text))
		t.f.reports(l, 1, 1)
	case c == 'F' && hasPrefix(l.text, "Files="):
		t.prove(l)
		return
	case c == 'R' && t.counted >= 0:
		t.proved(l)
	}
	t.counted = -1
	if l.indent == 0 {
		t.flush()
	}
}

// planned reads "1..N" or "1..0 # SKIP reason".
func (t *tap) planned(l *line) {
	rest := l.text[len("1.."):]
	n, size := digits(rest)
	if size == 0 {
		if len(rest) == 0 || rest[0] != '0' {
			return
		}
		size = 1
	}
	if tail := bytes.TrimSpace(rest[size:]); len(tail) > 0 && tail[0] != '#' {
		return
	}
	if t.plan >= 0 { // another stream
		t.close()
	}
	t.plan = n
	for _, r := range t.held {
		t.take(r)
	}
	t.held = t.held[:0]
	if n == 0 {
		t.f.empty(l)
		t.plan = -1
	}
}

func (t *tap) result(l *line, rest []byte, failed bool) {
	if len(rest) > 0 && rest[0] != ' ' {
		return
	}
	rest = bytes.TrimLeft(rest, " ")
	_, size := digits(rest)
	rest = bytes.TrimLeft(rest[size:], " ")
	rest = bytes.TrimPrefix(rest, []byte("- "))
	name, directive := tapDirective(rest)
	r := tapResult{no: l.no, name: string(clip(name, showText)), failed: failed && directive == "", skipped: directive == "SKIP"}
	if r.failed {
		r.line = string(clip(l.text, keepText))
	}
	if t.plan < 0 {
		if len(t.held) < keepNames {
			t.held = append(t.held, r)
		} else {
			t.lost = true
		}
		return
	}
	t.take(r)
	if r.failed {
		t.text.add(l.no, []byte(r.name))
	}
}

func (t *tap) take(r tapResult) {
	t.results++
	t.f.recognise(&line{no: r.no})
	if r.skipped {
		t.skipped++
	}
	if !r.failed {
		return
	}
	t.bad++
	if r.name == batsSetup {
		t.setups++
	}
	if t.bad == 1 {
		t.first = note{r.no, r.line}
	}
	t.f.test(r.no, r.name)
	t.f.failText(r.no, []byte(r.line))
}

// close sums up the stream that has ended.
func (t *tap) close() {
	t.flush()
	if t.plan >= 0 {
		if t.results > t.skipped+t.setups {
			t.f.ran = true
		} else if t.results > t.setups {
			t.f.none = true
			t.f.whyNone = "tap: every test was skipped"
		}
		if t.bad > 0 {
			t.f.reports(&line{no: t.first.no, text: []byte(t.first.text)}, t.bad, t.bad-t.setups)
		}
		if t.results < t.plan && !t.lost && t.setups == 0 && (t.results > 0 || t.version) {
			t.f.incomplete = "tap: fewer results than planned"
		}
	}
	t.plan, t.results, t.bad, t.setups, t.skipped, t.version, t.lost = -1, 0, 0, 0, 0, false, false
	t.held = t.held[:0]
}

// flush files the comments below a failure, which say what was compared.
func (t *tap) flush() {
	t.f.assertBlock(&t.text)
}

// prove reads "Files=1, Tests=4, 0 wallclock secs ...", the line above the
// verdict of prove.
func (t *tap) prove(l *line) {
	_, rest, ok := bytes.Cut(l.text, []byte(", Tests="))
	if !ok {
		return
	}
	t.counted, _ = digits(rest)
}

func (t *tap) proved(l *line) {
	switch string(l.text) {
	case "Result: FAIL":
		t.f.reports(l, 1, 1)
		t.f.fail(l)
	case "Result: NOTESTS":
		t.f.empty(l)
	case "Result: PASS":
		t.f.recognise(l)
		t.f.ran = true
	}
}

func (t *tap) end() { t.close() }

// tapDirective splits "text # TODO reason" and returns the directive in
// capitals, "" for none.
func tapDirective(b []byte) (text []byte, directive string) {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '#' || i > 0 && b[i-1] == '\\' {
			continue
		}
		word := bytes.TrimLeft(b[i+1:], " ")
		for _, d := range []string{"TODO", "SKIP"} {
			if len(word) >= 4 && bytes.EqualFold(word[:4], []byte(d)) {
				return bytes.TrimRight(b[:i], " "), d
			}
		}
	}
	return b, ""
}
