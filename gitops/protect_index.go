package gitops

import (
	"slices"
	"strings"
)

// pathIndex finds the paths of the base, also in another spelling.
type pathIndex struct {
	exact  map[string]bool
	folded []foldedPath // sorted by folded
}

type foldedPath struct{ folded, path string }

func newPathIndex(base []Entry) *pathIndex {
	x := &pathIndex{exact: make(map[string]bool, len(base)), folded: make([]foldedPath, 0, len(base))}
	for _, e := range base {
		x.exact[e.Path] = true
		x.folded = append(x.folded, foldedPath{fold(e.Path), e.Path})
	}
	slices.SortFunc(x.folded, func(a, b foldedPath) int {
		if c := strings.Compare(a.folded, b.folded); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	return x
}

func (x *pathIndex) any(f func(path string) bool) bool {
	for p := range x.exact {
		if f(p) {
			return true
		}
	}
	return false
}

// from is the first place at or after a folded path.
func (x *pathIndex) from(folded string) int {
	i, _ := slices.BinarySearchFunc(x.folded, folded, func(p foldedPath, s string) int { return strings.Compare(p.folded, s) })
	return i
}

// twins calls f for the paths of the base that some file system takes for this
// path, the path itself among them, until f says stop.
func (x *pathIndex) twins(path string, f func(twin string) (stop bool)) {
	folded := fold(path)
	for i := x.from(folded); i < len(x.folded) && x.folded[i].folded == folded; i++ {
		if f(x.folded[i].path) {
			return
		}
	}
}

// below calls f for the paths of the base inside a folder of this name, in
// any spelling, until f says stop.
func (x *pathIndex) below(folder string, f func(path string) (stop bool)) {
	prefix := fold(folder) + "/"
	for i := x.from(prefix); i < len(x.folded) && strings.HasPrefix(x.folded[i].folded, prefix); i++ {
		if f(x.folded[i].path) {
			return
		}
	}
}

// respelled are the other names that the path has where its folders are those
// of the base: for "Tests/new.py" and a base with "tests/a.py" that is
// "tests/new.py". There are at most eight.
func (x *pathIndex) respelled(path string) []string {
	var names []string
	for i := len(path) - 1; i > 0; i-- {
		if path[i] != '/' {
			continue
		}
		folder, rest := path[:i], path[i:]
		depth := strings.Count(folder, "/") + 1
		last := ""
		x.below(folder, func(found string) bool {
			other := firstNames(found, depth)
			if other != folder && other != last {
				names = append(names, other+rest)
				last = other
			}
			return len(names) >= 8
		})
		if len(names) > 0 {
			break // the longest folder that the base has says all
		}
	}
	return names
}

// firstNames are the first n names of a path.
func firstNames(path string, n int) string {
	for i := range len(path) {
		if path[i] == '/' {
			if n--; n == 0 {
				return path[:i]
			}
		}
	}
	return path
}
