//go:build unix

package gitops

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestFreezeRejects: what cannot be part of T is named with its rule, and T
// has the base's entry there.
func TestFreezeRejects(t *testing.T) {
	t.Parallel()
	inner := testkit.NewRepo(t).Write("in", "in\n").Commit("inner")
	repo := smallRepo(t).Submodule("mods/sub", inner).
		Symlink("out", "/etc/hostname").Symlink("deep/er/up", "../../dir/sub").
		Write("deep/er/x", "x\n").Symlink("deep/er/here", "x").
		Write("build/notes.txt", "tracked below an ignored folder\n")
	repo.Git("add", "-f", "build/notes.txt")
	repo.Commit("base")
	s := sealHead(t, repo)
	const kept = "kept as the base has it"
	for _, c := range []struct {
		name    string
		hook    func(*testkit.Repo)
		rules   string
		changes string // "" when T is the base
	}{
		{"hard link to outside", func(r *testkit.Repo) {
			noError(t, os.Link(r.Path("a.txt"), r.Path(".git/a-too")))
		}, "hard-link a.txt\n", ""},
		{"hard link inside", func(r *testkit.Repo) {
			noError(t, os.Link(r.Path("a.txt"), r.Path("copy.txt")))
			r.Write("a.txt", "changed through both names\n").Write("honest", "x\n")
		}, "hard-link a.txt\nhard-link copy.txt\n", "added 100644 honest\n"},
		{"fifo", func(r *testkit.Repo) { fifo(t, r, "pipe") }, "special-file pipe\n", ""},
		{"fifo in the place of a file", func(r *testkit.Repo) { fifo(t, r.Remove("a.txt"), "a.txt") }, "special-file a.txt\n", ""},
		{"fifo in the place of a folder", func(r *testkit.Repo) { fifo(t, r.Remove("dir"), "dir") }, "special-file dir\n", ""},
		{"nested repository", func(r *testkit.Repo) { r.Nest("inner/repo") }, "nested-repository inner/repo\n", ""},
		{"nested repository over tracked files", func(r *testkit.Repo) {
			r.Write("dir/b.txt", "changed\n").Nest("dir")
		}, "nested-repository dir\n", ""},
		{"gitfile", func(r *testkit.Repo) { r.Write("dir/.git", "gitdir: ../.git\n").Write("dir/new", "x\n") }, "nested-repository dir\n", ""},
		{"nested repository below an ignored folder with tracked files", func(r *testkit.Repo) { r.Nest("build") }, "nested-repository build\n", ""},
		{"content in a submodule", func(r *testkit.Repo) { r.Write("mods/sub/x", "x\n") }, "gitlink mods/sub\n", ""},
		{"submodule checked out", func(r *testkit.Repo) { r.Nest("mods/sub") }, "gitlink mods/sub\n", ""},
		{"submodule replaced by a file", func(r *testkit.Repo) { r.Remove("mods/sub").Write("mods/sub", "x\n") }, "gitlink mods/sub\n", ""},
		{"submodule's parent replaced by a file", func(r *testkit.Repo) { r.Remove("mods").Write("mods", "x\n") }, "gitlink mods\n", ""},
		{"submodule's parent replaced by a link", func(r *testkit.Repo) { r.Remove("mods").Symlink("mods", "dir") }, "gitlink mods\n", ""},
		{"absolute link", func(r *testkit.Repo) { r.Symlink("abs", "/etc/passwd") }, "outward-symlink abs\n", ""},
		{"absolute link into the room", func(r *testkit.Repo) { r.Symlink("abs", r.Path("a.txt")) }, "outward-symlink abs\n", ""},
		{"dotted link", func(r *testkit.Repo) { r.Symlink("dir/up", "../../x").Symlink("dir/down", "../dir/../a.txt") }, "outward-symlink dir/up\n", "added 120000 dir/down\n"},
		{"link to what is not there yet", func(r *testkit.Repo) { r.Symlink("later", "no/../../x") }, "outward-symlink later\n", ""},
		{
			"link by way of a link", func(r *testkit.Repo) { r.Symlink("deep/er/root", "../..").Symlink("way", "deep/er/root/../x") },
			"outward-symlink way\n", "added 120000 deep/er/root\n",
		},
		{"link by way of the base's outward link", func(r *testkit.Repo) { r.Symlink("way", "out/x") }, "outward-symlink way\n", ""},
		{"folder replaced by an outward link", func(r *testkit.Repo) { r.Remove("dir").Symlink("dir", "/tmp") }, "outward-symlink dir\n", ""},
		{"the base's own outward link", func(r *testkit.Repo) { r.Remove("out").Symlink("out", "/etc/hostname") }, "", ""},
		{"the base's outward link with another target", func(r *testkit.Repo) { r.Symlink("out", "/etc/shadow") }, "outward-symlink out\n", ""},
		{"loop of links", func(r *testkit.Repo) { r.Symlink("l1", "l2").Symlink("l2", "l1") }, "", "added 120000 l1\nadded 120000 l2\n"},
		{"git twins", func(r *testkit.Repo) {
			r.Write(".GIT/config", "x").Write("dir/git~1", "x").Write("dir/.git ", "x").Write("dir/.g\u200cit", "x").Write(".gitx", "x").Write("dir\\.git", "x").Symlink("gi7eba~1", "bin")
		}, "git-twin .GIT\ngit-twin dir/.git \ngit-twin dir/.g\u200cit\ngit-twin dir/git~1\ngit-twin dir\\.git\ngit-twin gi7eba~1\n", "added 100644 .gitx\n"},
		{"link for .gitmodules", func(r *testkit.Repo) { r.Remove(".gitmodules").Symlink(".gitmodules", "a.txt") }, "git-twin .gitmodules\n", ""},
		{".git replaced by a file", func(r *testkit.Repo) { r.Remove(".git").Write(".git", "gitdir: /tmp\n").Write("a.txt", "x\n") }, "git-folder .git\n", "modified 100644 a.txt\n"},
		{".git removed", func(r *testkit.Repo) { r.Remove(".git") }, "git-folder .git\n", ""},
		{"room replaced by a link", func(r *testkit.Repo) {
			noError(t, os.Rename(r.Dir, r.Dir+"-moved"))
			noError(t, os.Symlink(r.Dir+"-moved", r.Dir))
		}, "git-folder .\n", ""},
		{"room removed", func(r *testkit.Repo) { r.Remove("") }, "git-folder .\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t)
			room := s.room("")
			c.hook(room.Repo)
			frozen := s.freeze(room)
			equal(t, "rejected", rules(frozen.Rejected), c.rules)
			equal(t, "changes", lines(frozen.Changes), c.changes)
			if c.changes == "" {
				equal(t, kept, frozen.Tree, s.Base().Tree)
			}
			noError(t, room.Room.Close())
		})
	}
}

