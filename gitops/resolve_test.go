package gitops

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestResolveCommit(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("dir/a", "a\n").Commit("one")
	one := repo.Head()
	repo.Submodule("sub module", testkit.NewRepo(t).Commit("s")).Commit("two")
	two := repo.Head()
	repo.Git("tag", "light", one)
	repo.Git("tag", "-a", "-m", "x", "annotated", one)
	repo.Git("tag", "-a", "-m", "x", "nested", "annotated")
	repo.Git("branch", "feature/ü", one)
	repo.Git("update-ref", "refs/heads/-dash", one)
	repo.Git("tag", "tree-tag", one+"^{tree}")
	tree, blob := repo.Git("rev-parse", one+"^{tree}"), repo.Git("rev-parse", one+":dir/a")
	r := openAt(t, repo.Dir)

	for ref, want := range map[string]string{
		"HEAD": two, "@": two, "HEAD~1": one, "HEAD^": one, "main": two, "refs/heads/main": two, "light": one,
		"annotated": one, "nested": one, "feature/ü": one, one: one, one[:10]: one, "-dash": one, ":/one": one,
		strings.ToUpper(one): one, "HEAD@{0}": two,
	} {
		base, err := r.ResolveCommit(t.Context(), ref)
		if err != nil || base.Commit != want || base.Tree != repo.Git("rev-parse", want+"^{tree}") || base.Snapshot || base.Parent != "" {
			t.Errorf("%q: %+v, %v", ref, base, err)
		}
		if got := slices.Equal(base.Submodules, []string{"sub module"}); got != (want == two) {
			t.Errorf("%q: submodules %q", ref, base.Submodules)
		}
	}
	for ref, want := range map[string]string{
		"": "is empty", " ": "is empty", "\n": "is empty", "a\x00b": "NUL",
		"no-such": "no such branch, tag or commit", "--all": "no such branch", "--help": "no such branch", "-": "no such branch",
		"^HEAD": "no such branch", "HEAD..main": "no such branch", "HEAD^{commit}\n": "no such branch",
		tree: "is a tree, not a commit", blob: "is a blob, not a commit", tree[:12]: "is a tree, not a commit",
		"HEAD:dir": "is a tree, not a commit", "HEAD~1:dir/a": "is a blob, not a commit",
		"tree-tag":              "is a tree, not a commit",
		strings.Repeat("1", 40): "no such object",
	} {
		_, err := r.ResolveCommit(t.Context(), ref)
		var bad *RefError
		if !errors.As(err, &bad) || bad.Ref != ref || !strings.Contains(bad.Reason, want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", ref, err, want)
		}
	}
}

func TestResolveAmbiguous(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Commit("base")
	tree := repo.Git("rev-parse", "HEAD^{tree}")
	// Enough commits that two ids begin alike.
	seen := map[string]bool{}
	var prefix string
	for i := 0; prefix == ""; i++ {
		id := repo.Git("commit-tree", tree, "-m", strings.Repeat("x", i+1))
		if seen[id[:4]] {
			prefix = id[:4]
		}
		seen[id[:4]] = true
	}
	_, err := openAt(t, repo.Dir).ResolveCommit(t.Context(), prefix)
	var bad *RefError
	if !errors.As(err, &bad) || !strings.Contains(bad.Reason, "more than one") {
		t.Error(err)
	}
}

func TestResolveWithoutCommits(t *testing.T) {
	t.Parallel()
	empty := testkit.NewRepo(t)
	r := openAt(t, empty.Dir)
	for _, ref := range []string{"HEAD", "main", "v1", "@"} {
		if _, err := r.ResolveCommit(t.Context(), ref); !errors.Is(err, ErrNoCommits) {
			t.Errorf("%q: %v", ref, err)
		}
	}
	orphan := testkit.NewRepo(t).Commit("base")
	orphan.Git("checkout", "-q", "--orphan", "new")
	r = openAt(t, orphan.Dir)
	if _, err := r.ResolveCommit(t.Context(), "HEAD"); !errors.Is(err, ErrNoCommits) {
		t.Error(err)
	}
	if _, err := r.ResolveCommit(t.Context(), "main"); err != nil {
		t.Error(err)
	}
	var bad *RefError
	if _, err := r.ResolveCommit(t.Context(), "other"); !errors.As(err, &bad) {
		t.Error(err)
	}
}

func TestResolveInShallowClone(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Commit("one")
	one := repo.Head()
	shallow := repo.Commit("two").Shallow("1")
	r := openAt(t, shallow.Dir)
	if base, err := r.ResolveCommit(t.Context(), "HEAD"); err != nil || base.Commit != repo.Head() {
		t.Errorf("%+v, %v", base, err)
	}
	var bad *RefError
	if _, err := r.ResolveCommit(t.Context(), one); !errors.As(err, &bad) || !strings.Contains(bad.Reason, "--unshallow") {
		t.Error(err)
	}
}
