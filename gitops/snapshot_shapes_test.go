package gitops

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestSnapshotLeavesNestedRepositoriesOut(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("a", "a\n").Write("gives/way", "x\n").Write("kept/in", "x\n").Commit("base")
	repo.Remove("gives/way").Nest("gives/way").
		Nest("top").Nest("deep/er/still").Nest("with space/n\new").Nest("\xff").
		Write("deep/file", "x\n").Write(".gitignore", "/ignored/\n").Nest("ignored/one").
		Nest(".patchvet/runs/1/rooms/x")
	repo.In("with space/n\new").Nest("inside/another")
	testkit.NewRepoAt(t, repo.Path("unborn")).Write("x", "x\n")
	testkit.NewRepoAt(t, repo.Path("kept")) // a tracked folder that became a repository keeps its files
	repo.Write("kept/in", "changed\n").Write("kept/new", "new\n")

	base := snap(t, repo.Dir)
	want := []string{"deep/er/still", "gives/way", "top", "unborn", "with space/n\new", "\xff"}
	if !slices.Equal(base.LeftOut, want) {
		t.Errorf("left out %q, want %q", base.LeftOut, want)
	}
	if got, want := treePaths(t, repo, base), []string{".gitignore", "a", "deep/file", "kept/in", "kept/new"}; !slices.Equal(got, want) {
		t.Errorf("tree holds %q, want %q", got, want)
	}
}

// treePaths lists the files of a snapshot.
func treePaths(t *testing.T, repo *testkit.Repo, base Base) []string {
	t.Helper()
	r := openAt(t, repo.Dir)
	out, err := r.git(t.Context(), RunOptions{Env: base.objectEnv()}, "ls-tree", "-r", "-z", "--name-only", base.Tree)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestSnapshotKeepsSubmodules(t *testing.T) {
	t.Parallel()
	other := testkit.NewRepo(t).Write("s", "s\n").Commit("one")
	start := func(t *testing.T) *testkit.Repo {
		return testkit.NewRepo(t).Write("a", "a\n").Commit("base").Submodule("sub", other.For(t)).Commit("submodule")
	}
	cases := []struct {
		name    string
		change  func(*testkit.Repo)
		moved   bool
		gitlink bool
	}{
		{"clean", func(*testkit.Repo) {}, false, true},
		{"dirty", func(r *testkit.Repo) { r.In("sub").Write("s", "dirty\n").Write("new", "x\n") }, false, true},
		{"moved", func(r *testkit.Repo) { r.In("sub").Write("s", "more\n").Commit("two") }, true, true},
		{"removed", func(r *testkit.Repo) { r.Remove("sub") }, true, true},
		{"not checked out", func(r *testkit.Repo) { r.Git("submodule", "--quiet", "deinit", "-f", "sub") }, false, true},
		{"replaced by a file", func(r *testkit.Repo) { r.Remove("sub").Write("sub", "file\n") }, false, false},
		{"staged at another commit", func(r *testkit.Repo) { r.In("sub").Write("s", "more\n").Commit("two"); r.Stage() }, false, true},
		{"unstaged from it", func(r *testkit.Repo) { r.Git("rm", "-q", "--cached", "sub") }, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repo := start(t)
			c.change(repo)
			index := repo.Git("ls-files", "-s", "sub")
			base := snap(t, repo.Dir)
			if got := slices.Equal(base.Moved, []string{"sub"}); got != c.moved {
				t.Errorf("moved %q", base.Moved)
			}
			if got := slices.Equal(base.Submodules, []string{"sub"}); got != c.gitlink {
				t.Errorf("submodules %q", base.Submodules)
			}
			r := openAt(t, repo.Dir)
			out, err := r.git(t.Context(), RunOptions{Env: base.objectEnv()}, "ls-tree", base.Tree, "sub")
			if err != nil {
				t.Fatal(err)
			}
			if c.gitlink && strings.Fields(string(out))[2] != strings.Fields(index)[1] {
				t.Errorf("tree has %q, the index %q", out, index)
			}
			if !c.gitlink && strings.HasPrefix(string(out), modeGitlink) {
				t.Errorf("tree has %q", out)
			}
		})
	}
}

