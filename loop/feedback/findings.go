package feedback

import (
	"bytes"
	"strconv"
)

// rank orders loci. Within a rank the first to appear comes first.
type rank int

const (
	rankInnermost rank = iota // the deepest frame of a stack that lies in the tree
	rankAssertion             // the line that a runner names for a failed check
	rankCompile               // an error of a compiler or linter
	rankOuter                 // other frames of a stack
	rankMention               // any other path and line
	numRanks
)

// Bounds on what one runner keeps, so that a log of any size needs the same
// memory.
const (
	keepLines = 60   // failing lines, assertions and loci of one rank
	keepNames = 1000 // test names and undefined names
	blockMax  = 12   // lines of one assertion

	// keepText is what is kept of one text, four times what is ever shown of
	// it: a secret that the cut leaves half of then lies in what is not shown.
	keepText = 4 * showText
	showText = 1 << 10
)

// line is one cleaned line of a log.
type line struct {
	no     int64  // counted from 1
	text   []byte // without blanks at its end; valid only during the call that gets it
	indent int    // spaces and tabs before the text
	hints  hints
}

// hints tells which characters stand before a digit somewhere in a line, so
// that most lines need no search for places.
type hints byte

const (
	colonDigit hints = 1 << iota
	blankDigit
	parenDigit
)

func (l *line) has(h hints) bool { return l.hints&h != 0 }

func (l *line) body() []byte { return l.text[l.indent:] }

// note is a text and the line on which it was found.
type note struct {
	no   int64
	text string
}

// notes keeps the first texts that differ.
type notes struct {
	list []note
	seen map[string]struct{}
}

func (n *notes) add(limit int, no int64, text string) {
	if len(n.list) >= limit {
		return
	}
	if _, dup := n.seen[text]; dup {
		return
	}
	if n.seen == nil {
		n.seen = make(map[string]struct{})
	}
	n.seen[text] = struct{}{}
	n.list = append(n.list, note{no, text})
}

// findings is what one runner's text said.
type findings struct {
	paths *resolver

	seenAt int64 // the line on which the runner was recognised; 0 for never

	ran        bool   // at least one test ran
	none       bool   // the runner said that no test ran
	reported   int    // failures of any kind that the runner's own summary reports
	incomplete string // why the report is known to be cut off
	real       int    // tests that ran and failed
	build      int    // units that could not be built, collected or loaded
	onlyAlone  bool   // build counts only where no test runner spoke

	whyBuild, whyNone, whyReported string // the first line that each of these rests on

	undefined   []Undefined
	unexplained int // build errors other than undefined names

	loci       [numRanks]notes
	failing    notes
	tests      notes
	assertions notes
}

func (f *findings) recognise(l *line) {
	if f.seenAt == 0 {
		f.seenAt = l.no
	}
}

// builds notes n units that could not be built or loaded.
func (f *findings) builds(l *line, n int) {
	f.recognise(l)
	f.build += n
	because(&f.whyBuild, l)
}

// empty notes that the runner found nothing to run.
func (f *findings) empty(l *line) {
	f.recognise(l)
	f.none = true
	because(&f.whyNone, l)
}

// reports notes n failures of the runner's summary, real of them of tests that
// ran.
func (f *findings) reports(l *line, n, real int) {
	f.recognise(l)
	f.reported += n
	f.real += real
	if n > 0 {
		because(&f.whyReported, l)
	}
}

func because(why *string, l *line) {
	if *why == "" {
		*why = cutRunes(string(bytes.TrimSpace(l.text)), keepText)
	}
}

// fail keeps a line that says what failed.
func (f *findings) fail(l *line) { f.failText(l.no, bytes.TrimSpace(l.text)) }

func (f *findings) failText(no int64, text []byte) {
	if len(f.failing.list) >= keepLines || len(text) == 0 {
		return
	}
	if _, dup := f.failing.seen[string(text)]; !dup {
		f.failing.add(keepLines, no, cutRunes(string(text), keepText))
	}
}

func (f *findings) test(no int64, name string) {
	if name != "" {
		f.tests.add(keepNames, no, cutRunes(name, showText))
	}
}

func (f *findings) assert(no int64, text string) {
	if text != "" && len(f.assertions.list) < keepLines {
		f.assertions.add(keepLines, no, cutRunes(text, keepText))
	}
}

// locus keeps a place by its name in the log and tells whether it lies in the
// tree.
func (f *findings) locus(r rank, no int64, name []byte, n int) bool {
	p, ok := f.paths.resolveBytes(name)
	if ok {
		f.place(r, no, p, n)
	}
	return ok
}

// place keeps a place by its path in the tree.
func (f *findings) place(r rank, no int64, path string, n int) {
	list := &f.loci[r]
	if n <= 0 || len(list.list) >= keepLines {
		return
	}
	var buf [256]byte
	b := strconv.AppendInt(append(append(buf[:0], path...), ':'), int64(n), 10)
	if _, dup := list.seen[string(b)]; !dup {
		list.add(keepLines, no, string(b))
	}
}

// missing keeps an undefined name that explains a build error in the file that
// the log calls name.
func (f *findings) missing(what, name string) {
	if len(f.undefined) >= keepNames {
		f.unexplained++
		return
	}
	p, _ := f.paths.resolve(name)
	f.undefined = append(f.undefined, Undefined{Name: what, Path: p})
}

// block gathers the lines of one assertion.
type block struct {
	no    int64
	buf   []byte
	lines int
}

// assertBlock hands a finished block over and starts it anew.
func (f *findings) assertBlock(b *block) {
	if b.lines == 0 {
		return
	}
	if len(f.assertions.list) >= keepLines {
		b.drop()
		return
	}
	no, s := b.take()
	f.assert(no, s)
}

func (b *block) drop() { b.no, b.buf, b.lines = 0, b.buf[:0], 0 }

func (b *block) empty() bool { return b.lines == 0 }

func (b *block) add(no int64, text []byte) {
	if b.lines == 0 {
		b.no = no
	}
	b.lines++
	if b.lines > blockMax || len(b.buf) > keepText {
		return
	}
	if len(b.buf) > 0 {
		b.buf = append(b.buf, '\n')
	}
	b.buf = append(b.buf, text...)
}

// take returns the text without blanks around it and starts anew.
func (b *block) take() (int64, string) {
	no, s := b.no, string(bytes.TrimSpace(b.buf))
	b.drop()
	return no, s
}
