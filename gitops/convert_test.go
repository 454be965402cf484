package gitops

import (
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/patchvet/patchvet/internal/testkit"
)

// utf16le is a text as UTF-16LE with a byte order mark.
func utf16le(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// TestAttributes: under attributes that change bytes, a room has what the
// user's checkout has, an edit comes back as the blob that git would store,
// its patch applies to the user's checkout, and what does not round-trip is
// rejected.
func TestAttributes(t *testing.T) {
	t.Parallel()
	const crlf = "one\r\ntwo\r\n"
	for _, c := range []struct {
		name     string
		attrs    string
		autocrlf string
		eol      string
		base     string // as committed from the worktree
		room     string // in the room
		edit     string
		blob     string // "": rejected
		clean    string // in a clean room; "": as edited
	}{
		{name: "none", base: "one\n", room: "one\n", edit: crlf, blob: crlf},
		{name: "eol=crlf", attrs: "* text eol=crlf", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "eol=crlf, mixed line ends", attrs: "* text eol=crlf", base: "one\r\n", room: "one\r\n", edit: "one\r\ntwo\n"},
		{name: "eol=lf", attrs: "* text eol=lf", base: "one\n", room: "one\n", edit: "one\ntwo\n", blob: "one\ntwo\n"},
		{name: "eol=lf, CRLF written", attrs: "* text eol=lf", base: "one\n", room: "one\n", edit: crlf},
		{name: "text=auto", attrs: "* text=auto", base: "one\n", room: "one\n", edit: "one\ntwo\n", blob: "one\ntwo\n"},
		{name: "text=auto, CRLF written", attrs: "* text=auto", base: "one\n", room: "one\n", edit: crlf},
		{name: "text=auto, binary written", attrs: "* text=auto", base: "one\n", room: "one\n", edit: "\x00\r\n", blob: "\x00\r\n"},
		{name: "text=auto eol=crlf", attrs: "* text=auto eol=crlf", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "autocrlf", autocrlf: "true", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "autocrlf, LF written", autocrlf: "true", base: "one\r\n", room: "one\r\n", edit: "one\ntwo\n", blob: "one\ntwo\n", clean: crlf},
		{name: "eol=crlf, LF written", attrs: "* text eol=crlf", base: "one\r\n", room: "one\r\n", edit: "one\ntwo\n", blob: "one\ntwo\n", clean: crlf},
		{name: "eol=crlf, ident, LF written", attrs: "* text eol=crlf ident", base: "one\r\n", room: "one\r\n", edit: "one\ntwo\n", blob: "one\ntwo\n", clean: crlf},
		{name: "autocrlf=input", autocrlf: "input", base: "one\n", room: "one\n", edit: "one\ntwo\n", blob: "one\ntwo\n"},
		{name: "autocrlf, -text", attrs: "* -text", autocrlf: "true", base: "one\n", room: "one\n", edit: crlf, blob: crlf},
		{name: "core.eol", attrs: "* text", eol: "crlf", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "crlf, the old name", attrs: "* crlf eol=crlf", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "binary", attrs: "* binary", autocrlf: "true", base: "one\n", room: "one\n", edit: crlf, blob: crlf},
		{name: "macro", attrs: "[attr]dos text eol=crlf\n*.txt dos", base: "one\r\n", room: "one\r\n", edit: crlf, blob: "one\ntwo\n"},
		{name: "ident", attrs: "* ident", base: "$Id$\none\n", edit: "$Id: whatever $\ntwo\n", blob: "$Id$\ntwo\n"},
		{name: "ident, keyword broken", attrs: "* ident", base: "one\n", room: "one\n", edit: "$Id: x\n$\n", blob: "$Id: x\n$\n"},
		{name: "encoding", attrs: "* working-tree-encoding=UTF-16LE-BOM text eol=lf", base: utf16le("é\n"), room: utf16le("é\n"), edit: utf16le("é\nü\n"), blob: "é\nü\n"},
		{name: "encoding and CRLF", attrs: "* working-tree-encoding=UTF-16LE-BOM text eol=crlf", base: utf16le("é\r\n"), room: utf16le("é\r\n"), edit: utf16le("ü\r\n"), blob: "ü\n"},
		{name: "not in the encoding", attrs: "* working-tree-encoding=UTF-16LE-BOM text", base: utf16le("a\n"), room: utf16le("a\n"), edit: "no mark\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repo := testkit.NewRepo(t)
			if c.autocrlf != "" {
				repo.Config("core.autocrlf", c.autocrlf)
			}
			if c.eol != "" {
				repo.Config("core.eol", c.eol)
			}
			if c.attrs != "" {
				noError(t, writeFile(repo.Path(".gitattributes"), c.attrs+"\n.gitattributes !text !eol !working-tree-encoding !ident\n"))
				repo.Config("core.safecrlf", "false")
			}
			repo.Write("f.txt", c.base).Write("other.txt", c.base).Commit("base")
			// What a checkout has, which need not be what was committed.
			for _, p := range []string{"f.txt", "other.txt", ".gitattributes"} {
				if p != ".gitattributes" || c.attrs != "" {
					repo.Remove(p).Git("checkout", "--", p)
				}
			}
			s := sealHead(t, repo)
			room := s.room("")
			equal(t, "room", room.Read("f.txt"), repo.Read("f.txt"))
			if c.attrs != "* ident" {
				equal(t, "user", repo.Read("f.txt"), c.room)
			}
			equal(t, "status in a new room", room.Git("status", "--porcelain"), "")

			room.Write("f.txt", c.edit).Write("new.txt", c.edit)
			frozen := s.freeze(room)
			if c.blob == "" {
				equal(t, "rejected", rules(frozen.Rejected), "no-round-trip f.txt\nno-round-trip new.txt\n")
				equal(t, "changes", lines(frozen.Changes), "")
				return
			}
			equal(t, "rejected", rules(frozen.Rejected), "")
			equal(t, "changes", lines(frozen.Changes), "modified 100644 f.txt\nadded 100644 new.txt\n")
			for _, p := range []string{"f.txt", "new.txt"} {
				blob, err := s.ReadFile(t.Context(), frozen.Tree, p)
				noError(t, err)
				equal(t, "blob of "+p, string(blob), c.blob)
			}
			clean := s.room(frozen.Tree)
			if c.attrs != "* ident" { // the keyword names the new blob
				if c.clean == "" {
					c.clean = c.edit
				}
				equal(t, "clean room", clean.Read("f.txt"), c.clean)
				equal(t, "clean room, new", clean.Read("new.txt"), c.clean)
			}
			equal(t, "tree of the clean room", s.freeze(clean).Tree, frozen.Tree)

			// Back to the base's bytes is back to the base's blob.
			clean.Write("f.txt", repo.Read("f.txt")).Remove("new.txt")
			equal(t, "tree after going back", s.freeze(clean).Tree, s.Base().Tree)
		})
	}
}

