package feedback

import "bytes"

// generic finds places of the tree anywhere in a line, and lines that look like
// a complaint; the latter are used only where no other format spoke.
type generic struct{ f *findings }

func newGeneric(f *findings) runner { return &generic{f} }

func (g *generic) end() {}

func (g *generic) line(l *line) {
	if len(g.f.failing.list) < keepLines && complains(l.text) {
		g.f.fail(l)
	}
	if g.f.paths.tree == nil || len(g.f.loci[rankMention].list) >= keepLines {
		return
	}
	text := l.text
	for from := 0; l.has(colonDigit|blankDigit) && from < len(text); {
		i := bytes.IndexByte(text[from:], ':')
		if i < 0 {
			break
		}
		i += from
		from = i + 1
		n, end := lineNumber(text, i)
		if n == 0 {
			continue
		}
		from = end
		g.mention(l, i, n)
	}
	if !l.has(blankDigit | parenDigit) {
		return
	}
	if i := bytes.Index(text, []byte(" line ")); i > 0 {
		if n, size := digits(text[i+len(" line "):]); size > 0 {
			g.mention(l, len(bytes.TrimRight(text[:i], `,:"'`)), n)
		}
	}
	if i := bytes.IndexByte(text, '('); i > 0 && text[i-1] != ' ' { // x.ts(3,5)
		if n, size := digits(text[i+1:]); size > 0 && i+1+size < len(text) && (text[i+1+size] == ',' || text[i+1+size] == ')') {
			g.mention(l, i, n)
		}
	}
}

// lineNumber reads the number behind a path's colon: ":12", ":12:5" or, as
// shells print it, ": 12: ". It returns where the text goes on; n is 0 for a
// port, a version, a time or anything else.
func lineNumber(text []byte, colon int) (n, end int) {
	at := colon + 1
	shell := at < len(text) && text[at] == ' '
	if shell {
		at++
	}
	n, size := digits(text[at:])
	if size == 0 {
		return 0, 0
	}
	end = at + size
	if end == len(text) {
		if shell {
			return 0, 0
		}
		return n, end
	}
	next := byte(0)
	if end+1 < len(text) {
		next = text[end+1]
	}
	switch c := text[end]; {
	case shell:
		if c != ':' {
			return 0, 0
		}
	case isWord(c), c == '/', c == '@', c == '%', c >= 0x80:
		return 0, 0
	case c == '.' && isWord(next), c == '-' && isWord(next) && (next < '0' || next > '9'):
		return 0, 0
	case c == ':':
		if _, col := digits(text[end+1:]); col > 0 {
			end += 1 + col
		}
	}
	return n, end
}

// mention keeps the place whose path ends at the index end of the line.
func (g *generic) mention(l *line, end, n int) {
	text := l.text
	start := end
	for start > 0 && inPath(text[start-1]) {
		start--
	}
	token := text[start:end]
	if len(token) > 0 && notPath(token) {
		return
	}
	if hasPrefix(token, "//") { // a URL
		if !hasSuffix(text[:start], "file:") {
			return
		}
		token = text[start-len("file:") : end]
	}
	if len(token) > 0 && plausible(token, start == l.indent && end < len(text) && text[end] == ':') {
		if g.f.locus(rankMention, l.no, token, n) {
			return
		}
	}
	g.spaced(l, start, end, n)
}

// spaced tries paths that hold blanks or brackets, so that they start before
// the token: at the start of the line, or behind the last opening quote or
// bracket. They must be exact.
func (g *generic) spaced(l *line, token, end, n int) {
	text := l.text[:end]
	if bytes.IndexByte(text, '.') < 0 || end-l.indent > maxPath {
		return
	}
	try := func(start int) bool {
		if start < 0 || start >= token {
			return false
		}
		p, ok := g.f.paths.exactly(string(text[start:]))
		if ok {
			g.f.place(rankMention, l.no, p, n)
		}
		return ok
	}
	if try(l.indent) {
		return
	}
	for _, open := range []byte{'(', '"', '\'', '`'} {
		if i := bytes.LastIndexByte(text, open); i >= 0 && try(i+1) {
			return
		}
	}
	if i := bytes.LastIndexByte(text, ' '); i >= l.indent {
		try(i + 1)
	}
}

// inPath tells the bytes that a path in running text is made of.
func inPath(c byte) bool {
	return isWord(c) || c >= 0x80 || c == '.' || c == '/' || c == '-' || c == '+' || c == '@' || c == '~' || c == '%' || c == '#' || c == '\\'
}

// notPath tells clock times, dates, versions and addresses: they start with a
// digit and hold no letter but those of a date's form.
func notPath(token []byte) bool {
	if token[0] < '0' || token[0] > '9' {
		return false
	}
	for _, c := range token {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '/' && c != 'T' && c != 'Z' && c != '+' {
			return false
		}
	}
	return true
}

// plausible tells whether a name without a folder may be a file's. "db:5432"
// and "example.com:443" look like places too: without a known ending, the name
// must open its line.
func plausible(token []byte, opens bool) bool {
	if bytes.IndexByte(token, '/') >= 0 {
		return true
	}
	if bytes.EqualFold(token, []byte("localhost")) {
		return false
	}
	i := bytes.LastIndexByte(token, '.')
	if i < 0 {
		return opens && upperFirst(token)
	}
	return sourceEnding(string(token[i+1:]))
}

// upperFirst tells names such as Makefile, which no host has.
func upperFirst(b []byte) bool { return len(b) > 0 && b[0] >= 'A' && b[0] <= 'Z' }

// sourceEnding tells the file name endings that a bare name needs to be taken
// for a file.
func sourceEnding(ext string) bool {
	switch ext {
	case "go", "py", "pyi", "pyx", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte",
		"c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "m", "mm", "rs", "java", "kt", "kts", "scala", "groovy",
		"rb", "php", "pl", "pm", "t", "sh", "bash", "bats", "zsh", "fish", "lua", "swift", "cs", "fs", "vb", "hs",
		"ml", "mli", "ex", "exs", "erl", "hrl", "clj", "cljs", "r", "R", "jl", "dart", "nim", "zig", "v", "sv",
		"sql", "proto", "thrift", "graphql", "tf", "nix", "cmake", "mk", "json", "yml", "yaml", "toml", "xml",
		"html", "css", "scss", "less", "md", "rst", "txt", "cfg", "ini", "S", "s", "asm", "el", "lisp", "awk":
		return true
	}
	return false
}
