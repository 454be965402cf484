package feedback

import "bytes"

// bats reads what bats adds to TAP below a failed test, as comments or, in its
// pretty form, as indented lines: "(in test file x.bats, line 5)", perhaps
// after "(from function `f' in file lib.bash, line 2,", and "`command' failed".
// The pretty form ends with "2 tests, 1 failure".
type bats struct {
	f      *findings
	st     frames
	pretty bool
	setups int // files whose setup failed, so that no test of theirs ran
	fails  int // failed results
	other  int // results of any kind but failed setups
	blank  bool
}

// batsSetup is the name of the failure that stands for a file of which no test
// was reached.
const batsSetup = "setup_file failed"

func newBats(f *findings) runner { return &bats{f: f} }

func (b *bats) line(l *line) {
	if len(l.text) == 0 {
		b.blank = true
		return
	}
	blank := b.blank
	b.blank = false
	if l.indent == 0 && !blank && l.text[0] != '#' && l.text[0] != 'n' && l.text[0] != 'o' {
		return
	}
	switch body := l.body(); {
	case l.text[0] == '#':
		if body := bytes.TrimLeft(l.text[1:], " "); len(body) > 0 {
			b.place(l, body)
		}
	case hasPrefix(l.text, "not ok "):
		b.fails++
		if hasSuffix(l.text, " "+batsSetup) {
			b.setups++
		}
	case hasPrefix(l.text, "ok "):
		b.other++
	case l.indent == 1 && hasPrefix(body, "✗ "):
		b.pretty = true
		b.f.test(l.no, string(body[len("✗ "):]))
		b.f.fail(l)
	case l.indent == 1 && hasAnyPrefix(body, "✓ ", "- "):
		b.pretty = b.pretty || body[0] != '-'
	case l.indent >= 3 && b.pretty:
		b.place(l, body)
	case blank && l.indent == 0:
		b.summary(l)
	}
}

// place reads the lines about a failed test.
func (b *bats) place(l *line, body []byte) {
	switch {
	case hasAnyPrefix(body, "(in test file ", "(from function `", "in file ", "in test file "):
		b.f.recognise(l)
		if _, rest, ok := cutLast(body, " file "); ok {
			b.file(l, rest)
		}
		if hasSuffix(body, ")") {
			b.st.end(b.f, false)
		}
	case b.pretty && body[0] == '`' && bytes.Contains(body, []byte("' failed")): // as TAP it is a comment below the result
		b.f.assert(l.no, string(body))
		b.f.failText(l.no, body)
	}
}

// file reads "x.bats, line 5)" or "lib.bash, line 2,".
func (b *bats) file(l *line, rest []byte) {
	name, tail, ok := bytes.Cut(rest, []byte(", line "))
	if !ok {
		return
	}
	if n, size := digits(tail); size > 0 {
		b.st.add(b.f, l.no, name, n)
	}
}

// summary reads "2 tests, 1 failure, 1 skipped" of the pretty form.
func (b *bats) summary(l *line) {
	n, size := digits(l.text)
	rest := l.text[size:]
	if size == 0 {
		if !hasPrefix(l.text, "0 tests, ") {
			return
		}
		rest = l.text[1:]
	}
	rest, ok := bytes.CutPrefix(rest, []byte(" tests, "))
	if !ok {
		if rest, ok = bytes.CutPrefix(rest, []byte(" test, ")); !ok {
			return
		}
	}
	bad, size := digits(rest)
	if size == 0 && !hasPrefix(rest, "0 failures") || size > 0 && !hasPrefix(rest[size:], " failure") {
		return
	}
	if !b.pretty && n > 0 {
		return
	}
	b.f.recognise(l)
	switch {
	case n == 0:
		b.f.empty(l)
	case bad > 0:
		b.f.ran = true
		b.f.reports(l, bad, bad)
	default:
		b.f.ran = true
	}
}

// end tells a suite of which no test was reached.
func (b *bats) end() {
	if b.setups > 0 && b.setups == b.fails && b.other == 0 {
		b.f.seenAt = max(b.f.seenAt, 1)
		b.f.build = b.setups
		b.f.unexplained = b.setups
		b.f.whyBuild = "bats: setup_file failed, no test was reached"
	}
}
