package gitops

import (
	"errors"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
)

func TestGlobMatch(t *testing.T) {
	t.Parallel()
	cases := []struct {
		pattern string
		yes, no string // separated by spaces
	}{
		{"tests", "tests tests/a tests/a/b sub/tests/a Tests/a", "test testsx/a atests"},
		{"tests/", "tests tests/a sub/tests/a", "test"},
		{"/tests", "tests tests/a", "sub/tests/a"},
		{"./tests/", "tests/a sub/tests/a", "x"},
		{"a/b", "a/b a/b/c A/B", "x/a/b a b a/bc"},
		{"*_test.go", "x_test.go a/b/x_test.go X_TEST.GO", "x.go x_test.gox"},
		{"**/*_test.go", "x_test.go a/x_test.go", "x.go"},
		{"src/**/x", "src/x src/a/x src/a/b/x/y", "x src/y"},
		{"src/**", "src/a src/a/b src", "a/src/b"},
		{"**", "a a/b", ""},
		{"*Test.java", "XTest.java", "Latest.java Xtest.java"},
		{"{a,b}.{c,d}", "a.c x/b.d A.C", "a.e ab.c"},
		{"{a/b,c}/d", "a/b/d c/d", "d a/d"},
		{"[ab].txt", "a.txt b.txt", "c.txt"},
		{"a?c", "abc adc", "ac abbc"},
		{`\*x`, "*x", "ax"},
		{`\!x`, "!x", "x"},
		{"a//b", "a/b", "a"},
		{"a/./b", "a/b", "a"},
		{"x.", "x X. x.", "xy"}, // dots at the end do not count everywhere
		{"Makefile", "Makefile makefile sub/MAKEFILE", "Makefile.am"},
		{"\xff*", "\xff \xffx a/\xff", "x"},
		{"é", "é e\u0301 É", "e"},
	}
	for _, c := range cases {
		g, err := compileGlob(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for path := range strings.FieldsSeq(c.yes) {
			if !g.match(newPathNames(path)) {
				t.Errorf("%q does not match %q", c.pattern, path)
			}
		}
		for path := range strings.FieldsSeq(c.no) {
			if g.match(newPathNames(path)) {
				t.Errorf("%q matches %q", c.pattern, path)
			}
		}
	}
}

func TestGlobErrors(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"", ".", "/", "//", "./", "!x", "../x", "a/../b", "[a", "{a", "a\\", "a/..", "{a,b/"} {
		var bad *GlobError
		if _, err := compileGlob(pattern); !errors.As(err, &bad) || bad.Pattern != pattern || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// Whatever doublestar matches, anchored and on every folder above, matches.
func TestGlobIsNoNarrowerThanDoublestar(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b", "A", "*", "?", "**", "/", "{a,b}", "{A,b/c}", "[ab]", "[^a]", ".", "é", "\xff", `\*`, "x.go"})
	name := rapid.SampledFrom([]string{"a", "b", "A", "/", ".", "é", "\xff", "*", "c", "x.go"})
	rapid.Check(t, func(t *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pattern"), "")
		path := strings.Trim(strings.Join(rapid.SliceOfN(name, 1, 6).Draw(t, "path"), ""), "/")
		g, err := compileGlob(pattern)
		if err != nil || path == "" {
			return
		}
		anchored := strings.TrimLeft(pattern, "/")
		if doublestar.MatchUnvalidated(anchored, path) && !g.match(newPathNames(path)) && strings.Trim(pattern, "/") == pattern && !strings.Contains(pattern, "//") && !strings.Contains(pattern, "./") && !strings.HasSuffix(pattern, "/.") {
			t.Errorf("%q does not match %q", pattern, path)
		}
	})
}

func TestGlobForMatchesItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a{}\[\]*?!\\ \n,-]{1,5}(/[a{}\[\]*?!\\ü,]{1,5}){0,2}`).Draw(t, "path")
		g, err := compileGlob(globFor(path))
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if !g.match(newPathNames(path)) {
			t.Errorf("%q does not match %q", globFor(path), path)
		}
		if other := "x/" + path; g.match(newPathNames(other)) {
			t.Errorf("%q matches %q", globFor(path), other)
		}
	})
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"a/B", "é", "e\u0301", "ß", "\xff/A", "x./ y ", "a\u200cb", "İ", "ſ", "K", "...", "/", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		folded := fold(s)
		if strings.Count(folded, "/") != strings.Count(s, "/") {
			t.Errorf("%q: %q has other names", s, folded)
		}
		if up := fold(strings.ToUpper(s)); isPlain(s) && up != folded {
			t.Errorf("%q: %q in capitals", folded, up)
		}
	})
}

func FuzzGlob(f *testing.F) {
	f.Add("**/*.{a,b}", "x/y.a")
	f.Add("{a,{b,c}}/[d-f]*", "b/e")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := compileGlob(pattern)
		if err == nil && len(pattern) < 100 && len(path) < 200 {
			g.match(newPathNames(path))
		}
	})
}
