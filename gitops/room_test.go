package gitops

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestRoomIsAWorktree: git works in a room as in any repository, nothing of
// the user's history is there, and the user's repository is not touched.
func TestRoomIsAWorktree(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("old", "old\n").Commit("first").Write("a.txt", "a\n").Commit("second")
	base := repo.Head()
	repo.Write("future", "gold\n").Commit("third")
	future := repo.Head()
	repo.Git("tag", "v1")
	repo.Git("remote", "add", "origin", "https://example.invalid/x.git")
	repo.Write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\n").Chmod(".git/hooks/post-checkout", 0o755)
	repo.Git("checkout", "-q", "--detach", base)
	before := testkit.TakeFingerprint(t, repo.Dir)
	s := sealHead(t, repo)
	room := s.room("")
	before.Check(t)

	equal(t, "top level", room.Git("rev-parse", "--show-toplevel"), room.Room.Dir())
	equal(t, "HEAD", room.Git("rev-parse", "HEAD"), base)
	equal(t, "branch", room.Git("symbolic-ref", "HEAD"), ownBranch)
	equal(t, "refs", room.Git("for-each-ref", "--format=%(refname)"), ownBranch)
	equal(t, "log", room.Git("log", "--format=%s"), "second")
	equal(t, "status", room.Git("status", "--porcelain", "--ignored"), "")
	equal(t, "remotes", room.Git("remote"), "")
	equal(t, "fsck", room.Git("fsck", "--full", "--strict"), "")
	if _, err := room.TryGit("cat-file", "-e", future); err == nil {
		t.Error("a commit of the future is in the room")
	}
	if entries, err := os.ReadDir(room.Path(".git/hooks")); err != nil || len(entries) > 0 {
		t.Errorf("hooks: %v %v", entries, err)
	}

	room.Write("a.txt", "b\n")
	room.Git("stash", "-q")
	room.Git("checkout", "-q", "-b", "side")
	room.Git("stash", "pop", "-q")
	room.Git("commit", "-q", "-am", "change")
	room.Git("gc", "-q", "--prune=now")
	equal(t, "fsck after work", room.Git("fsck", "--full", "--strict"), "")
	before.Check(t)

	other := s.room("")
	equal(t, "another room", other.Git("status", "--porcelain", "-b"), "## patchvet")
	noError(t, room.Room.Close())
	noError(t, room.Room.Close())
	if _, err := os.Lstat(filepath.Dir(room.Room.Dir())); !os.IsNotExist(err) {
		t.Error("the closed room is still there")
	}
	before.Check(t)
}

// TestRoomCommitsWithoutAnyHome: a box gives a hook a private home; the room's
// own identity is enough to commit.
func TestRoomCommitsWithoutAnyHome(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	_, err := newRunner(t).Run(t.Context(), room.Room.Dir(), RunOptions{Private: true}, "commit", "-q", "--allow-empty", "-m", "x")
	noError(t, err)
	equal(t, "author", room.Git("log", "-1", "--format=%an <%ae>"), "patchvet room <patchvet@localhost>")
}

// TestRoomShowsTheCandidate: HEAD and index of a room stay the base's, so that
// git shows what the tree changes.
func TestRoomShowsTheCandidate(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	edit := s.room("")
	edit.Write("a.txt", "new\n").Remove("dir/b.txt").Write("x/y", "y\n").Symlink("run.sh", "bin").Chmod("bin", 0o755)
	frozen := s.freeze(edit)
	room := s.room(frozen.Tree)
	equal(t, "status", room.Git("status", "--porcelain", "-uall"), " M a.txt\n M bin\n D dir/b.txt\n T run.sh\n?? x/y")
	equal(t, "index", room.Git("write-tree"), s.Base().Tree)

	list, err := s.Paths(t.Context(), frozen.Tree)
	noError(t, err)
	for _, e := range list {
		info, err := os.Lstat(room.Path(e.Path))
		noError(t, err)
		if got := info.Mode()&0o100 != 0; e.Mode != modeLink && got != (e.Mode == modeExec) {
			t.Errorf("%s: executable %v, mode in the tree %s", e.Path, got, e.Mode)
		}
	}
}

// TestRoomExclude: what a caller keeps in a room is ignored there, with the
// user's own rules.
func TestRoomExclude(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t)
	noError(t, writeFile(repo.Path(".git/info/exclude"), "mine"))
	s := sealHead(t, repo)
	room, err := s.NewRoom(t.Context(), RoomSpec{Name: "edit", Exclude: []string{".patchvet-io/", "odd [*] name "}})
	noError(t, err)
	rel, err := filepath.Rel(repo.Dir, room.Dir())
	noError(t, err)
	in := repo.In(rel)
	in.Write(".patchvet-io/x", "").Write("mine", "").Write("odd [*] name ", "").Write("dir/.patchvet-io/x", "").Write("odd x name", "")
	equal(t, "status", in.Git("status", "--porcelain", "-uall"), "?? dir/.patchvet-io/x\n?? \"odd x name\"")
}

