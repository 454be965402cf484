package feedback

import "bytes"

// eslint reads ESLint's unix form, "x.js:3:5: text [Error/rule]", and its
// default form, where the path stands alone above "  3:5  error  text  rule".
type eslint struct {
	f    *findings
	file string // path of the tree whose problems follow; "" for none
}

func newESLint(f *findings) runner { return &eslint{f: f} }

func (e *eslint) line(l *line) {
	if len(l.text) == 0 {
		e.file = ""
		return
	}
	if l.indent == 0 {
		e.file = ""
		if hasSuffix(l.text, "]") && (bytes.Contains(l.text, []byte(" [Error/")) || hasSuffix(l.text, " [Error]")) {
			if name, n, _, ok := diagnostic(l.text); ok && e.f.locus(rankCompile, l.no, name, n) {
				e.f.recognise(l)
				e.f.fail(l)
			}
			return
		}
		if l.text[0] == '/' && bytes.IndexByte(l.text, ':') < 0 {
			e.file, _ = e.f.paths.resolve(string(l.text))
		}
		return
	}
	if e.file == "" {
		return
	}
	body := l.body()
	n, size := digits(body)
	if size == 0 || size >= len(body) || body[size] != ':' {
		return
	}
	_, col := digits(body[size+1:])
	kind := bytes.TrimLeft(body[size+1+col:], " ")
	if col > 0 && hasPrefix(kind, "error ") {
		e.f.recognise(l)
		e.f.place(rankCompile, l.no, e.file, n)
		e.f.failText(l.no, append([]byte(e.file+":"), body...))
	}
}

func (e *eslint) end() {}
