package feedback

import "bytes"

// pyStack reads tracebacks as Python's traceback module prints them: the
// header, frames `  File "x.py", line 3, in f` with the innermost last, and a
// line "Type: text" at the header's own depth that ends it.
type pyStack struct {
	f      *findings
	inside bool
	depth  int // of the header
	st     frames

	importer string // the last frame's file outside the import machinery
	outside  bool   // a frame is neither a module's top level nor the import machinery

	// raised is called with each exception that ends a traceback.
	raised func(l *line, text []byte)
}

const pyHeader = "Traceback (most recent call last):"

// line tells whether the line belongs to a traceback.
func (p *pyStack) line(l *line) bool {
	body := l.body()
	indent := l.indent
	for hasPrefix(body, "| ") || hasPrefix(body, "+ ") { // exception groups
		body = body[2:]
		trimmed := bytes.TrimLeft(body, " ")
		indent += 2 + len(body) - len(trimmed)
		body = trimmed
	}
	if len(body) == 0 {
		return p.inside
	}
	if string(bytes.TrimPrefix(body, []byte("Exception Group "))) == pyHeader {
		p.st.end(p.f, true)
		p.inside, p.depth = true, indent
		p.importer, p.outside = "", false
		return true
	}
	if !p.inside {
		return false
	}
	if indent > p.depth {
		if name, n, where, ok := pyFrame(body); ok {
			p.st.add(p.f, l.no, name, n)
			if !pyImportMachinery(name) {
				p.importer = string(name)
				p.outside = p.outside || where != "" && where != "<module>"
			}
		}
		return true
	}
	p.inside = false
	p.st.end(p.f, true)
	p.raised(l, body)
	return true
}

// pyFrame reads `File "x.py", line 3, in f`; where is "" for a syntax error,
// which has no function.
func pyFrame(b []byte) (name []byte, n int, where string, ok bool) {
	rest, ok := bytes.CutPrefix(b, []byte(`File "`))
	if !ok {
		return nil, 0, "", false
	}
	i := bytes.Index(rest, []byte(`", line `))
	if i < 0 {
		return nil, 0, "", false
	}
	n, size := digits(rest[i+len(`", line `):])
	tail := rest[i+len(`", line `)+size:]
	fn, _ := bytes.CutPrefix(tail, []byte(", in "))
	return rest[:i], n, string(fn), size > 0
}

func pyImportMachinery(b []byte) bool {
	return hasPrefix(b, "<frozen importlib") || hasSuffix(b, "/importlib/__init__.py") || hasSuffix(b, "/unittest/loader.py") || bytes.Contains(b, []byte("/_pytest/"))
}

// pyUndefined returns the name that an import misses. A circular import is a
// different fault: there the name is defined, but too late.
func pyUndefined(text []byte) (string, bool) {
	if rest, ok := bytes.CutPrefix(text, []byte("ImportError: cannot import name ")); ok {
		name, ok := between(rest, "'", "'")
		return string(name), ok && !bytes.Contains(rest, []byte("partially initialized module"))
	}
	if rest, ok := bytes.CutPrefix(text, []byte("ModuleNotFoundError: No module named ")); ok {
		name, ok := between(rest, "'", "'")
		return string(name), ok
	}
	return "", false
}

// pyImportFault tells the exceptions with which a module cannot be loaded.
func pyImportFault(text []byte) bool {
	return hasAnyPrefix(text, "ImportError: ", "ModuleNotFoundError: ", "SyntaxError: ", "IndentationError: ", "TabError: ")
}