// TestRoomsInParallel: many rooms at once, each whole and apart.
func TestRoomsInParallel(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	var group sync.WaitGroup
	var mu sync.Mutex
	trees := map[string]bool{}
	for range 8 {
		group.Go(func() {
			room, err := s.NewRoom(t.Context(), RoomSpec{})
			if err != nil {
				t.Error(err)
				return
			}
			err = os.WriteFile(filepath.Join(room.Dir(), "a.txt"), []byte(room.Dir()), 0o644)
			if err != nil {
				t.Error(err)
			}
			frozen, err := s.Freeze(t.Context(), room, FreezeOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Diff(t.Context(), frozen.Tree); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			trees[frozen.Tree] = true
		})
	}
	group.Wait()
	if len(trees) != 8 {
		t.Errorf("%d different trees", len(trees))
	}
}

// TestRoomName: a name that is no plain folder is refused, and the folder of
// the room is called like the user's.
func TestRoomName(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	for _, name := range []string{"../x", "a/b", ".git", "-x", strings.Repeat("x", 200)} {
		if _, err := s.NewRoom(t.Context(), RoomSpec{Name: name}); err == nil {
			t.Errorf("a room called %q was made", name)
		}
	}
	if _, err := s.NewRoom(t.Context(), RoomSpec{Tree: "HEAD"}); err == nil {
		t.Error("a room of HEAD was made")
	}
	equal(t, "folder", filepath.Base(s.room("").Room.Dir()), "repo")
}

// TestRemoveStrays: what a command put above its room is named and goes; what
// is the run's, or another run's, stays.
func TestRemoveStrays(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room, other := s.room(""), s.room("")
	none := func() {
		t.Helper()
		strays, err := s.RemoveStrays()
		noError(t, err)
		if len(strays) > 0 {
			t.Errorf("strays: %q", strays)
		}
	}
	none()
	above := filepath.Dir(room.Room.Dir())
	rooms, scratch := filepath.Dir(above), filepath.Dir(filepath.Dir(above))
	runs := filepath.Dir(scratch)
	noError(t, os.Mkdir(filepath.Join(runs, "another-run"), 0o700))
	planted := []string{
		filepath.Join(above, "pytest.ini"), filepath.Join(rooms, "go.work"), filepath.Join(scratch, "conftest.py"),
		filepath.Join(runs, "package.json"), filepath.Join(filepath.Dir(runs), ".npmrc"),
	}
	for _, path := range planted {
		noError(t, os.WriteFile(path, nil, 0o600))
	}
	noError(t, os.MkdirAll(filepath.Join(rooms, "node_modules", "x"), 0o700))
	noError(t, os.Symlink("/", filepath.Join(above, "link")))
	strays, err := s.RemoveStrays()
	noError(t, err)
	if len(strays) != len(planted)+2 {
		t.Errorf("strays: %q", strays)
	}
	none()
	noError(t, room.Room.Close())
	none()
	if _, err := os.Lstat(other.Room.Dir()); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(runs, "another-run")); err != nil {
		t.Error(err)
	}
}

// TestCompare: what a verifier did to the files of T is named; what it made
// beside them is not.
func TestCompare(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	check := func(want string) {
		t.Helper()
		list, err := room.Compare(t.Context(), []string{"skipped"})
		noError(t, err)
		equal(t, "compare", rules(list), want)
	}
	check("")
	room.Write("new", "x\n").Write("build/x", "").Write("skipped/x", "")
	check("")
	// Written and put back, or only touched: the system's change time tells.
	rewritten := ""
	if runtime.GOOS == "linux" {
		rewritten = "rewritten dir/b.txt\n"
	}
	room.Chmod("dir/b.txt", 0o600)
	check(rewritten)
	room.Write("a.txt", "one\nTWO\n").Chmod("run.sh", 0o644).Remove("dir/sub").Symlink("bin", "a.txt")
	noError(t, os.Link(room.Path("kept.log"), room.Path("linked")))
	check("changed a.txt\nchanged bin\n" + rewritten + "missing dir/sub/c.txt\nhard-link kept.log\nchanged run.sh\n")

	room = s.room("")
	noError(t, os.Rename(room.Path("dir"), room.Path("dir2")))
	room.Symlink("dir", "dir2")
	check("missing dir/b.txt\nmissing dir/sub/c.txt\n")
	noError(t, os.RemoveAll(room.Room.Dir()))
	check("missing .\n")
}