func fifo(t testing.TB, r *testkit.Repo, rel string) {
	t.Helper()
	noError(t, syscall.Mkfifo(r.Path(rel), 0o644))
}

// TestFreezeUnreadable: what may not be read is rejected and kept as the base
// has it; root may read it all.
func TestFreezeUnreadable(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	room.Write("dir/b.txt", "changed\n").Chmod("dir", 0)
	room.Write("a.txt", "changed\n").Chmod("a.txt", 0)
	room.Write("new", "new\n").Chmod("new", 0)
	room.Write("build/x", "ignored\n").Chmod("build", 0)
	frozen := s.freeze(room)
	equal(t, "debris", strings.Join(frozen.Debris, " "), "build/")
	if asRoot() {
		equal(t, "rejected", rules(frozen.Rejected), "")
		equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\nmodified 100644 dir/b.txt\nadded 100644 new\n")
	} else {
		equal(t, "rejected", rules(frozen.Rejected), "unreadable a.txt\nunreadable dir\nunreadable new\n")
		equal(t, "changes", lines(frozen.Changes), "")
	}
	noError(t, room.Room.Close())
	if _, err := os.Stat(room.Room.Dir()); !os.IsNotExist(err) {
		t.Error("the room is still there")
	}
}

// TestFreezeLimits: more bytes than a patch can hold, and paths that no
// program can open, are rejected by name.
func TestFreezeLimits(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	room.Write("a.txt", strings.Repeat("x", 90)).Write("b.txt", strings.Repeat("y", 20)).Write("c.txt", "z")
	frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{MaxBytes: 100})
	noError(t, err)
	equal(t, "rejected", rules(frozen.Rejected), "too-large b.txt\n")
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\nadded 100644 c.txt\n")

	room = s.room("")
	at, err := os.OpenRoot(room.Room.Dir())
	noError(t, err)
	defer at.Close()
	name := strings.Repeat("n", 200)
	for range 25 {
		noError(t, at.Mkdir(name, 0o755))
		next, err := at.OpenRoot(name)
		noError(t, err)
		defer next.Close()
		at = next
	}
	noError(t, at.WriteFile("f", []byte("deep\n"), 0o644))
	frozen = s.freeze(room)
	if len(frozen.Rejected) != 1 || frozen.Rejected[0].Rule != RuleTooLong {
		t.Errorf("rejected: %s", rules(frozen.Rejected))
	}
	equal(t, "changes", lines(frozen.Changes), "")
}