func TestSnapshotInEveryShape(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) *testkit.Repo {
		return testkit.NewRepo(t).Write("in/a", "a\n").Write("out/b", "b\n").Write("c", "c\n").Commit("one").
			Write("c", "cc\n").Commit("two")
	}
	change := func(r *testkit.Repo) *testkit.Repo {
		return r.Write("c", "c\n").Write("in/new", "new\n").Write("in/a", "b\n")
	}
	cases := map[string]func(t *testing.T) *testkit.Repo{
		"linked worktree":    func(t *testing.T) *testkit.Repo { return start(t).Worktree("side") },
		"worktree of a bare": func(t *testing.T) *testkit.Repo { return start(t).Bare().Worktree("side") },
		"submodule":          func(t *testing.T) *testkit.Repo { return testkit.NewRepo(t).Submodule("s", start(t)).In("s") },
		"shallow clone":      func(t *testing.T) *testkit.Repo { return start(t).Shallow("1") },
		"shared clone":       func(t *testing.T) *testkit.Repo { return start(t).Clone("--shared").Clone("--shared") },
		"sparse checkout":    func(t *testing.T) *testkit.Repo { return start(t).Sparse("in") },
		"sparse index":       func(t *testing.T) *testkit.Repo { return start(t).Sparse("--sparse-index", "in") },
		"colon in the path": func(t *testing.T) *testkit.Repo {
			dir := filepath.Join(t.TempDir(), "a:b \"c\" \\ 'd'\n#e\xff")
			return testkit.NewRepoAt(t, dir).Write("in/a", "a\n").Commit("one").Write("c", "c\n").Commit("two")
		},
		"detached HEAD": func(t *testing.T) *testkit.Repo {
			r := start(t)
			r.Git("checkout", "-q", "--detach", "HEAD~1")
			return r
		},
		"orphan branch with its index": func(t *testing.T) *testkit.Repo {
			r := start(t)
			r.Git("checkout", "-q", "--orphan", "o")
			return r.Commit("root")
		},
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := change(make(t))
			var may []string
			if name == "sparse index" {
				may = []string{"/.git/objects/"} // see snapshotStore
			}
			base := snap(t, repo.Dir, may...)
			// No addAll: the copy of a linked worktree would write to the original.
			want := strings.Split(repo.Git("ls-files", "-c", "-o"), "\n")
			slices.Sort(want)
			if got := treePaths(t, repo, base); !slices.Equal(got, want) {
				t.Errorf("tree holds %q, the worktree %q", got, want)
			}
			if len(base.Assumed) > 0 {
				t.Errorf("assumed %q", base.Assumed)
			}
			r := openAt(t, repo.Dir)
			out, err := r.git(t.Context(), RunOptions{Env: base.objectEnv()}, "cat-file", "blob", base.Tree+":in/a")
			if err != nil || string(out) != "b\n" {
				t.Errorf("in/a is %q, %v", out, err)
			}
			if strings.HasPrefix(name, "sparse") {
				if out, err = r.git(t.Context(), RunOptions{Env: base.objectEnv()}, "cat-file", "blob", base.Tree+":out/b"); string(out) != "b\n" {
					t.Errorf("out/b is %q, %v", out, err)
				}
			}
		})
	}
}

// In a partial clone a missing object would be fetched, and the promisor is
// gone here: nothing may need it.
func TestSnapshotOfPartialClone(t *testing.T) {
	t.Parallel()
	origin := testkit.NewRepo(t).Write("a", "a\n").Write("dir/b", "b\n").Commit("one").Write("a", "aa\n").Commit("two").
		Config("uploadpack.allowFilter", "true")
	clone := origin.Clone("--no-local", "--filter=blob:none")
	origin.Remove(".git")
	clone.Write("a", "a\n").Write("dir/new", "new\n").Config("core.autocrlf", "true")
	base := snap(t, clone.Dir)
	if got, want := treePaths(t, clone, base), []string{"a", "dir/b", "dir/new"}; !slices.Equal(got, want) {
		t.Errorf("tree holds %q, want %q", got, want)
	}
}