// TestAttributesOfTheCandidateHaveNoSay: a .gitattributes that a hook writes
// is bytes in T, and decides nothing.
func TestAttributesOfTheCandidateHaveNoSay(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write(".gitattributes", "*.dos text eol=crlf\n").
		Write("a.txt", "a\n").Write("b.dos", "b\r\n").Commit("base")
	s := sealHead(t, repo)
	room := s.room("")
	room.Write(".gitattributes", "* text eol=crlf ident filter=x\n*.dos -text\n").
		Write("a.txt", "$Id$\na\r\nb\n").Write("b.dos", "c\r\n").Write("sub/.gitattributes", "* eol=crlf\n").Write("sub/n", "n\n")
	frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{})
	noError(t, err)
	equal(t, "rejected", rules(frozen.Rejected), "")
	for p, want := range map[string]string{"a.txt": "$Id$\na\r\nb\n", "b.dos": "c\n", "sub/n": "n\n"} {
		blob, err := s.ReadFile(t.Context(), frozen.Tree, p)
		noError(t, err)
		equal(t, "blob of "+p, string(blob), want)
	}
	_, err = s.Diff(t.Context(), frozen.Tree)
	noError(t, err)
	clean := s.room(frozen.Tree)
	for _, p := range []string{".gitattributes", "a.txt", "b.dos", "sub/.gitattributes", "sub/n"} {
		equal(t, p+" in the clean room", clean.Read(p), room.Read(p))
	}
}

