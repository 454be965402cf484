package gitops

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestSealSnapshot: a snapshot is a commit of the sealed repository, without
// parents, in which new and changed files are.
func TestSealSnapshot(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t).Write("a.txt", "dirty\n").Write("new", "new\n").Remove("dir").Nest("inner")
	head := repo.Head()
	before := testkit.TakeFingerprint(t, repo.Dir)
	s := sealSnapshot(t, repo)
	room := s.room("")
	before.Check(t)
	equal(t, "log", room.Git("log", "--format=%H %P %an"), s.Base().Commit+"  patchvet")
	equal(t, "parent", s.Base().Parent, head)
	equal(t, "tree", room.Git("rev-parse", "HEAD^{tree}"), s.Base().Tree)
	equal(t, "status", room.Git("status", "--porcelain"), "")
	equal(t, "a.txt", room.Read("a.txt"), "dirty\n")
	equal(t, "fsck", room.Git("fsck", "--full", "--strict"), "")
	equal(t, "warnings", strings.Join(s.Warnings(), "\n"), "nested repository inner is not part of the snapshot")
	if _, err := repo.TryGit("cat-file", "-e", s.Base().Commit); err == nil {
		t.Error("the user's repository has the snapshot's commit")
	}
	room.Write("a.txt", "fixed\n")
	frozen := s.freeze(room)
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\n")
	// The patch is for the worktree as it is.
	patch, err := s.Diff(t.Context(), frozen.Tree)
	noError(t, err)
	repo.GitInput(string(patch), "apply", "--check", "-")
}

// TestSealInEveryShape: whatever sort of repository the base lies in, a room
// holds it whole.
func TestSealInEveryShape(t *testing.T) {
	t.Parallel()
	two := func(t testing.TB) *testkit.Repo { return smallRepo(t).Write("second", "x\n").Commit("second") }
	for name, shape := range map[string]func(testing.TB) *testkit.Repo{
		"one commit":      func(t testing.TB) *testkit.Repo { return smallRepo(t) },
		"no files":        func(t testing.TB) *testkit.Repo { return testkit.NewRepo(t).Commit("empty") },
		"bare":            func(t testing.TB) *testkit.Repo { return two(t).Bare() },
		"shallow":         func(t testing.TB) *testkit.Repo { return two(t).Shallow("1") },
		"linked worktree": func(t testing.TB) *testkit.Repo { return two(t).Worktree("side") },
		"shared objects":  func(t testing.TB) *testkit.Repo { return two(t).Clone("--shared") },
		"relative alternate": func(t testing.TB) *testkit.Repo {
			first := two(t)
			repo := first.Clone("--shared")
			rel, err := filepath.Rel(repo.Path(".git/objects"), first.Path(".git/objects"))
			noError(t, err)
			return repo.Write(".git/objects/info/alternates", rel+"\n")
		},
		"packed, small packs": func(t testing.TB) *testkit.Repo {
			repo := two(t).Config("pack.packSizeLimit", "1m")
			repo.Git("gc", "-q")
			return repo
		},
		"sparse": func(t testing.TB) *testkit.Repo { return two(t).Sparse("dir") },
		"submodule": func(t testing.TB) *testkit.Repo {
			return testkit.NewRepo(t).Submodule("odd \"name", two(t)).In("odd \"name")
		},
		"partial clone that has it all": func(t testing.TB) *testkit.Repo {
			from := two(t).Config("uploadpack.allowFilter", "true")
			return from.Clone("--no-local", "--filter=blob:none")
		},
		"replaced objects": func(t testing.TB) *testkit.Repo {
			repo := two(t)
			repo.Git("replace", repo.Git("rev-parse", "HEAD:a.txt"), repo.GitInput("replaced\n", "hash-object", "-w", "--stdin"))
			return repo
		},
		"colon in the path": func(t testing.TB) *testkit.Repo {
			return testkit.NewRepoAt(t, filepath.Join(t.TempDir(), "a:b\\c")).Write("f", "f\n").Commit("f")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := shape(t)
			s := sealHead(t, repo)
			room := s.room("")
			equal(t, "status", room.Git("status", "--porcelain"), "")
			equal(t, "fsck", room.Git("fsck", "--full"), "")
			room.Git("add", "-A")
			equal(t, "tree of what lies there", room.Git("write-tree"), s.Base().Tree)
			room.Write("new", "x\n")
			equal(t, "changes", lines(s.mustFreeze(room).Changes), "added 100644 new\n")
		})
	}
}

// TestSealPartialClone: what a partial clone lacks is named, and not fetched
// into the user's repository.
func TestSealPartialClone(t *testing.T) {
	t.Parallel()
	from := smallRepo(t).Config("uploadpack.allowFilter", "true")
	repo := from.Clone("--no-local", "--filter=blob:none", "--no-checkout")
	opened, scratch := openAt(t, repo.Dir), newScratch(t)
	base, err := opened.ResolveCommit(t.Context(), "HEAD")
	noError(t, err)
	before := testkit.TakeFingerprint(t, repo.Dir)
	_, err = Seal(t.Context(), newRunner(t), opened, base, scratch, SealOptions{})
	if err == nil || !strings.Contains(err.Error(), "objects of the base are not in") {
		t.Errorf("got %v", err)
	}
	before.Check(t)
}

