package gitops

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func drawPath(t *rapid.T, label string) string {
	name := rapid.SampledFrom([]string{"a", "B", "tests", "Tests", "x_test.go", "conftest.py", "Makefile", "run.sh", "é", "e\u0301", "\xff", "a\nb", " ", "t.", "test_a.py", "src"})
	return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, label), "/")
}

// drawBase is a base without a file in the place of another's folder.
func drawBase(t *rapid.T) tree {
	base := tree{}
	for range rapid.IntRange(0, 8).Draw(t, "files") {
		p := drawPath(t, "base")
		clash := false
		for other := range base {
			clash = clash || strings.HasPrefix(other, p+"/") || strings.HasPrefix(p, other+"/")
		}
		if !clash {
			base[p] = ""
		}
	}
	return base
}

func TestGuardInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		p := Protection{
			Globs:   rapid.SliceOfN(rapid.SampledFrom([]string{"tests/**", "src", "**/*.py", "a/*", "é", "\xff"}), 0, 2).Draw(t, "globs"),
			Ratchet: rapid.Bool().Draw(t, "ratchet"),
			Allow:   rapid.SliceOfN(rapid.SampledFrom([]string{"**/*.go", "conftest.py", "**"}), 0, 1).Draw(t, "allow"),
			Oracle:  rapid.SliceOfN(rapid.SampledFrom([]string{"./run.sh", "make", "sh tests/run.sh"}), 0, 2).Draw(t, "oracle"),
		}
		g, err := NewGuard(p, base.entries(), base.read)
		if err != nil {
			t.Fatal(err)
		}

		// No change, no violation; and the paths of violations are changed ones.
		if got := g.Check(nil); len(got) > 0 {
			t.Fatalf("%+v", got)
		}
		var changes []Change
		kinds := rapid.SampledFrom([]Kind{Modified, Deleted, Type, Mode})
		for path := range base {
			if rapid.Bool().Draw(t, "changed") {
				c := Change{Path: path, Kind: kinds.Draw(t, "kind"), OldMode: modeFile, NewMode: modeFile}
				if c.Kind == Deleted {
					c.NewMode = ""
				}
				changes = append(changes, c)
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "new") {
			if path := drawPath(t, "new path"); base[path] == "" && !hasPath(base, path) {
				changes = append(changes, Change{Path: path, Kind: Added, NewMode: modeFile})
			}
		}
		slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
		changes = slices.CompactFunc(changes, func(a, b Change) bool { return a.Path == b.Path })
		got := g.Check(changes)
		byPath := map[string]Violation{}
		for _, v := range got {
			if !slices.ContainsFunc(changes, func(c Change) bool { return c.Path == v.Path }) {
				t.Errorf("%q did not change", v.Path)
			}
			if _, twice := byPath[v.Path]; twice || v.Reason == "" || v.Rule == "" || strings.Contains(v.Reason, "\n") {
				t.Errorf("%+v", v)
			}
			byPath[v.Path] = v
		}

		for _, c := range changes {
			v, hit := byPath[c.Path]
			// Alone or among others, a change is judged alike.
			if alone := g.Check([]Change{c}); (len(alone) == 1) != hit || hit && alone[0] != v {
				t.Errorf("%q alone: %+v, among others: %+v", c.Path, alone, v)
			}
			// What Explain forbids is a violation, in every kind of change.
			for _, r := range g.Explain(c.Path) {
				forbids := !r.Exempt && (c.Kind == Added && !r.New || c.Kind != Added && !r.Change)
				if forbids && !hit {
					t.Errorf("%q: %+v does not count", c.Path, r)
				}
				if forbids && r.Abort && !v.Abort {
					t.Errorf("%q: %+v does not abort", c.Path, r)
				}
			}
			// The kind of a change of a path of the base makes no difference.
			if c.Kind != Added {
				c.Kind = Deleted
				if again := g.Check([]Change{c}); len(again) == 1 != hit {
					t.Errorf("%q deleted: %+v, else: %+v", c.Path, again, v)
				}
			}
			// Another spelling of a guarded path of the base is guarded.
			if hit && c.Kind != Added && v.Abort {
				twin := strings.ToUpper(c.Path)
				if !hasPath(base, twin) && len(g.Check([]Change{{Path: twin, Kind: Added, NewMode: modeFile}})) == 0 && fold(twin) == fold(c.Path) {
					t.Errorf("%q is guarded, %q is not", c.Path, twin)
				}
			}
			// So is a link in the place of a folder above it.
			if folder, _, ok := strings.Cut(c.Path, "/"); ok && hit && c.Kind != Added {
				if len(g.Check([]Change{{Path: folder, Kind: Added, NewMode: modeLink}})) == 0 {
					t.Errorf("%q is guarded, its folder is not", c.Path)
				}
			}
		}
	})
}

func hasPath(base tree, path string) bool {
	_, ok := base[path]
	return ok
}

// More protection never allows more.
func TestGuardIsMonotonic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		c := Change{Path: drawPath(t, "path"), Kind: Added, NewMode: modeFile}
		if hasPath(base, c.Path) {
			c.Kind = Modified
		}
		less := Protection{Oracle: []string{"./run.sh"}, Ratchet: true, AllowTests: true}
		more := less
		more.AllowTests = false
		more.Globs = []string{"src"}
		a, err := NewGuard(less, base.entries(), base.read)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewGuard(more, base.entries(), base.read)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Check([]Change{c})) > len(b.Check([]Change{c})) {
			t.Errorf("%q is allowed by more protection", c.Path)
		}
	})
}
