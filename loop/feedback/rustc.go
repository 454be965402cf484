package feedback

import "bytes"

// rustc reads the compiler's errors, "error[E0425]: text" and below it
// " --> src/lib.rs:3:9", and panics, "thread 'x' panicked at src/lib.rs:2:5:"
// with the message on the next lines.
type rustc struct {
	f     *findings
	error bool // the next arrow is an error's
	text  block
	trace bool
	st    frames
}

func newRustc(f *findings) runner { return &rustc{f: f} }

func (r *rustc) line(l *line) {
	if len(l.text) == 0 {
		r.flush()
		return
	}
	body := l.body()
	if !r.error && !r.trace && r.text.lines == 0 && (l.indent > 0 || body[0] != 'e' && body[0] != 't' && body[0] != 's') {
		return
	}
	switch {
	case l.indent == 0 && hasAnyPrefix(l.text, "error[", "error: "):
		r.flush()
		r.error = true
		r.f.failText(l.no, l.text)
	case l.indent == 0 && hasPrefix(l.text, "warning"):
		r.error = false
	case r.error && hasPrefix(body, "--> "):
		r.error = false
		if name, n, _, ok := diagnostic(body[len("--> "):]); ok && r.f.locus(rankCompile, l.no, name, n) {
			r.f.recognise(l)
		}
	case l.indent == 0 && hasPrefix(l.text, "thread '"):
		r.panic(l)
	case l.indent == 0 && string(l.text) == "stack backtrace:":
		r.flush()
		r.trace = true
	case r.trace && hasPrefix(body, "at "):
		if name, n, _, ok := diagnostic(body[len("at "):]); ok {
			r.st.add(r.f, l.no, name, n)
		}
	case r.trace && l.indent == 0:
		r.flush()
	case r.text.lines > 0:
		if hasPrefix(l.text, "note: ") {
			r.flush()
			return
		}
		r.text.add(l.no, l.text)
	}
}

// panic reads "thread 'x' (12) panicked at src/lib.rs:2:5:", and the older
// "thread 'x' panicked at 'text', src/lib.rs:2:5".
func (r *rustc) panic(l *line) {
	_, rest, ok := bytes.Cut(l.text, []byte(" panicked at "))
	if !ok {
		return
	}
	r.flush()
	r.f.recognise(l)
	r.f.fail(l)
	if i := bytes.LastIndex(rest, []byte("', ")); hasPrefix(rest, "'") && i > 0 {
		r.f.assert(l.no, string(rest[1:i]))
		rest = rest[i+3:]
	} else {
		r.text.add(l.no, nil)
	}
	if name, n, _, ok := diagnostic(rest); ok {
		r.f.locus(rankInnermost, l.no, name, n)
	}
}

func (r *rustc) flush() {
	if r.text.lines > 0 {
		no, s := r.text.take()
		r.f.failText(no+1, firstLine(s))
		r.f.assert(no, s)
	}
	r.st.end(r.f, false)
	r.trace, r.error = false, false
}

func (r *rustc) end() { r.flush() }
