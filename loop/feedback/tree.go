package feedback

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tree is the set of paths that loci may name. It is immutable and safe for
// concurrent use.
type Tree struct {
	exact map[string]struct{}
	rev   []string // sorted by their bytes from the end, so that paths with one suffix lie together
}

// NewTree makes a Tree of slash-separated paths relative to the tree's root.
// Paths that no line of text can name (not UTF-8, or with control characters)
// are left out.
func NewTree(paths []string) *Tree {
	t := &Tree{exact: make(map[string]struct{}, len(paths))}
	for _, p := range paths {
		if p == "" || !utf8.ValidString(p) || strings.ContainsFunc(p, isControl) {
			continue
		}
		if _, dup := t.exact[p]; dup {
			continue
		}
		t.exact[p] = struct{}{}
		t.rev = append(t.rev, p)
	}
	slices.SortFunc(t.rev, compareFromEnd)
	return t
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// lookup returns the tree's own string for a path.
func (t *Tree) lookup(path string) (string, bool) {
	if t == nil {
		return "", false
	}
	if _, ok := t.exact[path]; !ok {
		return "", false
	}
	return path, true
}

// under returns the paths that end in the whole components of suffix, at most
// limit+1 of them.
func (t *Tree) under(suffix string, limit int) []string {
	if t == nil || suffix == "" {
		return nil
	}
	i, _ := slices.BinarySearchFunc(t.rev, suffix, compareFromEnd)
	var out []string
	for ; i < len(t.rev) && strings.HasSuffix(t.rev[i], suffix); i++ {
		p := t.rev[i]
		if len(p) > len(suffix) && p[len(p)-len(suffix)-1] != '/' {
			continue
		}
		out = append(out, p)
		if len(out) > limit {
			break
		}
	}
	return out
}

func compareFromEnd(a, b string) int {
	i, j := len(a), len(b)
	for i > 0 && j > 0 {
		i--
		j--
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
	}
	return cmp.Compare(i, j)
}
