package feedback

import "bytes"

// shellcheck reads its tty form, "In x.sh line 5:" with the findings below, and
// its gcc form, "x.sh:5:3: warning: text [SC2086]".
type shellcheck struct{ f *findings }

func newShellcheck(f *findings) runner { return &shellcheck{f} }

func (s *shellcheck) line(l *line) {
	if len(l.text) < 8 {
		return
	}
	last := l.text[len(l.text)-1]
	switch {
	case l.text[0] == 'I' && last == ':' && hasPrefix(l.text, "In "):
		name, rest, ok := cutLast(l.text[len("In "):len(l.text)-1], " line ")
		n, size := digits(rest)
		if ok && size > 0 && size == len(rest) && s.f.locus(rankCompile, l.no, name, n) {
			s.f.recognise(l)
			s.f.fail(l)
		}
	case last == ']' && bytes.Contains(l.text, []byte(" [SC")):
		if name, n, _, ok := diagnostic(l.text); ok && s.f.locus(rankCompile, l.no, name, n) {
			s.f.recognise(l)
			s.f.fail(l)
		}
	case l.indent > 0 && hasPrefix(l.body(), "^-") && bytes.Contains(l.text, []byte(" SC")):
		s.f.fail(l)
	}
}

func (s *shellcheck) end() {}
