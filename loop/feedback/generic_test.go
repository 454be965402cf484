package feedback

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func localize(t fataler, log string, opt Options) Report {
	t.Helper()
	rep, err := Localize(context.Background(), strings.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// fataler is what tests and property tests have in common.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func TestPlacesInText(t *testing.T) {
	t.Parallel()
	tree := NewTree([]string{
		"server.go", "src/app.py", "Makefile", "run.sh", "src/my page/[id]/page.tsx", "localhost", "db", "12", "1.2.3", "2024-01-02",
		"example.com", "docs/example.org", "v1", "a b.txt", "src/größe.c", "src/cart.ts",
	})
	for _, c := range []struct {
		line string
		want string // "" for none
	}{
		{"server.go:12", "server.go:12"},
		{"server.go:12:5: text", "server.go:12"},
		{"at server.go:12.", "server.go:12"},
		{"(src/app.py:21)", "src/app.py:21"},
		{"see 'src/app.py:7', please", "src/app.py:7"},
		{`x="src/app.py:7"`, "src/app.py:7"},
		{"error:src/app.py:7", "src/app.py:7"},
		{"/room/src/app.py:7: boom", "src/app.py:7"},
		{"file:///room/src/app.py:7:1", "src/app.py:7"},
		{"Makefile:7: recipe failed", "Makefile:7"},
		{"run.sh: 5: foo: not found", "run.sh:5"},
		{"./run.sh: line 5: foo: command not found", "run.sh:5"},
		{"In run.sh line 9:", "run.sh:9"},
		{"died at src/app.py line 4.", "src/app.py:4"},
		{`File "/room/a b.txt", line 3`, "a b.txt:3"},
		{"src/cart.ts(3,5): note", "src/cart.ts:3"},
		{"at x (/room/src/my page/[id]/page.tsx:3:4)", "src/my page/[id]/page.tsx:3"},
		{"a b.txt:4: spaces", "a b.txt:4"},
		{"src/größe.c:8:1", "src/größe.c:8"},
		{"server.go:12-", "server.go:12"},

		{"12:34:56 started", ""},
		{"at 12:34", ""},
		{"2024-01-02:03", ""},
		{"1.2.3:4", ""},
		{"localhost:8080", ""},
		{"listening on localhost:8080", ""},
		{"connect to db:5432", ""},
		{"db:5432: refused", ""},
		{"example.com:443: refused", ""},
		{"example.org:443", ""},
		{"http://example.com/server.go:80", ""},
		{"http://example.com:8080/server.go:80 is a URL", ""},
		{"//cdn/server.go:13", ""},
		{"https://host/src/app.py:12", ""},
		{"127.0.0.1:5432", ""},
		{"[::1]:5432", ""},
		{"image v1:2.3", ""},
		{"server.go:12abc", ""},
		{"server.go:0", ""},
		{"server.go:05", ""},
		{"server.go:1.2", ""},
		{"server.go:99999999999999999999", ""},
		{"other.go:3", ""},
		{"/usr/lib/src/app.py:3", ""},
		{"xserver.go:3", ""},
	} {
		rep := localize(t, c.line+"\n", Options{Tree: tree, Root: "/room"})
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if !slices.Equal(rep.Loci, want) {
			t.Errorf("%q: loci %q, want %q", c.line, rep.Loci, want)
		}
	}
}

func TestComplaints(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"ERROR: total is 3":              true,
		"Error":                          true,
		"test failed":                    true,
		"sh: foo: not found":             true,
		"Segmentation fault":             true,
		"expected 3, got 4":              true,
		"it failed.":                     true,
		"":                               false,
		"all is well":                    false,
		"0 errors":                       false,
		"found 3 items, no errors":       false,
		"No errors":                      false,
		"error_handler.c compiled":       false,
		"compiling my-error.go":          false,
		"terrors and failedness":         false,
		"found it":                       false,
		"errors.go loaded":               false,
		"checking --fail=never for x":    false,
		"unexpectedly long words are ok": false,
	} {
		if got := complains([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestComplaintsGiveWay checks that guesses are used only where no format
// spoke.
func TestComplaintsGiveWay(t *testing.T) {
	t.Parallel()
	rep := localize(t, "ERROR: noise\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tp\t0.1s\n", Options{})
	if want := []string{"--- FAIL: TestX (0.00s)", "FAIL\tp\t0.1s"}; !slices.Equal(rep.Failing, want) {
		t.Errorf("got %q", rep.Failing)
	}
	rep = localize(t, "ERROR: noise\nfine\n", Options{})
	if want := []string{"ERROR: noise"}; !slices.Equal(rep.Failing, want) {
		t.Errorf("got %q", rep.Failing)
	}
}
