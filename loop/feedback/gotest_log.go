package feedback

import "bytes"

// goLogs reads what tests log: "    file_test.go:12: text" and the deeper
// lines that continue it. Plain `go test` prints it below the result of its
// test, -v above, where it waits for the result. The file has no folder: its
// place waits for the package's verdict.
type goLogs struct {
	f       *findings
	speaks  string // the test whose log lines follow; "" for none
	failed  bool   // that test is known to have failed
	owner   string // the test that text belongs to
	text    block
	waiting []goLog // slots are used again, with their memory
	places  []goPlaced
}

// goLog is one log line and its continuation.
type goLog struct {
	no   int64
	test string
	text []byte // "file.go:12: text", more lines below
}

// goPlaced is a place of a file without a folder.
type goPlaced struct {
	no   int64
	file string
	n    int
}

// keepLogs bounds log lines that wait for a result.
const keepLogs = 400

func (g *goLogs) speaker(test string, failed bool) { g.speaks, g.failed = test, failed }

// line takes a line that starts with blanks and tells whether it was a log
// line.
func (g *goLogs) line(l *line) bool {
	if g.speaks == "" || l.indent < 4 {
		return false
	}
	body := l.body()
	if _, at := goPlace(body); at == 0 {
		if g.text.empty() || l.indent < 8 {
			return false
		}
		g.text.add(l.no, body)
		return true
	}
	g.flush()
	g.owner = g.speaks
	g.text.add(l.no, body)
	return true
}

// goPlace reads "file.go:12: " at the start of b and returns the line number
// and the length of the whole, 0 where there is none.
func goPlace(b []byte) (n, size int) {
	i := bytes.IndexByte(b, ':')
	if i < 4 || !hasSuffix(b[:i], ".go") || bytes.IndexByte(b[:i], '/') >= 0 {
		return 0, 0
	}
	n, k := digits(b[i+1:])
	end := i + 1 + k
	if k == 0 || end >= len(b) || b[end] != ':' {
		return 0, 0
	}
	return n, end + 1
}

// flush files the log line that has ended.
func (g *goLogs) flush() {
	if g.text.empty() {
		return
	}
	if g.failed {
		g.commit(g.text.no, g.text.buf)
	} else if n := len(g.waiting); n < keepLogs {
		if n < cap(g.waiting) {
			g.waiting = g.waiting[:n+1]
		} else {
			g.waiting = append(g.waiting, goLog{})
		}
		w := &g.waiting[n]
		w.no, w.test, w.text = g.text.no, g.owner, append(w.text[:0], g.text.buf...)
	}
	g.text.drop()
}

// result settles the waiting log lines of a test.
func (g *goLogs) result(test string, failed bool) {
	kept := 0
	for i := range g.waiting {
		switch w := &g.waiting[i]; {
		case w.test != test:
			g.waiting[kept], g.waiting[i] = g.waiting[i], g.waiting[kept]
			kept++
		case failed:
			g.commit(w.no, w.text)
		}
	}
	g.waiting = g.waiting[:kept]
}

// keep commits what waits for results that did not come, as after a panic.
func (g *goLogs) keep() {
	g.flush()
	for _, w := range g.waiting {
		g.commit(w.no, w.text)
	}
	g.waiting = g.waiting[:0]
}

func (g *goLogs) commit(no int64, text []byte) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	g.f.failText(no, first)
	n, at := goPlace(text)
	if at == 0 {
		return
	}
	if len(g.f.assertions.list) < keepLines {
		g.f.assert(no, string(bytes.TrimSpace(text[at:])))
	}
	if len(g.places) < keepLogs {
		g.places = append(g.places, goPlaced{no, string(text[:bytes.IndexByte(text, ':')]), n})
	}
}

// finish maps the places of a package whose verdict has come; what still waits
// for a result belongs to tests that passed.
func (g *goLogs) finish(pkg string) {
	g.flush()
	for _, w := range g.places {
		if p, ok := g.f.paths.within(w.file, pkg); ok {
			g.f.place(rankAssertion, w.no, p, w.n)
		}
	}
	g.places, g.waiting = g.places[:0], g.waiting[:0]
	g.speaker("", false)
}