// A file that changes within the clock tick in which the index was written,
// and keeps its size, has the time that the index knows. The copy must be as
// suspicious of it as the original is.
func TestSnapshotSeesRacyChange(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("a", "one\n").Commit("base")
	tick := time.Unix(1_700_000_000, 0)
	setTime := func(rel string) {
		if err := os.Chtimes(repo.Path(rel), tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	repo.Config("core.trustctime", "false").Config("core.checkStat", "minimal")
	setTime("a")
	repo.Git("update-index", "--refresh")
	setTime(".git/index")
	repo.Write("a", "ONE\n")
	setTime("a")
	want := addAll(t, repo.Dir)
	setTime(".git/index")
	if base := snap(t, repo.Dir); base.Tree != want {
		t.Errorf("tree %s, want %s", base.Tree, want)
	}
}

// A home folder under version control holds the cache.
func TestSnapshotLeavesItsOwnScratchOut(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("a", "a\n").Commit("base").Write(".cache/other", "x\n").Mkdir(".cache/patchvet")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(repo.Path(".cache/patchvet"), link); err != nil {
		t.Fatal(err)
	}
	r := openAt(t, repo.Dir)
	for _, root := range []string{repo.Path(".cache/patchvet"), link} {
		scratch, err := NewScratch(root, "run")
		if err != nil {
			t.Fatal(err)
		}
		base, err := r.Snapshot(t.Context(), scratch)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := treePaths(t, repo, base), []string{".cache/other", "a"}; !slices.Equal(got, want) || len(base.LeftOut) > 0 {
			t.Errorf("tree holds %q, want %q; left out %q", got, want, base.LeftOut)
		}
		if err := scratch.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSnapshotKeepsLFSContentAside(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T, r *testkit.Repo){
		// A clean filter that stores content as git-lfs does: below lfs.storage,
		// or else in the git folder.
		"stand-in": func(_ *testing.T, r *testkit.Repo) {
			const filter = `dir=$(git config lfs.storage || git rev-parse --git-dir)/objects; mkdir -p "$dir"; tee "$dir/$$" | sha256sum`
			r.Config("filter.store.clean", filter).Config("filter.store.required", "true").Write(".gitattributes", "*.bin filter=store\n")
		},
		"git-lfs": func(t *testing.T, r *testkit.Repo) {
			if _, err := exec.LookPath("git-lfs"); err != nil {
				t.Skip("git-lfs is not installed")
			}
			r.Config("filter.lfs.process", "git-lfs filter-process").Config("filter.lfs.required", "true").
				Config("filter.lfs.clean", "git-lfs clean -- %f").Write(".gitattributes", "*.bin filter=lfs\n")
		},
	}
	for name, set := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := testkit.NewRepo(t).Commit("base")
			set(t, repo)
			repo.Write("x.bin", "large\n").Write("y.bin", "staged\n")
			r, scratch := openAt(t, repo.Dir), newScratch(t)
			before := testkit.TakeFingerprint(t, repo.Dir)
			base, err := r.Snapshot(t.Context(), scratch)
			if err != nil {
				t.Fatal(err)
			}
			before.Check(t)
			found := false
			err = filepath.WalkDir(base.lfs, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					data, err := os.ReadFile(path)
					found = found || string(data) == "large\n"
					return err
				}
				return err
			})
			if err != nil || !found {
				t.Errorf("the content is not below %s: %v", base.lfs, err)
			}
			out, err := r.git(t.Context(), RunOptions{Env: base.objectEnv()}, "cat-file", "blob", base.Tree+":x.bin")
			if err != nil || strings.Contains(string(out), "large") {
				t.Errorf("the tree holds %q, %v", out, err)
			}
		})
	}
}
