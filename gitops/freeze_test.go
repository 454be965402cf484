package gitops

import (
	"os"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// smallRepo has one of everything that a tree can hold without attributes.
func smallRepo(t testing.TB) *testkit.Repo {
	t.Helper()
	repo := testkit.NewRepo(t).
		Write("a.txt", "one\ntwo\n").
		Write("dir/b.txt", "b\n").
		Write("dir/sub/c.txt", "c\n").
		Write("bin", "\x00\x01\x02\xff").
		WriteMode("run.sh", "#!/bin/sh\n", 0o755).
		Symlink("link", "a.txt").
		Write(".gitignore", "*.log\nbuild/\n").
		Write("kept.log", "tracked though ignored\n").
		Write("sp ace/ü\n\t\"q\".txt", "odd name\n").
		Write("raw-\xff\xfe", "bytes\n").
		Stage()
	repo.Git("add", "-f", "kept.log")
	return repo.Commit("base")
}

// TestFreezeSeesEveryChange: every sort of change that a hook can make is in
// T, exactly, and the patch of T gives T on the user's checkout.
func TestFreezeSeesEveryChange(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t)
	s := sealHead(t, repo)
	for _, c := range []struct {
		name string
		hook func(*testkit.Repo)
		want string
	}{
		{"nothing", func(*testkit.Repo) {}, ""},
		{"edit", func(r *testkit.Repo) { r.Write("a.txt", "one\n2\n") }, "modified 100644 a.txt\n"},
		{"same size and time", func(r *testkit.Repo) {
			info, err := os.Stat(r.Path("a.txt"))
			noError(t, err)
			r.Write("a.txt", "ONE\ntwo\n")
			noError(t, os.Chtimes(r.Path("a.txt"), info.ModTime(), info.ModTime()))
		}, "modified 100644 a.txt\n"},
		{"add", func(r *testkit.Repo) { r.Write("new/x", "x\n").Write("e", "") }, "added 100644 e\nadded 100644 new/x\n"},
		{"delete", func(r *testkit.Repo) { r.Remove("dir") }, "deleted  dir/b.txt\ndeleted  dir/sub/c.txt\n"},
		{"rename", func(r *testkit.Repo) { r.Git("mv", "a.txt", "z.txt") }, "deleted  a.txt\nadded 100644 z.txt\n"},
		{"executable", func(r *testkit.Repo) { r.Chmod("a.txt", 0o755).Chmod("run.sh", 0o644) }, "mode 100755 a.txt\nmode 100644 run.sh\n"},
		{"bytes and mode", func(r *testkit.Repo) { r.WriteMode("a.txt", "x", 0o755) }, "mode 100755 a.txt\n"},
		{"other permissions", func(r *testkit.Repo) { r.Chmod("a.txt", 0o600).Chmod("dir", 0o700) }, ""},
		{"binary", func(r *testkit.Repo) { r.Write("bin", "\x00\x01\x03") }, "modified 100644 bin\n"},
		{"link target", func(r *testkit.Repo) { r.Symlink("link", "run.sh") }, "modified 120000 link\n"},
		{"link to file", func(r *testkit.Repo) { r.Remove("link").Write("link", "a.txt") }, "type 100644 link\n"},
		{"file to link", func(r *testkit.Repo) { r.Symlink("a.txt", "bin") }, "type 120000 a.txt\n"},
		{"file to folder", func(r *testkit.Repo) { r.Remove("a.txt").Write("a.txt/in", "x\n") }, "deleted  a.txt\nadded 100644 a.txt/in\n"},
		{"folder to file", func(r *testkit.Repo) { r.Remove("dir").Write("dir", "x\n") }, "added 100644 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\n"},
		{"folder to link", func(r *testkit.Repo) {
			r.Git("mv", "dir", "moved")
			r.Symlink("dir", "moved")
		}, "added 120000 dir\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\nadded 100644 moved/b.txt\nadded 100644 moved/sub/c.txt\n"},
		{"sort order of names", func(r *testkit.Repo) {
			r.Write("s", "").Write("s.b", "").Write("s-a/x", "").Write("s0", "").Remove("s").Write("s/x", "")
		}, "added 100644 s-a/x\nadded 100644 s.b\nadded 100644 s/x\nadded 100644 s0\n"},
		{"odd names", func(r *testkit.Repo) {
			r.Write("n\new", "x\n").Write("\xff\xfe/\xfd", "x\n").Write("back\\slash", "").Write(":!magic", "").Write("-dash", "").Write(" ", "").
				Write("cr\r", "x\n").Write("nl\n", "x\n").Write("tab\t", "x\n").Write("q\"", "x\n").Write("end ", "x\n").Write("a/b c", "").Write("dev -> null", "x\n").Write("raw-\xff\xfe", "more\n")
		}, "added 100644  \nadded 100644 -dash\nadded 100644 :!magic\nadded 100644 a/b c\nadded 100644 back\\slash\nadded 100644 cr\r\nadded 100644 dev -> null\n" +
			"added 100644 end \nadded 100644 n\new\nadded 100644 nl\n\nadded 100644 q\"\nmodified 100644 raw-\xff\xfe\nadded 100644 tab\t\nadded 100644 \xff\xfe/\xfd\n"},
		{"names that git apply misreads", func(r *testkit.Repo) {
			r.Write(" /empty", "").Write("x /deep /bin", "\x00\x01").Write(" / /text", "x\n").Remove("sp ace").Symlink("y /l", "z")
		}, "added 100644  / /text\nadded 100644  /empty\ndeleted  sp ace/ü\n\t\"q\".txt\nadded 100644 x /deep /bin\nadded 120000 y /l\n"},
		{"tracked though ignored", func(r *testkit.Repo) { r.Write("kept.log", "more\n") }, "modified 100644 kept.log\n"},
		{"empty folder", func(r *testkit.Repo) { r.Mkdir("void/deep") }, ""},
		{"everything", func(r *testkit.Repo) {
			for _, p := range strings.Split("a.txt dir bin run.sh link .gitignore kept.log raw-\xff\xfe", " ") {
				r.Remove(p)
			}
			r.Remove("sp ace")
		}, "deleted  .gitignore\ndeleted  a.txt\ndeleted  bin\ndeleted  dir/b.txt\ndeleted  dir/sub/c.txt\ndeleted  kept.log\ndeleted  link\ndeleted  raw-\xff\xfe\ndeleted  run.sh\ndeleted  sp ace/ü\n\t\"q\".txt\n"},
		{"not part of the room", func(r *testkit.Repo) { r.Write(".patchvet-io/in/feedback.json", "{}") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t)
			room := s.room("")
			c.hook(room.Repo)
			frozen := s.freeze(room)
			equal(t, "changes", lines(frozen.Changes), c.want)
			equal(t, "rejected", rules(frozen.Rejected), "")
			equal(t, "debris", strings.Join(frozen.Debris, "\n"), "")
			// A clean room made from T holds T, and nothing more.
			clean := s.room(frozen.Tree)
			again := s.freeze(clean)
			equal(t, "tree of the clean room", again.Tree, frozen.Tree)
		})
	}
}

// TestFreezeSkips: a name that is left out is neither new nor deleted.
func TestFreezeSkips(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	room.Remove("dir").Write("dir/new", "x\n").Write("a.txt", "x\n").Write("io/x", "x\n")
	frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{Skip: []string{"dir", "io"}})
	noError(t, err)
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\n")
}
