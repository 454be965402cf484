package feedback

import (
	"bytes"
	"strings"
)

// java reads stack traces of the JVM, "<tab>at a.b.C.m(C.java:12)" with the
// innermost first, and the errors of javac, "C.java:4: error: text".
type java struct {
	f    *findings
	st   frames
	head note // the line above the frames
}

func newJava(f *findings) runner { return &java{f: f} }

func (j *java) line(l *line) {
	if len(l.text) == 0 {
		return
	}
	body := l.body()
	if l.indent > 0 && body[0] == 'a' && hasPrefix(body, "at ") && body[len(body)-1] == ')' {
		j.frame(l, body[len("at "):len(body)-1])
		return
	}
	j.st.end(j.f, false)
	j.head.text = ""
	switch {
	case javaThrown(body):
		j.head = note{l.no, string(clip(body, keepText))}
	case l.indent == 0 && l.has(colonDigit):
		if name, n, msg, ok := diagnostic(l.text); ok && hasSuffix(name, ".java") && hasPrefix(msg, "error: ") {
			j.f.recognise(l)
			j.f.fail(l)
			j.f.locus(rankCompile, l.no, name, n)
		}
	}
}

// frame reads "a.b.C.m(C.java:12)". The file has no folder; the class's
// package is one.
func (j *java) frame(l *line, b []byte) {
	call, at, ok := bytes.Cut(b, []byte("("))
	if !ok {
		return
	}
	file, num, ok := bytes.Cut(at, []byte(":"))
	n, size := digits(num)
	if !ok || size == 0 || !hasSuffix(file, ".java") && !hasSuffix(file, ".kt") && !hasSuffix(file, ".scala") && !hasSuffix(file, ".groovy") {
		return
	}
	if j.head.text != "" {
		j.f.recognise(l)
		j.f.failText(j.head.no, []byte(j.head.text))
		j.f.assert(j.head.no, j.head.text)
		j.head.text = ""
	}
	name := string(call)
	if i := strings.LastIndexByte(name, '/'); i >= 0 { // "app//a.b.C.m", "java.base/java.util.X.m"
		name = name[i+1:]
	}
	parts := strings.Split(name, ".")
	if len(parts) < 2 {
		return
	}
	j.st.add(j.f, l.no, []byte(strings.Join(append(parts[:len(parts)-2:len(parts)-2], string(file)), "/")), n)
}

// javaThrown tells the line above a stack trace.
func javaThrown(b []byte) bool {
	if (b[0] == 'E' || b[0] == 'C') && hasAnyPrefix(b, "Exception in thread ", "Caused by: ") {
		return true
	}
	word := b
	if i := bytes.IndexByte(b, ':'); i >= 0 {
		word = b[:i]
	}
	if len(word) == 0 || word[len(word)-1] != 'r' && word[len(word)-1] != 'n' && word[len(word)-1] != 'e' {
		return false
	}
	return bytes.IndexByte(word, ' ') < 0 && bytes.IndexByte(word, '.') > 0 &&
		(hasSuffix(word, "Error") || hasSuffix(word, "Exception") || hasSuffix(word, "Failure"))
}

func (j *java) end() { j.st.end(j.f, false) }
