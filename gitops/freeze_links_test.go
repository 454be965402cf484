//go:build unix

package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOutwardAgainstSystem: where the system resolves a link to something
// outside of the tree, outward says so.
func TestOutwardAgainstSystem(t *testing.T) {
	t.Parallel()
	names := rapid.SampledFrom([]string{"a", "b", "a/a", "a/b", "b/a", "b/b", "a/a/a", "a/b/a"})
	targets := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "..", ".", ".."}), 1, 5),
		func(parts []string) string { return strings.Join(parts, "/") })
	top, err := filepath.EvalSymlinks(t.TempDir())
	noError(t, err)
	outside := 0
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(top, "x")
		noError(t, err)
		defer os.RemoveAll(dir)
		root := filepath.Join(dir, "deep", "root") // so that few targets reach the real root
		noError(t, os.MkdirAll(root, 0o755))
		v := &linkView{links: map[string]string{}, dirs: map[string]bool{}}
		for range rapid.IntRange(1, 8).Draw(rt, "count") {
			p := names.Draw(rt, "name")
			full := filepath.Join(root, p)
			if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err != nil || parent != filepath.Dir(full) {
				continue // not a name of the tree
			}
			if rapid.Bool().Draw(rt, "folder") {
				if os.Mkdir(full, 0o755) == nil {
					v.dirs[p] = true
				}
			} else if target := targets.Draw(rt, "target"); os.Symlink(target, full) == nil {
				v.links[p] = target
			}
		}
		for p := range v.links {
			real, err := filepath.EvalSymlinks(filepath.Join(root, p))
			if err != nil || real == root || strings.HasPrefix(real, root+"/") {
				continue
			}
			outside++
			if out, _ := v.outward(p); !out {
				rt.Fatalf("%s leads to %s, links %v, folders %v", p, real, v.links, v.dirs)
			}
		}
	})
	if outside == 0 {
		t.Error("no link led outside: the test tests nothing")
	}
}

// TestLinkChangesMeaning: a link of the base that a change elsewhere makes
// lead outside costs that change, not the link.
func TestLinkChangesMeaning(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t).Symlink("e/f/l", "dir/../..").Write("e/f/dir/x", "x\n").
		Symlink("hop", "dir/sub").Symlink("jump", "hop/../../a.txt").Commit("base")
	s := sealHead(t, repo)
	room := s.room("")
	equal(t, "untouched", rules(s.freeze(room).Rejected), "")
	room.Remove("e/f/dir").Symlink("e/f/dir", "../..")
	room.Remove("hop").Write("hop/now", "a folder\n").Write("a.txt", "x\n")
	frozen := s.freeze(room)
	equal(t, "rejected", rules(frozen.Rejected), "outward-symlink e/f/dir\noutward-symlink hop\n")
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\n")
}
