package gitops

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// newRunner finds git for a test.
func newRunner(t testing.TB) *Runner {
	t.Helper()
	r, err := NewRunner(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// openAt opens a repository that must open.
func openAt(t testing.TB, dir string) *Repository {
	t.Helper()
	repo, err := Open(context.Background(), newRunner(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// newScratch makes a scratch folder that the end of the test removes.
func newScratch(t testing.TB) *Scratch {
	t.Helper()
	s, err := NewScratch(t.TempDir(), "run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// snap takes a snapshot and proves that the repository was not touched and
// that every object of the tree can be read. may is a part of the paths that
// may differ.
func snap(t testing.TB, dir string, may ...string) Base {
	t.Helper()
	repo, scratch := openAt(t, dir), newScratch(t)
	before := testkit.TakeFingerprint(t, repo.Root)
	base, err := repo.Snapshot(context.Background(), scratch)
	if err != nil {
		t.Fatal(err)
	}
	for _, diff := range before.Diff() {
		if len(may) == 0 || !strings.Contains(diff, may[0]) {
			t.Errorf("the repository was touched: %s", diff)
		}
	}
	opt := RunOptions{Env: base.objectEnv()}
	if _, err := repo.git(context.Background(), opt, "rev-list", "--objects", base.Tree); err != nil {
		t.Errorf("the objects of the snapshot: %v", err)
	}
	return base
}

// addAll is what `git add -A` and `git write-tree` make of a copy of the
// repository.
func addAll(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("cp", "-a", dir, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	copied := (&testkit.Repo{Dir: to}).For(t)
	copied.Git("-c", "core.fsmonitor=false", "-c", "core.safecrlf=false", "-c", "core.hooksPath=/dev/null", "add", "-A", "--", ".", ":(exclude).patchvet/runs")
	return copied.Git("write-tree")
}

func TestSnapshotIsWhatAddAllGives(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) *testkit.Repo {
		return testkit.NewRepo(t).
			Write("a.txt", "one\n").Write("b.txt", "two\n").Write("dir/c.txt", "three\n").Write("dir/d.txt", "four\n").
			WriteMode("run.sh", "#!/bin/sh\n", 0o755).Symlink("link", "a.txt").
			Write(".gitignore", "*.log\n/out/\n").Commit("base")
	}
	cases := map[string]func(t *testing.T, r *testkit.Repo){
		"clean":     func(*testing.T, *testkit.Repo) {},
		"staged":    func(_ *testing.T, r *testkit.Repo) { r.Write("a.txt", "staged\n").Stage() },
		"unstaged":  func(_ *testing.T, r *testkit.Repo) { r.Write("a.txt", "unstaged\n") },
		"both":      func(_ *testing.T, r *testkit.Repo) { r.Write("a.txt", "1\n").Stage().Write("a.txt", "2\n") },
		"same size": func(_ *testing.T, r *testkit.Repo) { r.Write("a.txt", "ONE\n") },
		"untracked": func(_ *testing.T, r *testkit.Repo) { r.Write("new/deep/x.txt", "x\n").Write("y", "") },
		"ignored": func(_ *testing.T, r *testkit.Repo) {
			r.Write("x.log", "log\n").Write("out/y", "y\n").Write(".git/info/exclude", "*.tmp\n").Write("z.tmp", "z\n")
		},
		"deleted":         func(_ *testing.T, r *testkit.Repo) { r.Remove("dir") },
		"deleted, staged": func(_ *testing.T, r *testkit.Repo) { r.Git("rm", "-q", "a.txt") },
		"staged deletion, file kept": func(_ *testing.T, r *testkit.Repo) {
			r.Git("rm", "-q", "--cached", "a.txt")
		},
		"modes": func(_ *testing.T, r *testkit.Repo) { r.Chmod("run.sh", 0o644).Chmod("a.txt", 0o755) },
		"modes not trusted": func(_ *testing.T, r *testkit.Repo) {
			r.Config("core.fileMode", "false").Chmod("run.sh", 0o644).WriteMode("new.sh", "x", 0o755)
		},
		"symlink moved":         func(_ *testing.T, r *testkit.Repo) { r.Symlink("link", "b.txt") },
		"file to symlink":       func(_ *testing.T, r *testkit.Repo) { r.Symlink("a.txt", "b.txt") },
		"symlink to file":       func(_ *testing.T, r *testkit.Repo) { r.Remove("link").Write("link", "a.txt") },
		"dangling, new symlink": func(_ *testing.T, r *testkit.Repo) { r.Symlink("new", "/no/where") },
		"file to folder":        func(_ *testing.T, r *testkit.Repo) { r.Remove("a.txt").Write("a.txt/inner", "x\n") },
		"folder to file":        func(_ *testing.T, r *testkit.Repo) { r.Remove("dir").Write("dir", "x\n") },
		"folder to symlink":     func(_ *testing.T, r *testkit.Repo) { r.Git("mv", "dir", "moved"); r.Symlink("dir", "moved") },
		"folder to symlink, unstaged": func(t *testing.T, r *testkit.Repo) {
			if err := os.Rename(r.Path("dir"), r.Path("moved")); err != nil {
				t.Fatal(err)
			}
			r.Symlink("dir", "moved")
		},
		"intent to add":          func(_ *testing.T, r *testkit.Repo) { r.Write("i", "i\n").Git("add", "-N", "i") },
		"intent to add, deleted": func(_ *testing.T, r *testkit.Repo) { r.Write("i", "i\n").Git("add", "-N", "i"); r.Remove("i") },
		"intent to add, empty":   func(_ *testing.T, r *testkit.Repo) { r.Write("i", "").Git("add", "-N", "i") },
		"odd names": func(_ *testing.T, r *testkit.Repo) {
			r.Write("new\nline", "x\n").Write("tab\there", "x\n").Write("\xff\xfe", "x\n").Write("ü ö", "x\n").
				Write(`"quoted"`, "x\n").Write(`back\slash`, "x\n").Write(" lead", "x\n").Write("-dash", "x\n").
				Write(":(exclude)*", "x\n").Write("*", "x\n").Write("dir\n/\xff/x", "x\n")
		},
		"odd names, tracked": func(_ *testing.T, r *testkit.Repo) {
			r.Write("new\nline", "x\n").Write("\xff\xfe", "x\n").Write("gone\n\x01", "x\n").Commit("odd").
				Write("new\nline", "y\n").Write("\xff\xfe", "y\n").Remove("gone\n\x01")
		},
		"index without the file": func(_ *testing.T, r *testkit.Repo) { r.Remove(".git/index") },
		"assume unchanged": func(_ *testing.T, r *testkit.Repo) {
			r.Git("update-index", "--assume-unchanged", "a.txt")
			r.Write("a.txt", "x\n")
		},
		"skip worktree": func(_ *testing.T, r *testkit.Repo) {
			r.Git("update-index", "--skip-worktree", "a.txt")
			r.Write("a.txt", "x\n")
		},
		"split index": func(_ *testing.T, r *testkit.Repo) {
			r.Config("core.splitIndex", "true").Write("s", "s\n").Stage().Write("t", "t\n").Git("update-index", "--split-index")
			r.Write("u", "u\n").Stage("u").Write("a.txt", "changed\n")
		},
		"untracked cache": func(_ *testing.T, r *testkit.Repo) {
			r.Config("core.untrackedCache", "true").Git("update-index", "--force-untracked-cache")
			r.Git("status")
			r.Write("late", "x\n")
		},
		"autocrlf": func(_ *testing.T, r *testkit.Repo) {
			r.Write("lf.txt", "a\nb\n").Write("crlf.txt", "a\r\nb\r\n").Commit("ends").
				Config("core.autocrlf", "true").Write("crlf.txt", "a\r\nb\r\nc\r\n").Write("lf.txt", "a\r\nb\r\nc\r\n").Write("new.txt", "n\r\n")
		},
		"text=auto with CRLF in the index": func(_ *testing.T, r *testkit.Repo) {
			r.Write("crlf.txt", "a\r\nb\r\n").Commit("ends").
				Write(".gitattributes", "* text=auto\n").Write("crlf.txt", "a\r\nb\r\nmore\r\n").Write("new.txt", "n\r\n")
		},
		"safecrlf": func(_ *testing.T, r *testkit.Repo) {
			r.Config("core.safecrlf", "true").Config("core.autocrlf", "true").Write("mixed.txt", "a\r\nb\n")
		},
		"working-tree-encoding": func(_ *testing.T, r *testkit.Repo) {
			r.Write(".gitattributes", "*.u16 text working-tree-encoding=UTF-16LE\n").Write("x.u16", "a\x00\n\x00")
		},
		"clean filter": func(_ *testing.T, r *testkit.Repo) {
			r.Config("filter.up.clean", "tr a-z A-Z").Config("filter.up.required", "true").
				Write(".gitattributes", "*.up filter=up\n").Write("x.up", "hello\n")
		},
		"content of an older commit": func(_ *testing.T, r *testkit.Repo) {
			r.Write("a.txt", "newer\n").Commit("second").Write("a.txt", "one\n").Write("copy", "one\n")
		},
		"packed": func(_ *testing.T, r *testkit.Repo) {
			r.Git("gc", "-q")
			r.Write("a.txt", "two\n").Write("copy", "one\n")
		},
		"touched only": func(t *testing.T, r *testkit.Repo) { r.Write("a.txt", "one\n").Write("dir/c.txt", "three\n") },
		"run folder": func(_ *testing.T, r *testkit.Repo) {
			r.Write(".patchvet/runs/1/journal.jsonl", "{}\n").Write(".patchvet/keep", "x\n")
		},
		"broken nested .git": func(_ *testing.T, r *testkit.Repo) { r.Write("n/.git", "junk\n").Write("n/x", "x\n") },
		"large file": func(_ *testing.T, r *testkit.Repo) {
			r.Config("core.bigFileThreshold", "1k").Write("large", strings.Repeat("0123456789abcdef", 1<<12))
		},
		"staged new file, gone": func(_ *testing.T, r *testkit.Repo) { r.Write("n", "n\n").Stage().Remove("n") },
		"hook that must not run": func(_ *testing.T, r *testkit.Repo) {
			r.WriteMode(".git/hooks/post-index-change", "#!/bin/sh\necho ran >>ran\n", 0o755).Write("x", "x\n")
		},
		"fsmonitor that must not run": func(_ *testing.T, r *testkit.Repo) {
			r.WriteMode(".git/watch", "#!/bin/sh\necho ran >>ran\n", 0o755).Config("core.fsmonitor", ".git/watch").Write("x", "x\n")
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := start(t)
			change(t, repo)
			want := addAll(t, repo.Dir)
			base := snap(t, repo.Dir)
			if base.Tree != want {
				t.Errorf("tree %s, git add -A gives %s:\n%s", base.Tree, want, repo.Git("status", "--short"))
			}
			if !base.Snapshot || base.Commit != "" || base.Parent != repo.Head() {
				t.Errorf("base %+v", base)
			}
			if len(base.LeftOut)+len(base.Submodules)+len(base.Moved) > 0 {
				t.Errorf("left out %q, submodules %q, moved %q", base.LeftOut, base.Submodules, base.Moved)
			}
			if flagged := name == "assume unchanged" || name == "skip worktree"; flagged != slices.Equal(base.Assumed, []string{"a.txt"}) {
				t.Errorf("assumed %q", base.Assumed)
			}
		})
	}
}

func TestSnapshotErrors(t *testing.T) {
	t.Parallel()
	take := func(t *testing.T, dir string) error {
		repo := openAt(t, dir)
		scratch := newScratch(t)
		before := testkit.TakeFingerprint(t, dir)
		defer before.Check(t)
		_, err := repo.Snapshot(context.Background(), scratch)
		if err == nil {
			t.Fatal("no error")
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
		return err
	}
	t.Run("unmerged", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Write("a", "a\n").Write("b\n", "b\n").Commit("base").Unmerged("a", "b\n")
		err := take(t, repo.Dir)
		var unmerged *UnmergedError
		if !errors.Is(err, ErrUnmerged) || !errors.As(err, &unmerged) || !slices.Equal(unmerged.Paths, []string{"a", "b\n"}) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no commits", func(t *testing.T) {
		t.Parallel()
		if err := take(t, testkit.NewRepo(t).Write("a", "a\n").Dir); !errors.Is(err, ErrNoCommits) {
			t.Errorf("%v", err)
		}
	})
	t.Run("bare", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Write("a", "a\n").Commit("base").Bare()
		if err := take(t, repo.Dir); !strings.Contains(err.Error(), "--base") {
			t.Errorf("%v", err)
		}
	})
	t.Run("required filter is missing", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Commit("base").Config("filter.x.clean", "no-such-program").Config("filter.x.required", "true").
			Write(".gitattributes", "*.x filter=x\n").Write("a.x", "a\n")
		if err := take(t, repo.Dir); !strings.Contains(err.Error(), "no-such-program") {
			t.Errorf("%v", err)
		}
	})
	t.Run("fifo in place of a file", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Write("a", "a\n").Commit("base").Remove("a")
		if out, err := exec.Command("mkfifo", repo.Path("a")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := take(t, repo.Dir); !strings.Contains(err.Error(), "a: unsupported file type") {
			t.Errorf("%v", err)
		}
	})
}
