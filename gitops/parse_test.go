package gitops

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// FuzzParseTree: whatever the bytes, no panic; what was read is written back
// as a tree that reads the same.
func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("i", 20)
	f.Add([]byte("100644 a\x00" + id + "40000 a.b\x00" + id + "120000 \xff\x00" + id))
	f.Add([]byte("100664 a\x00" + id))
	f.Add([]byte("100644 ..\x00" + id))
	f.Add([]byte("100644"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err != nil {
			return
		}
		for _, e := range entries {
			if checkName(e.name) != nil {
				t.Errorf("the name %q was let through", e.name)
			}
		}
		again, err := parseTree(encodeTree(entries))
		if err != nil || len(again) != len(entries) {
			t.Fatalf("read back: %v %v", again, err)
		}
		for _, e := range entries {
			if !slices.Contains(again, e) {
				t.Errorf("%v is gone", e)
			}
		}
	})
}

// TestEncodeTreeSorts: git sorts a folder as if its name ended in a slash.
func TestEncodeTreeSorts(t *testing.T) {
	t.Parallel()
	entries := []treeEntry{
		{name: "a", mode: modeTree}, {name: "a0", mode: modeFile}, {name: "a.b", mode: modeFile}, {name: "a-b", mode: modeTree}, {name: "\xff", mode: modeFile},
	}
	sorted, err := parseTree(encodeTree(entries))
	noError(t, err)
	var names []string
	for _, e := range sorted {
		names = append(names, e.name)
	}
	equal(t, "order", strings.Join(names, " "), "a-b a.b a a0 \xff")
	if !bytes.HasPrefix(encodeTree([]treeEntry{{name: "d", mode: modeTree, id: plumbing.ZeroHash}}), []byte("40000 d\x00")) {
		t.Error("a folder's mode has a leading zero")
	}
}

func FuzzParseAttributes(f *testing.F) {
	f.Add([]byte("p\x00text\x00auto\x00p\x00eol\x00unspecified\x00"))
	f.Add([]byte("p\x00text\x00"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := parseAttributes(data)
		if err != nil {
			return
		}
		for path := range set {
			if !bytes.Contains(data, []byte(path)) {
				t.Errorf("%q was not in %q", path, data)
			}
		}
	})
}

func FuzzParseConfigList(f *testing.F) {
	f.Add([]byte("core.autocrlf\ntrue\x00core.eol\nlf\x00core.bare\x00"))
	f.Add([]byte("a\x00\x00b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values := parseConfigList(data)
		for key := range values {
			gitBool(values, key, true)
		}
	})
}

// TestGitBool: the spellings of git-config(1); the last value of a key counts.
func TestGitBool(t *testing.T) {
	t.Parallel()
	values := parseConfigList([]byte("a\nfalse\x00a\nyes\x00b\x00c\n\x00d\nOFF\x00e\nmaybe\x00"))
	for key, want := range map[string]bool{"a": true, "b": true, "c": false, "d": false, "e": true, "none": true} {
		if got := gitBool(values, key, true); got != want {
			t.Errorf("%s is %v", key, got)
		}
	}
}

// TestGitTwin: what git's own verify_path refuses, and what it does not.
func TestGitTwin(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".git": true, ".GIT": true, ".giT": true, "git~1": true, "GIT~1": true, ".git ": true, ".git.": true, ".git. .": true,
		".git::$INDEX_ALLOCATION": true, ".git:x": true, `.git\x`: true, `x\.git`: true, `x\git~1 \y`: true, `x.git\y`: false, ".g\u200cit": true, ".git\ufeff": true, "\u200e.GIT": true,
		"git": false, ".gitx": false, ".gitignore": false, "git~2": false, "x.git": false, ". git": false, "": false, ".g\xffit": false,
	} {
		if got := gitTwin(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	for name, want := range map[string]bool{".gitmodules": true, ".GitModules": true, "gitmod~1": true, ".gitmodules ": true, "gitmodules": false, "GI7EBA~1": true, "g~100000": true, "gi7eba~0": false, `x\.gitmodules`: true} {
		if got := modulesTwin(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestIgnorePattern: every line matches its own path and nothing else.
func TestIgnorePattern(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a": "/a", ".patchvet-io/": "/.patchvet-io/", "a b": `/a\ b`, "*": `/\*`, `a\b[c]?`: `/a\\b\[c\]\?`, "!a": "/!a", "#a": "/#a", "a\nb": "#",
	} {
		equal(t, path, ignorePattern(path), want)
	}
}
