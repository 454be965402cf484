package feedback

import "bytes"

// tsc reads the TypeScript compiler's errors: "x.ts(3,5): error TS2304: text"
// and, with --pretty, "x.ts:3:5 - error TS2304: text".
type tsc struct{ f *findings }

func newTSC(f *findings) runner { return &tsc{f} }

func (t *tsc) line(l *line) {
	if l.indent > 0 || !l.has(colonDigit|parenDigit) {
		return
	}
	i := bytes.Index(l.text, []byte("error TS"))
	if i < 3 {
		return
	}
	at, ok := bytes.CutSuffix(l.text[:i], []byte(": "))
	if ok && hasSuffix(at, ")") {
		name, rest, _ := cutLast(at, "(")
		n, size := digits(rest)
		if size == 0 || size >= len(rest) || rest[size] != ',' {
			return
		}
		t.found(l, name, n)
		return
	}
	if at, ok = bytes.CutSuffix(l.text[:i], []byte(" - ")); ok {
		if name, n, rest, ok := diagnostic(at); ok && len(rest) == 0 {
			t.found(l, name, n)
		}
	}
}

func (t *tsc) found(l *line, name []byte, n int) {
	t.f.recognise(l)
	t.f.fail(l)
	t.f.locus(rankCompile, l.no, name, n)
}

func (t *tsc) end() {}
