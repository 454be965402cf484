//go:build unix

package gitops

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func walkDir(t testing.TB, dir string, opt walkOptions) *manifest {
	t.Helper()
	root, err := os.OpenRoot(dir)
	noError(t, err)
	defer root.Close()
	m, err := walk(t.Context(), root, opt)
	noError(t, err)
	return m
}

// TestWalk: every kind of name is met once, with what lstat and its bytes say.
func TestWalk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 1000 { // more than one batch
		noError(t, writeFile(filepath.Join(dir, "many", fmt.Sprint(i)), fmt.Sprint("content ", i)))
	}
	noError(t, writeFile(filepath.Join(dir, ".git", "config"), "not looked into"))
	noError(t, writeFile(filepath.Join(dir, "sub", ".git", "config"), "not looked into"))
	noError(t, writeFile(filepath.Join(dir, "skipped", "x"), "left out"))
	noError(t, writeFile(filepath.Join(dir, "sub", "skipped"), "met"))
	noError(t, os.Symlink("many", filepath.Join(dir, "link")))
	noError(t, os.Symlink("nowhere\xff", filepath.Join(dir, "dangling\n\xff")))
	noError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	m := walkDir(t, dir, walkOptions{skip: map[string]bool{"skipped": true}})
	if len(m.nodes) != 1000+7 || m.git == nil || m.git.kind != nodeFolder || m.err != nil {
		t.Errorf("%d nodes, .git %v, %v", len(m.nodes), m.git, m.err)
	}
	for i := range 1000 {
		n := m.byPath[fmt.Sprint("many/", i)]
		if n == nil || n.kind != nodeFile || n.sum != sha256.Sum256(fmt.Append(nil, "content ", i)) {
			t.Fatalf("many/%d: %v", i, n)
		}
	}
	for path, kind := range map[string]nodeKind{"link": nodeLink, "dangling\n\xff": nodeLink, "empty": nodeFolder, "sub/.git": nodeFolder, "sub/skipped": nodeFile} {
		if n := m.byPath[path]; n == nil || n.kind != kind || n.err != nil {
			t.Errorf("%q: %v", path, n)
		}
	}
	equal(t, "target", m.byPath["dangling\n\xff"].target, "nowhere\xff")
	some := walkDir(t, dir, walkOptions{hash: func(p string) bool { return p == "many/7" }})
	if !some.byPath["many/7"].hashed || some.byPath["many/8"].hashed || some.byPath["many/8"].size != 9 {
		t.Error("hashed what was not asked, or not what was")
	}
}

// TestWalkDeep: the depth of a tree costs neither stack nor file descriptors.
func TestWalkDeep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { _, err := removeTree(dir, ""); noError(t, err) })
	root, err := os.OpenRoot(dir)
	noError(t, err)
	defer root.Close()
	deep := strings.TrimSuffix(strings.Repeat("d/", 1500), "/")
	noError(t, root.MkdirAll(deep, 0o755))
	noError(t, root.WriteFile(deep+"/f", []byte("deep\n"), 0o644))
	m := walkDir(t, dir, walkOptions{})
	if n := m.byPath[deep+"/f"]; n == nil || n.sum != sha256.Sum256([]byte("deep\n")) {
		t.Errorf("%v of %d", n, len(m.nodes))
	}
}

// TestWalkStops: a walk ends when its context does.
func TestWalkStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 300 {
		noError(t, writeFile(filepath.Join(dir, fmt.Sprint(i%30), fmt.Sprint(i)), "x"))
	}
	root, err := os.OpenRoot(dir)
	noError(t, err)
	defer root.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := walk(ctx, root, walkOptions{}); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

// TestCancelledRoom: a room that is cancelled while it is made leaves nothing
// behind, and a cancelled freeze is an error.
func TestCancelledRoom(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.NewRoom(ctx, RoomSpec{Name: "cancelled"}); !errors.Is(err, context.Canceled) {
		t.Errorf("NewRoom: %v", err)
	}
	if _, err := os.Lstat(s.scratch.Path(roomFolder, "cancelled")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the room is still there: %v", err)
	}
	if _, err := s.Freeze(ctx, room.Room, FreezeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Freeze: %v", err)
	}
	if _, err := room.Compare(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Compare: %v", err)
	}
}
