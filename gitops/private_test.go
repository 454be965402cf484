package gitops

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// side is a sealed base and what it was made from.
type side struct {
	*Sealed
	t    testing.TB
	repo *testkit.Repo
}

// sealHead seals the commit that HEAD of a repository names.
func sealHead(t testing.TB, repo *testkit.Repo) *side {
	t.Helper()
	return sealWith(t, repo, false)
}

// sealSnapshot seals the worktree as it is.
func sealSnapshot(t testing.TB, repo *testkit.Repo) *side {
	t.Helper()
	return sealWith(t, repo, true)
}

func sealWith(t testing.TB, repo *testkit.Repo, snapshot bool) *side {
	t.Helper()
	ctx := t.Context()
	opened, scratch := openAt(t, repo.Dir), newScratch(t)
	var err error
	var base Base
	if snapshot {
		base, err = opened.Snapshot(ctx, scratch)
	} else {
		base, err = opened.ResolveCommit(ctx, "HEAD")
	}
	noError(t, err)
	sealed, err := Seal(ctx, newRunner(t), opened, base, scratch, SealOptions{})
	noError(t, err)
	return &side{Sealed: sealed, t: t, repo: repo}
}

// on is the same side in a subtest.
func (s *side) on(t testing.TB) *side { return &side{Sealed: s.Sealed, t: t, repo: s.repo.For(t)} }

// room makes a room with the files of a tree, "" for the base.
func (s *side) room(tree string) *testRoom {
	s.t.Helper()
	room, err := s.NewRoom(s.t.Context(), RoomSpec{Name: "edit", Tree: tree})
	noError(s.t, err)
	// A testkit.Repo is made from another one by a relative path.
	rel, err := filepath.Rel(s.repo.Dir, room.Dir())
	noError(s.t, err)
	return &testRoom{Room: room, Repo: s.repo.In(rel)}
}

// testRoom is a room with the means to write in it.
type testRoom struct {
	*Room
	*testkit.Repo
}

// freeze freezes a room and checks the patch of T.
func (s *side) freeze(room *testRoom) *Frozen {
	s.t.Helper()
	frozen, err := s.Freeze(s.t.Context(), room.Room, FreezeOptions{Skip: []string{".patchvet-io"}})
	noError(s.t, err)
	s.checkPatch(frozen.Tree)
	return frozen
}

// checkPatch applies the patch of a tree to the user's checkout of the base:
// the index is then that tree, and git sees no other difference.
func (s *side) checkPatch(tree string) {
	s.t.Helper()
	patch, err := s.Diff(s.t.Context(), tree)
	noError(s.t, err)
	if s.base.Snapshot || s.repo.Git("rev-parse", "--is-bare-repository") == "true" {
		return
	}
	if tree == s.base.Tree {
		equal(s.t, "patch of the base", string(patch), "")
		return
	}
	user := s.repo.Clone("--no-checkout")
	for _, key := range []string{"core.autocrlf", "core.eol"} {
		if value, err := s.repo.TryGit("config", key); err == nil {
			user.Config(key, strings.TrimSpace(value))
		}
	}
	user.Git("checkout", "-q", s.base.Commit)
	equal(s.t, "status before the patch", user.Git("status", "--porcelain"), "")
	file := filepath.Join(s.t.TempDir(), "candidate.diff")
	noError(s.t, os.WriteFile(file, patch, 0o600))
	user.Git("apply", "--check", "--index", "--whitespace=nowarn", file)
	user.Git("apply", "--index", "--whitespace=nowarn", file)
	equal(s.t, "tree after the patch", user.Git("write-tree"), tree)
	equal(s.t, "worktree against index after the patch", user.Git("diff", "--name-status"), "")
	equal(s.t, "untracked after the patch", user.Git("ls-files", "-o", "--exclude-standard"), "")
}

// lines are the changes as text, one a line: "added 100644 a".
func lines(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s %s\n", c.Kind, c.NewMode, c.Path)
	}
	return b.String()
}

// rules are the rejections as text, one a line: "hard-link a".
func rules(list []Rejection) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "%s %s\n", r.Rule, r.Path)
		if !strings.HasSuffix(r.Reason, ".") {
			panic("no sentence: " + r.Reason)
		}
	}
	return b.String()
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// asRoot says whether permissions do not bind this process.
func asRoot() bool { return os.Geteuid() == 0 }

// writeFile writes a file where no testkit.Repo reaches.
func writeFile(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

// entriesOf are the files of a tree as a reading has them.
func (s *side) entriesOf(tree string) map[string]string {
	list, err := s.Paths(s.t.Context(), tree)
	noError(s.t, err)
	m := map[string]string{}
	for _, e := range list {
		m[e.Path] = e.Mode + " " + e.ID
	}
	return m
}