// TestSealSubmodules: a submodule is named, its folder is empty in a room, and
// without its folder it is kept.
func TestSealSubmodules(t *testing.T) {
	t.Parallel()
	inner := testkit.NewRepo(t).Write("in", "in\n").Commit("inner")
	s := sealHead(t, smallRepo(t).Submodule("sub", inner).Commit("base"))
	equal(t, "warnings", strings.Join(s.Warnings(), "\n"), "submodule sub is left alone: its folder is empty in every room")
	room := s.room("")
	equal(t, "status", room.Git("status", "--porcelain"), "")
	entries, err := os.ReadDir(room.Path("sub"))
	noError(t, err)
	if len(entries) > 0 {
		t.Errorf("the submodule holds %v", entries)
	}
	room.Remove("sub").Write("a.txt", "x\n")
	frozen := s.freeze(room)
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\n")
	if len(frozen.Suspicious) != 1 || frozen.Suspicious[0].Path != "sub" {
		t.Errorf("suspicious: %v", frozen.Suspicious)
	}
}

// TestTrees: reading, comparing and restoring trees.
func TestTrees(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	ctx := t.Context()
	room := s.room("")
	room.Write("a.txt", "changed\n").Remove("dir").Write("dir", "now a file\n").Write("new/deep/x", "x\n").
		Remove("link").Write("link/in", "x\n").Chmod("run.sh", 0o644)
	tree := s.freeze(room).Tree
	for _, c := range []struct {
		name  string
		paths string
		want  string // base..restored
	}{
		{"nothing", "", "modified 100644 a.txt\nadded 100644 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\ndeleted  link\nadded 100644 link/in\nadded 100644 new/deep/x\nmode 100644 run.sh\n"},
		{"bytes and mode", "a.txt run.sh", "added 100644 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\ndeleted  link\nadded 100644 link/in\nadded 100644 new/deep/x\n"},
		{"a file below what is now a file", "dir/b.txt", "modified 100644 a.txt\ndeleted  dir/sub/c.txt\ndeleted  link\nadded 100644 link/in\nadded 100644 new/deep/x\nmode 100644 run.sh\n"},
		{"a link that is now a folder", "link", "modified 100644 a.txt\nadded 100644 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\nadded 100644 new/deep/x\nmode 100644 run.sh\n"},
		{"what the base lacks", "new/deep/x link/in no/such dir/no", "modified 100644 a.txt\nadded 100644 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\ndeleted  link\nmode 100644 run.sh\n"},
		{"all", "a.txt dir dir/b.txt dir/sub/c.txt link link/in new/deep/x run.sh", ""},
		{"folders", "dir new a.txt run.sh link", ""},
	} {
		restored, err := s.Restore(ctx, tree, strings.Fields(c.paths))
		noError(t, err)
		changes, err := s.Changes(ctx, "", restored)
		noError(t, err)
		equal(t, c.name, lines(changes), c.want)
		if c.want == "" {
			equal(t, c.name, restored, s.Base().Tree)
		}
	}
	for _, bad := range []string{"", "..", "a//b", "/a", "a/../b"} {
		if _, err := s.Restore(ctx, tree, []string{bad}); err == nil {
			t.Errorf("restored %q", bad)
		}
	}

	data, err := s.ReadFile(ctx, tree, "a.txt")
	noError(t, err)
	equal(t, "a.txt", string(data), "changed\n")
	for _, p := range []string{"nope", "new", "a.txt/x", "dir/b.txt", ""} {
		if _, err := s.ReadFile(ctx, tree, p); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("read %q: %v", p, err)
		}
	}
	if _, err := s.ReadFile(ctx, "", "link"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read a link: %v", err)
	}
	list, err := s.Paths(ctx, "")
	noError(t, err)
	var got strings.Builder
	for _, e := range list {
		got.WriteString(e.Mode + " blob " + e.ID + "\t" + e.Path + "\x00")
	}
	equal(t, "paths", got.String(), s.repo.Git("ls-tree", "-r", "-z", "HEAD"))
	for _, bad := range []string{"HEAD", strings.Repeat("z", 40), strings.Repeat("1", 40), s.Base().Tree[:10]} {
		if _, err := s.Paths(ctx, bad); err == nil {
			t.Errorf("listed tree %q", bad)
		}
	}
}

// TestOldModes: trees from git's first days have modes that git reads as
// others; they are no change, and a patch beside them gives the tree back.
func TestOldModes(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t)
	blob := repo.GitInput("x\n", "hash-object", "-w", "--stdin")
	entry := func(mode, name, id string) string {
		raw, err := hex.DecodeString(id)
		noError(t, err)
		return mode + " " + name + "\x00" + string(raw)
	}
	write := func(entries ...string) string {
		return repo.GitInput(strings.Join(entries, ""), "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
	}
	sub := write(entry("100664", "old", blob), entry("100664", "old2", blob))
	root := write(entry("40000", "dir", sub), entry("100664", "group", blob), entry("100664", "other", blob))
	repo.Git("reset", "-q", "--hard", repo.GitInput("m", "commit-tree", root))
	equal(t, "the modes are in the tree", repo.Git("cat-file", "tree", sub)[:6], "100664")
	s := sealHead(t, repo)
	room := s.room("")
	equal(t, "untouched", s.freeze(room).Tree, s.Base().Tree)
	room.Write("group", "y\n").Write("dir/new", "y\n")
	equal(t, "changes", lines(s.freeze(room).Changes), "added 100644 dir/new\nmodified 100644 group\n")
}

// TestDiffProvesItself: a patch that does not give the tree back is an
// *IntegrityError.
func TestDiffProvesItself(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	room.Write("a.txt", "x\n").Write("bin", "\x00\x05")
	tree := s.freeze(room).Tree
	patch, err := s.Diff(t.Context(), tree)
	noError(t, err)
	for name, broken := range map[string]string{
		"other bytes": strings.Replace(string(patch), "+x\n", "+y\n", 1),
		"cut":         string(patch[:len(patch)/2]),
		"empty":       "",
	} {
		var integrity *IntegrityError
		if err := s.provePatch(t.Context(), tree, []byte(broken)); !errors.As(err, &integrity) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
