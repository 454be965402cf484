package gitops

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestOpenFromEverywhere(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) *testkit.Repo {
		return testkit.NewRepo(t).Write("dir/sub ü/f", "x\n").Commit("base")
	}
	type place struct {
		dir, root, prefix, gitDir, commonDir string
		bare                                 bool
	}
	plain := func(r *testkit.Repo) place {
		return place{dir: r.Dir, root: r.Dir, gitDir: r.Path(".git"), commonDir: r.Path(".git")}
	}
	cases := map[string]func(t *testing.T) place{
		"root": func(t *testing.T) place { return plain(start(t)) },
		"folder": func(t *testing.T) place {
			r := start(t)
			p := plain(r)
			p.dir, p.prefix = r.Path("dir/sub ü"), "dir/sub ü"
			return p
		},
		"through a symlink": func(t *testing.T) place {
			r := start(t)
			p := plain(r)
			p.dir, p.prefix = filepath.Join(t.TempDir(), "link"), "dir"
			if err := os.Symlink(r.Path("dir"), p.dir); err != nil {
				t.Fatal(err)
			}
			return p
		},
		"line ends in the path": func(t *testing.T) place {
			r := testkit.NewRepoAt(t, filepath.Join(t.TempDir(), "a\n\nb\n")).Write("c\nd/f", "x\n").Commit("base")
			p := plain(r)
			p.dir, p.prefix = r.Path("c\nd"), "c\nd"
			return p
		},
		"not UTF-8": func(t *testing.T) place {
			r := testkit.NewRepoAt(t, filepath.Join(t.TempDir(), "\xff")).Write("\xfe/f", "x\n").Commit("base")
			p := plain(r)
			p.dir, p.prefix = r.Path("\xfe"), "\xfe"
			return p
		},
		"linked worktree": func(t *testing.T) place {
			r := start(t)
			w := r.Worktree("side")
			return place{dir: w.Path("dir"), root: w.Dir, prefix: "dir", gitDir: r.Path(".git/worktrees/side"), commonDir: r.Path(".git")}
		},
		"linked worktree of a bare repository": func(t *testing.T) place {
			r := start(t).Bare()
			w := r.Worktree("side")
			return place{dir: w.Dir, root: w.Dir, gitDir: r.Path("worktrees/side"), commonDir: r.Dir}
		},
		"submodule": func(t *testing.T) place {
			r := testkit.NewRepo(t).Submodule("s", start(t))
			return place{dir: r.Path("s/dir"), root: r.Path("s"), prefix: "dir", gitDir: r.Path(".git/modules/s"), commonDir: r.Path(".git/modules/s")}
		},
		"separate git folder": func(t *testing.T) place {
			gitDir := filepath.Join(t.TempDir(), "elsewhere")
			r := testkit.NewRepo(t, "--separate-git-dir", gitDir).Commit("base")
			return place{dir: r.Dir, root: r.Dir, gitDir: gitDir, commonDir: gitDir}
		},
		"bare": func(t *testing.T) place {
			r := start(t).Bare()
			return place{dir: r.Dir, gitDir: r.Dir, commonDir: r.Dir, bare: true}
		},
		"inside a bare": func(t *testing.T) place {
			r := start(t).Bare()
			return place{dir: r.Path("refs/heads"), gitDir: r.Dir, commonDir: r.Dir, bare: true}
		},
		"no commit":                       func(t *testing.T) place { return plain(testkit.NewRepo(t)) },
		"relative worktreeConfig, sparse": func(t *testing.T) place { return plain(start(t).Sparse("dir")) },
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := make(t)
			before := testkit.TakeFingerprint(t, map[bool]string{true: want.gitDir, false: want.root}[want.bare])
			got := openAt(t, want.dir)
			if got.Root != want.root || got.Prefix != want.prefix || got.GitDir != want.gitDir || got.CommonDir != want.commonDir || got.Bare != want.bare {
				t.Errorf("%+v, want %+v", got, want)
			}
			if name != "no commit" {
				if base, err := got.ResolveCommit(t.Context(), "HEAD"); err != nil || !isID(base.Commit) || !isID(base.Tree) {
					t.Errorf("%+v, %v", base, err)
				}
			}
			before.Check(t)
		})
	}
}

// A git hook runs with GIT_DIR and more set; patchvet started from one works
// on the repository of the folder it is given.
func TestOpenIgnoresTheEnvironmentOfAHook(t *testing.T) {
	other := testkit.NewRepo(t).Write("other", "x\n").Commit("other")
	repo := testkit.NewRepo(t).Write("a", "a\n").Commit("base").Write("a", "changed\n")
	t.Setenv("GIT_DIR", other.Path(".git"))
	t.Setenv("GIT_WORK_TREE", other.Dir)
	t.Setenv("GIT_INDEX_FILE", other.Path(".git/index"))
	t.Setenv("GIT_OBJECT_DIRECTORY", other.Path(".git/objects"))
	t.Setenv("GIT_NAMESPACE", "n")
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'")
	t.Setenv("GIT_PREFIX", "x/")
	t.Setenv("GIT_CEILING_DIRECTORIES", repo.Dir)
	want := addAll(t, repo.Dir)
	if base := snap(t, repo.Dir); base.Tree != want || base.Parent != repo.Head() {
		t.Errorf("%+v, want tree %s", base, want)
	}
}

