package feedback

import (
	"bytes"
	"strings"
)

// goBuild reads what cmd/go prints for a package that does not compile or vet:
// a header "# import/path [import/path.test]" and then the compiler's lines
// "file.go:LINE:COL: text".
type goBuild struct {
	f      *findings
	pkg    string          // import path of the last header; "" outside its lines
	counts map[string]int  // errors shown by package
	wanted map[string]bool // packages whose verdict is that they did not build

	refusal []byte // the line below the last header, when it is no compiler's
}

// line tells whether the line was the compiler's.
func (g *goBuild) line(l *line) bool {
	if l.text[0] == '#' {
		return g.header(l)
	}
	if hasPrefix(l.text, "go: ") && goRefusal(l.text) {
		g.f.fail(l)
		g.f.builds(l, 1)
		g.f.unexplained++
		return true
	}
	if g.pkg == "" {
		return false
	}
	if l.text[0] == '\t' || l.text[0] == ' ' {
		return false // detail of the error before
	}
	text := l.text
	if rest, ok := bytes.CutPrefix(text, []byte("vet: ")); ok {
		text = rest
	}
	name, n, msg, ok := diagnostic(text)
	if !ok || !hasSuffix(name, ".go") {
		g.pkg = ""
		g.refusal = append(g.refusal[:0], clip(l.text, keepText)...)
		return false
	}
	g.f.fail(l)
	if p, ok := g.f.paths.within(string(name), g.pkg); ok {
		g.f.place(rankCompile, l.no, p, n)
	}
	if g.counts == nil {
		g.counts = map[string]int{}
	}
	if len(g.counts) < keepNames {
		g.counts[g.pkg]++
	}
	what, ok := goUndefined(msg)
	if !ok {
		g.f.unexplained++
		return true
	}
	if p, ok := g.f.paths.within(string(name), g.pkg); ok {
		g.f.missing(what, p)
	} else {
		g.f.missing(what, "")
	}
	return true
}

func (g *goBuild) header(l *line) bool {
	rest := l.text[1:]
	if len(rest) < 2 || rest[0] != ' ' {
		return false
	}
	pkg, variant, _ := bytes.Cut(rest[1:], []byte(" "))
	if len(pkg) > 0 && pkg[0] == '[' { // "# [import/path]", the header of vet
		variant, pkg = nil, bytes.Trim(pkg, "[]")
	}
	if len(variant) > 0 && variant[0] != '[' {
		return false
	}
	g.pkg = strings.TrimSuffix(string(pkg), "_test")
	g.refusal = g.refusal[:0]
	return true
}

// verdict takes the package of a line "FAIL package [build failed]".
func (g *goBuild) verdict(pkg string) {
	g.pkg = ""
	if g.wanted == nil {
		g.wanted = map[string]bool{}
	}
	if len(g.wanted) < keepNames {
		g.wanted[pkg] = true
	}
}

// end notes packages that failed to build without an error in the log.
func (g *goBuild) end() {
	for pkg := range g.wanted {
		if g.counts[strings.TrimSuffix(pkg, "_test")] == 0 {
			g.f.unexplained++
		}
	}
}

// goUndefined returns the name that an error of the Go type checker
// (go/types, also used by the compiler and vet) misses.
func goUndefined(msg []byte) (string, bool) {
	if name, ok := bytes.CutPrefix(msg, []byte("undefined: ")); ok {
		return string(name), len(name) > 0 && bytes.IndexByte(name, ' ') < 0
	}
	name, why, ok := bytes.Cut(msg, []byte(" undefined (type "))
	if !ok || bytes.IndexByte(name, ' ') >= 0 || !bytes.Contains(why, []byte(" has no field or method ")) {
		return "", false
	}
	return string(name), true
}

// goRefusal tells the messages with which cmd/go ends before it builds
// anything.
func goRefusal(b []byte) bool {
	return hasAnyPrefix(b,
		"go: go.mod file not found",
		"go: cannot find main module",
		"go: errors parsing go.mod",
		"go: errors parsing go.work",
		"go: updates to go.mod needed",
		"go: inconsistent vendoring",
		"go: -mod=",
		"go: cannot load ",
		"go: no such tool ")
}