// TestUnnormalizedBase: where the base's blob is not what its attributes ask
// for, an untouched file keeps that blob, and bytes that a hook puts back are
// that blob again.
func TestUnnormalizedBase(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write("dos.txt", "a\r\nb\r\n").Write("auto.txt", "a\r\nb\r\n").Commit("raw")
	noError(t, writeFile(repo.Path(".gitattributes"), "dos.txt text eol=crlf\nauto.txt text=auto\n"))
	repo.Git("add", ".gitattributes")
	repo.Git("commit", "-q", "-m", "attributes")
	s := sealHead(t, repo)
	room := s.room("")
	room.Write("new", "x\n")
	first := s.mustFreeze(room)
	equal(t, "untouched", lines(first.Changes), "added 100644 new\n")

	// text=auto leaves a file alone that has CRLF in the index.
	room.Write("auto.txt", "a\r\nb\r\nc\r\n").Write("dos.txt", "a\r\nc\r\n")
	second := s.mustFreeze(room)
	equal(t, "edited", lines(second.Changes), "modified 100644 auto.txt\nmodified 100644 dos.txt\nadded 100644 new\n")
	equal(t, "rejected", rules(second.Rejected), "")
	blob, err := s.ReadFile(t.Context(), second.Tree, "auto.txt")
	noError(t, err)
	equal(t, "auto.txt", string(blob), "a\r\nb\r\nc\r\n")
	blob, err = s.ReadFile(t.Context(), second.Tree, "dos.txt")
	noError(t, err)
	equal(t, "dos.txt", string(blob), "a\nc\n")

	next := s.room(second.Tree)
	next.Write("dos.txt", "a\r\nb\r\n").Write("auto.txt", "a\r\nb\r\n")
	equal(t, "put back", lines(s.mustFreeze(next).Changes), "added 100644 new\n")
}

func (s *side) mustFreeze(room *testRoom) *Frozen {
	s.t.Helper()
	frozen, err := s.Freeze(s.t.Context(), room.Room, FreezeOptions{})
	noError(s.t, err)
	return frozen
}

// TestFilteredPaths: a change under a filter is rejected; what needs no
// filter is not.
func TestFilteredPaths(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write(".gitattributes", "*.secret filter=crypt\n").
		Write("a.secret", "cipher\n").Write("b.secret", "cipher\n").Write("c.secret", "cipher\n").Write("d.secret", "cipher\n").Commit("base")
	ran := repo.Path("../ran")
	repo.Config("filter.crypt.clean", "touch '"+ran+"'; cat").Config("filter.crypt.smudge", "touch '"+ran+"'; cat")
	s := sealHead(t, repo)
	room := s.room("")
	room.Write("a.secret", "plain\n").Chmod("b.secret", 0o755).Remove("c.secret").Write("new.secret", "x\n")
	room.Remove("d.secret").Symlink("d.secret", "b.secret")
	frozen := s.mustFreeze(room)
	equal(t, "rejected", rules(frozen.Rejected), "filtered-path a.secret\nfiltered-path new.secret\n")
	equal(t, "changes", lines(frozen.Changes), "mode 100755 b.secret\ndeleted  c.secret\ntype 120000 d.secret\n")
	if _, err := os.Lstat(ran); err == nil {
		t.Error("the user's filter ran")
	}
}

// TestManyBadEncodings: files that git cannot store do not keep the others of
// their batch from being stored.
func TestManyBadEncodings(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t).Write(".gitattributes", "*.u text working-tree-encoding=UTF-16LE-BOM\n").Write("x", "x\n").Commit("base")
	s := sealHead(t, repo)
	room := s.room("")
	for _, p := range strings.Split("a b c d e f g", " ") {
		room.Write(p+".u", utf16le(p+"\n"))
	}
	room.Write("b.u", "odd").Write("f.u", "\xff\xfe\x00\xd8\x00\xd8")
	frozen := s.mustFreeze(room)
	equal(t, "rejected", rules(frozen.Rejected), "no-round-trip b.u\nno-round-trip f.u\n")
	if len(frozen.Changes) != 5 {
		t.Errorf("changes: %s", lines(frozen.Changes))
	}
}
