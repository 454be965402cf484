package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// GlobError says why a pattern is none.
type GlobError struct {
	Pattern string
	Reason  string
}

// Error is one line.
func (e *GlobError) Error() string { return fmt.Sprintf("pattern %q: %s", e.Pattern, e.Reason) }

// glob is one compiled pattern. It matches a path that it describes and all
// that lies below a folder that it describes, also in a spelling that some
// file system takes for the same. A pattern without a slash, but at its end,
// describes names at any depth; with a slash it begins at the repository's
// root, as in gitignore(5).
type glob struct {
	text     string // as it was given
	segments []segment
	whole    string // the pattern for doublestar, where a brace spans a slash; else ""
}

// pathNames is a path cut into its names, for many comparisons.
type pathNames struct {
	path          string
	names, folded []string
}

func newPathNames(path string) pathNames {
	return pathNames{path, strings.Split(path, "/"), strings.Split(fold(path), "/")}
}

// compileGlob reads a doublestar pattern.
func compileGlob(text string) (glob, error) {
	fail := func(reason string) (glob, error) { return glob{}, &GlobError{Pattern: text, Reason: reason} }
	p := path.Clean(text)
	switch {
	case p == "." || strings.Trim(p, "/") == "":
		return fail("it names nothing; ** names everything")
	case strings.HasPrefix(p, "!"):
		return fail("it cannot be negated; a name that begins with ! is written \\!")
	case slices.Contains(strings.Split(text, "/"), ".."):
		return fail("it leads out of the repository")
	case !doublestar.ValidatePattern(p):
		return fail("it is not a doublestar pattern: a bracket, brace or backslash is not closed")
	}
	if !strings.Contains(p, "/") {
		p = "**/" + p
	}
	p = strings.TrimLeft(p, "/")
	g := glob{text: text}
	for part := range strings.SplitSeq(p, "/") {
		if !doublestar.ValidatePattern(part) || strings.Count(part, "{") != strings.Count(part, "}") {
			return glob{text: text, whole: p}, nil
		}
		g.segments = append(g.segments, newSegment(part))
	}
	return g, nil
}

// compileGlobs reads several patterns.
func compileGlobs(texts []string) ([]glob, error) {
	var globs []glob
	for _, text := range texts {
		g, err := compileGlob(text)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return globs, nil
}

// match says whether the pattern describes the path or a folder above it.
func (g glob) match(p pathNames) bool {
	if g.whole == "" {
		return matchNames(g.segments, p.names, p.folded)
	}
	for name := p.path; ; {
		if doublestar.MatchUnvalidated(g.whole, name) {
			return true
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return false
		}
		name = name[:i]
	}
}

// matchNames is true as well when names are left over: they lie below.
func matchNames(pattern []segment, names, folded []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0].star {
		for i := range len(names) + 1 {
			if matchNames(pattern[1:], names[i:], folded[i:]) {
				return true
			}
		}
		return false
	}
	return len(names) > 0 && pattern[0].match(names[0], folded[0]) && matchNames(pattern[1:], names[1:], folded[1:])
}

// matchAny is the first of the patterns that matches.
func matchAny(globs []glob, name pathNames) (glob, bool) {
	for _, g := range globs {
		if g.match(name) {
			return g, true
		}
	}
	return glob{}, false
}

// globFor is a pattern that matches exactly this path and what is below it.
func globFor(name string) string {
	var out strings.Builder
	if !strings.Contains(name, "/") {
		out.WriteByte('/')
	}
	for i := range len(name) {
		if strings.IndexByte(`*?[]{}\!`, name[i]) >= 0 {
			out.WriteByte('\\')
		}
		out.WriteByte(name[i])
	}
	return out.String()
}
