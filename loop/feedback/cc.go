package feedback

import (
	"bytes"
	"strings"
)

// cc reads what C and C++ compilers print (gcc, clang): "x.c:3:5: error: text",
// the linker's "x.c:3: undefined reference", a failed assert(3), the stacks of
// sanitizers, and the line with which make gives up.
//
// That a compile error kept the tests from being reached is certain only when
// make says that it gave up right below it, and the recipe was a compiler's:
// it makes an object file, or make echoed it. A test that checks a compiler
// prints such errors too.
type cc struct {
	f    *findings
	st   frames
	errs int    // errors in the block of diagnostics that has just ended
	last []byte // command that make echoed
}

func newCC(f *findings) runner {
	f.onlyAlone = true
	return &cc{f: f}
}

func (c *cc) line(l *line) {
	if len(l.text) == 0 {
		c.st.end(c.f, false)
		return
	}
	body := l.body()
	if l.indent > 0 {
		if body[0] == '#' {
			c.sanitizer(l, body)
		}
		return // the source line of a diagnostic
	}
	c.st.end(c.f, false)
	switch l.text[0] {
	case 'm':
		if hasPrefix(l.text, "make") && bytes.Contains(l.text, []byte("*** [")) {
			c.gaveUp(l)
			c.errs = 0
			return
		}
	case '=':
		if bytes.Contains(l.text, []byte("==ERROR: ")) && bytes.Contains(l.text, []byte("Sanitizer: ")) {
			c.f.recognise(l)
			c.f.fail(l)
			_, text, _ := bytes.Cut(l.text, []byte("==ERROR: "))
			c.f.assert(l.no, string(text))
		}
	case 'c':
		if hasAnyPrefix(l.text, "collect2: error: ld returned ", "clang: error: linker command failed ") {
			c.f.fail(l)
			c.errs++
			return
		}
		if string(l.text) == "compilation terminated." {
			return
		}
	}
	if c.diagnostic(l) || ccContext(l.text) {
		return
	}
	c.errs = 0
	c.last = append(c.last[:0], clip(l.text, 200)...)
}

// diagnostic reads "x.c:3:5: error: text" and its kin.
func (c *cc) diagnostic(l *line) bool {
	if !l.has(colonDigit) {
		return false
	}
	name, n, msg, ok := diagnostic(l.text)
	if !ok {
		return false
	}
	switch {
	case hasAnyPrefix(msg, "error: ", "fatal error: "):
		if hasSuffix(name, ".java") {
			return false
		}
		c.errs++
		c.f.recognise(l)
		c.f.fail(l)
		c.f.locus(rankCompile, l.no, name, n)
	case hasAnyPrefix(msg, "undefined reference to ", "multiple definition of "):
		c.f.recognise(l)
		c.f.fail(l)
		c.f.locus(rankCompile, l.no, name, n)
	case hasPrefix(msg, "runtime error: "): // the undefined behaviour sanitizer
		c.f.recognise(l)
		c.f.fail(l)
		c.f.locus(rankAssertion, l.no, name, n)
		c.f.assert(l.no, string(msg))
		return false
	case hasAnyPrefix(msg, "warning: ", "note: "):
	case bytes.Contains(msg, []byte(": Assertion `")) && hasSuffix(msg, "' failed."):
		if i := bytes.LastIndex(name, []byte(": ")); i >= 0 { // the program's name
			name = name[i+2:]
		}
		c.f.recognise(l)
		c.f.fail(l)
		c.f.locus(rankAssertion, l.no, name, n)
		c.f.assert(l.no, string(msg))
		return false
	default:
		return false
	}
	return true
}

// ccContext tells the lines that stand between diagnostics.
func ccContext(b []byte) bool {
	switch b[0] {
	case 'I':
		if hasPrefix(b, "In file included from ") {
			return true
		}
	case '/', 'l':
		if word, _, _ := bytes.Cut(b, []byte(" ")); hasSuffix(word, "ld:") {
			return true
		}
	}
	switch b[len(b)-1] {
	case ':':
		return bytes.Contains(b, []byte(": In "))
	case '.':
		return hasSuffix(b, " generated.") && bytes.Contains(b, []byte(" error"))
	}
	return false
}

// gaveUp reads "make: *** [Makefile:7: x.o] Error 1".
func (c *cc) gaveUp(l *line) {
	c.f.fail(l)
	if c.errs == 0 {
		return
	}
	target, ok := between(l.text, "*** [", "]")
	if !ok {
		return
	}
	if i := bytes.LastIndex(target, []byte(": ")); i >= 0 {
		target = target[i+2:]
	}
	if !ccObject(string(target)) && !ccCommand(string(c.last)) {
		return
	}
	c.f.builds(l, 1)
	c.f.unexplained++
}

func ccObject(target string) bool {
	for _, ext := range []string{".o", ".obj", ".lo", ".a", ".so", ".gch"} {
		if strings.HasSuffix(target, ext) {
			return true
		}
	}
	return false
}

// ccCommand tells whether a command line is a compiler's.
func ccCommand(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	word = word[strings.LastIndexByte(word, '/')+1:]
	word = strings.TrimRight(word, "-.0123456789")
	for _, tool := range []string{"cc", "gcc", "g++", "c++", "clang", "clang++"} {
		if word == tool || strings.HasSuffix(word, "-"+tool) {
			return true
		}
	}
	return false
}

// sanitizer reads a frame "#0 0x55 in f src/x.c:5:9".
func (c *cc) sanitizer(l *line, body []byte) {
	size := 1
	for size < len(body) && body[size] >= '0' && body[size] <= '9' {
		size++
	}
	rest, ok := bytes.CutPrefix(body[size:], []byte(" 0x"))
	if size == 1 || !ok {
		return
	}
	_, rest, ok = bytes.Cut(rest, []byte(" in "))
	if !ok {
		return
	}
	if size == 2 && body[1] == '0' {
		c.st.end(c.f, false)
	}
	if i := bytes.LastIndexByte(rest, ' '); i >= 0 {
		if name, n, _, ok := diagnostic(rest[i+1:]); ok {
			c.f.recognise(l)
			c.st.add(c.f, l.no, name, n)
		}
	}
}

func (c *cc) end() { c.st.end(c.f, false) }