func TestOpenInsideAHook(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	repo := testkit.NewRepo(t).Write("a", "a\n").Commit("base")
	side := repo.Worktree("side").Write("new", "x\n")
	out := filepath.Join(t.TempDir(), "out")
	repo.WriteMode(".git/hooks/pre-commit", "#!/bin/sh\nTEST_OPEN_HERE=1 "+shellQuote(self)+" >"+shellQuote(out)+" 2>&1\n", 0o755)
	side.Git("add", "-A")
	side.Git("commit", "-q", "-m", "runs the hook")
	got, err := os.ReadFile(out)
	if want := side.Dir + "\n" + repo.Path(".git/worktrees/side") + "\n"; string(got) != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// openHere is what a child process does in the test above.
func openHere() {
	r, err := NewRunner(context.Background())
	if err != nil {
		panic(err)
	}
	repo, err := Open(context.Background(), r, ".")
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(repo.Root + "\n" + repo.GitDir + "\n")
}

func TestOpenRefusals(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	refuse := func(t *testing.T, dir string) error {
		t.Helper()
		_, err := Open(t.Context(), r, dir)
		if err == nil {
			t.Fatalf("%s was opened", dir)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
		return err
	}
	t.Run("no repository", func(t *testing.T) {
		t.Parallel()
		if err := refuse(t, t.TempDir()); !errors.Is(err, ErrNotRepository) {
			t.Error(err)
		}
	})
	t.Run("gone worktree", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Commit("base")
		side := repo.Worktree("side")
		repo.Remove(".git/worktrees")
		if err := refuse(t, side.Dir); !errors.Is(err, ErrNotRepository) {
			t.Error(err)
		}
	})
	t.Run("no such folder", func(t *testing.T) {
		t.Parallel()
		if err := refuse(t, filepath.Join(t.TempDir(), "x\ny")); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	})
	t.Run("a file", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Write("a", "a\n")
		if err := refuse(t, repo.Path("a")); !strings.Contains(err.Error(), "is not a folder") {
			t.Error(err)
		}
	})
	t.Run("inside .git", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Commit("base")
		for _, dir := range []string{".git", ".git/refs/heads"} {
			if err := refuse(t, repo.Path(dir)); !errors.Is(err, ErrInsideGitDir) {
				t.Error(err)
			}
		}
	})
	t.Run("sha256", func(t *testing.T) {
		t.Parallel()
		var unsupported *UnsupportedError
		for _, repo := range []*testkit.Repo{testkit.NewRepo(t, "--object-format=sha256"), testkit.NewRepo(t, "--bare", "--object-format=sha256")} {
			if err := refuse(t, repo.Dir); !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "object format sha256") {
				t.Error(err)
			}
		}
	})
	t.Run("unknown extension", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Config("core.repositoryFormatVersion", "1").Config("extensions.fromTheFuture", "yes")
		var unsupported *UnsupportedError
		if err := refuse(t, repo.Dir); !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "fromthefuture") {
			t.Error(err)
		}
	})
	t.Run("unknown version", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Config("core.repositoryFormatVersion", "99")
		var unsupported *UnsupportedError
		if err := refuse(t, repo.Dir); !errors.As(err, &unsupported) {
			t.Error(err)
		}
	})
	t.Run("broken config", func(t *testing.T) {
		t.Parallel()
		repo := testkit.NewRepo(t).Write(".git/config", "[core\n")
		if err := refuse(t, repo.Dir); !strings.Contains(err.Error(), "bad config line 1") {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(ctx, r, t.TempDir()); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestOpenUntrusted(t *testing.T) {
	t.Parallel()
	// Git takes a repository for somebody else's when told to, in its tests.
	r := newRunner(t)
	r.env = append(r.env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	repo := testkit.NewRepoAt(t, filepath.Join(t.TempDir(), "it's here")).Commit("base")
	_, err := Open(t.Context(), r, repo.Dir)
	var unsafe *UnsafeRepositoryError
	if !errors.As(err, &unsafe) {
		t.Fatal(err)
	}
	if want := "git config --global --add safe.directory " + shellQuote(repo.Dir); unsafe.Remedy != want || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%q, want %q", err, want)
	}
	// The remedy, run by a shell, must help.
	home := t.TempDir()
	cmd := exec.Command("sh", "-c", unsafe.Remedy)
	cmd.Env = append(r.env, "HOME="+home)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.env = append(r.env, "HOME="+home)
	if _, err := Open(t.Context(), r, repo.Dir); err != nil {
		t.Error(err)
	}

	t.Run("bare", func(t *testing.T) {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[safe]\n\tbareRepository = explicit\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := newRunner(t)
		r.env = append(r.env, "HOME="+home)
		_, err := Open(t.Context(), r, testkit.NewRepo(t).Commit("base").Bare().Dir)
		if r.Version().Less(Version{2, 38, 0}) { // the setting is younger
			if err != nil {
				t.Error(err)
			}
		} else if !errors.As(err, &unsafe) || !strings.Contains(err.Error(), "safe.bareRepository all") {
			t.Error(err)
		}
	})
}

func TestUnsafePathOfOldGit(t *testing.T) {
	t.Parallel()
	err := openError("/x", &CommandError{Args: []string{"rev-parse"}, ExitCode: 128, Stderr: "fatal: unsafe repository ('/a b' is owned by someone else)\n"})
	var unsafe *UnsafeRepositoryError
	if !errors.As(err, &unsafe) || unsafe.Remedy != "git config --global --add safe.directory '/a b'" {
		t.Error(err)
	}
}
