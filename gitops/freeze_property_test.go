//go:build unix

package gitops

import (
	"crypto/sha1"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
	"pgregory.net/rapid"
)

// The paths and texts that the random hook works with: those of smallRepo,
// neighbours of them in git's sort order, ignored ones, names that are no text.
var (
	hookPaths = []string{
		"a.txt", "a", "a.txt.b", "dir", "dir/b.txt", "dir/sub", "dir/sub/c.txt", "dir.b", "dir-a", "dir0/x", "link", "run.sh", "bin",
		"new", "new/x", "new/y/z", "x.log", "kept.log", "build", "build/y", "dir/build/z", "raw-\xff\xfe", "n\nl/\xfd", ".gitignore", "dir/.gitignore", " ", ":(top)",
	}
	hookTargets = []string{"a.txt", "dir", "link", "new", "x.log", "nowhere", ".", "../a.txt", "../new", "../../a.txt", "/nowhere/at/all"}
	hookTexts   = []string{"", "one\ntwo\n", "ONE\ntwo\n", "\x00\xff", "*\n", "no end", "cr\r\n"}
	hookGit     = []string{
		"add -A", "add -f .", "commit -qam x", "stash -q -u", "stash pop -q", "checkout -q -- .", "reset -q --hard", "clean -qfdx",
		"rm -q -r --cached .", "update-index --assume-unchanged a.txt", "update-index --skip-worktree a.txt", "checkout -q -b other",
		"read-tree --empty", "config core.fileMode false", "mv -k a.txt dir new", "commit -q --allow-empty -m x", "init -q new", "gc -q",
	}
)

// randomAct is one random thing that a hook does in a folder; nothing says that
// it works.
func randomAct(t *rapid.T, dir string) {
	at := func(label string) string { return filepath.Join(dir, rapid.SampledFrom(hookPaths).Draw(t, label)) }
	switch p := at("path"); rapid.IntRange(0, 11).Draw(t, "op") {
	case 0, 1:
		os.MkdirAll(filepath.Dir(p), 0o755)
		info, statErr := os.Lstat(p)
		if statErr == nil && !info.Mode().IsRegular() {
			return // a write into a fifo waits
		}
		mode := rapid.SampledFrom([]os.FileMode{0o644, 0o755}).Draw(t, "mode")
		os.WriteFile(p, []byte(rapid.SampledFrom(hookTexts).Draw(t, "text")), mode)
		if statErr == nil {
			os.Chtimes(p, info.ModTime(), info.ModTime())
		}
	case 2:
		os.RemoveAll(p)
	case 3:
		os.MkdirAll(p, 0o755)
	case 4:
		os.MkdirAll(filepath.Dir(p), 0o755)
		os.RemoveAll(p)
		os.Symlink(rapid.SampledFrom(hookTargets).Draw(t, "target"), p)
	case 5:
		os.Rename(p, at("to"))
	case 6:
		if info, err := os.Lstat(p); err == nil && info.Mode().IsRegular() {
			os.Chmod(p, rapid.SampledFrom([]os.FileMode{0o644, 0o755, 0o600, 0o744}).Draw(t, "bits"))
		}
	case 7:
		os.Link(p, at("to"))
	case 8:
		syscall.Mkfifo(p, 0o644)
	case 9:
		if info, err := os.Lstat(p); err == nil && info.IsDir() && rapid.IntRange(0, 3).Draw(t, "nest") == 0 {
			os.Mkdir(filepath.Join(p, ".git"), 0o755)
		}
	default:
		cmd := exec.Command("git", strings.Fields(rapid.SampledFrom(hookGit).Draw(t, "git"))...)
		cmd.Dir = dir
		cmd.Run()
	}
}

// reading is a second reading of a room, with nothing but lstat, that says what
// T must be.
type reading struct {
	dir         string
	start, base map[string]string // "<mode> <id>" by path
	want        map[string]string
	links       map[string]string
	rejected    []string
}

func blobID(data []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)))
}

func (o *reading) tracked(p string) bool {
	for q := range o.start {
		if q == p || strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	for q := range o.base {
		if q == p || strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	return false
}

// ignored is the .gitignore of smallRepo, by hand.
func (o *reading) ignored(p string) bool {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if strings.HasSuffix(part, ".log") || part == "build" && i < len(parts)-1 {
			return true
		}
	}
	return false
}

func (o *reading) visit(t *rapid.T, rel string) {
	entries, err := os.ReadDir(filepath.Join(o.dir, rel))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		p := path.Join(rel, e.Name())
		if p == ".git" {
			continue
		}
		full := filepath.Join(o.dir, p)
		info, err := os.Lstat(full)
		if err != nil {
			t.Fatal(err)
		}
		_, inStart := o.start[p]
		_, inBase := o.base[p]
		debris := !inStart && !inBase && o.ignored(p)
		reject := func() {
			if !debris || o.tracked(p) {
				o.rejected = append(o.rejected, p)
			}
		}
		switch {
		case info.IsDir():
			if _, err := os.Lstat(filepath.Join(full, ".git")); err != nil {
				o.visit(t, p)
			} else if o.tracked(p) || !o.ignored(p+"/.git") {
				o.rejected = append(o.rejected, p)
			}
		case info.Mode().IsRegular() && info.Sys().(*syscall.Stat_t).Nlink > 1, info.Mode()&os.ModeNamedPipe != 0:
			reject()
		case debris:
		case info.Mode().IsRegular():
			data, err := os.ReadFile(full)
			if err != nil {
				t.Fatal(err)
			}
			mode := "100644"
			if info.Mode()&0o100 != 0 {
				mode = "100755"
			}
			o.want[p] = mode + " " + blobID(data)
		default:
			target, err := os.Readlink(full)
			if err != nil {
				t.Fatal(err)
			}
			o.links[p] = target
			o.want[p] = "120000 " + blobID([]byte(target))
		}
	}
}

// putBack gives a rejected path what the base has there.
func (o *reading) putBack(p string) {
	for q := range o.want {
		if q == p || strings.HasPrefix(q, p+"/") {
			delete(o.want, q)
			delete(o.links, q)
		}
	}
	for q, e := range o.base {
		if q == p || strings.HasPrefix(q, p+"/") {
			o.want[q] = e
			if q == "link" {
				o.links[q] = "a.txt"
			}
		}
	}
}

// outward follows a link by its last name only: the targets of this test lead
// through no folder that could be a link.
func (o *reading) outward(p string) bool {
	for range 50 {
		target, ok := o.links[p]
		if !ok {
			return false
		}
		to := path.Join(path.Dir(p), target)
		if path.IsAbs(target) || to == ".." || strings.HasPrefix(to, "../") {
			return true
		}
		p = to
	}
	return false
}

func (o *reading) read(t *rapid.T) {
	o.want, o.links = map[string]string{}, map[string]string{}
	o.visit(t, "")
	for _, p := range o.rejected {
		o.putBack(p)
	}
	var out []string
	for p := range o.links {
		if o.want[p] != o.base[p] && o.outward(p) {
			out = append(out, p)
		}
	}
	for _, p := range out {
		o.putBack(p)
	}
	o.rejected = append(o.rejected, out...)
	sort.Strings(o.rejected)
}

// tree is the id of what the reading says, by git, in a repository that has
// nothing else to do with the test.
func (o *reading) tree(t *rapid.T, repo *testkit.Repo) string {
	var b strings.Builder
	for p, e := range o.want {
		b.WriteString(e + " 0\t" + p + "\x00")
	}
	repo.Git("read-tree", "--empty")
	repo.GitInput(b.String(), "update-index", "-z", "--index-info")
	return repo.Git("write-tree", "--missing-ok")
}

// TestFreezeAgainstOracle: after any sequence of hostile file operations and
// git commands, twice in a row, T, its changes and its rejections are what a
// plain reading of the files says.
func TestFreezeAgainstOracle(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	apart := testkit.NewRepo(t)
	base := s.entriesOf("")
	rapid.Check(t, func(rt *rapid.T) {
		tree := ""
		for range 2 {
			room := s.room(tree)
			for range rapid.IntRange(1, 12).Draw(rt, "length") {
				randomAct(rt, room.Room.Dir())
			}
			o := &reading{dir: room.Room.Dir(), start: s.entriesOf(tree), base: base}
			frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{})
			if err != nil {
				rt.Fatal(err)
			}
			o.read(rt)
			var rejected []string
			for _, r := range frozen.Rejected {
				rejected = append(rejected, r.Path)
			}
			if !slices.Equal(rejected, o.rejected) {
				rt.Fatalf("rejected\n got %q\nwant %q", rejected, o.rejected)
			}
			if want := o.tree(rt, apart); frozen.Tree != want {
				rt.Fatalf("tree\n got %v\nwant %v", s.entriesOf(frozen.Tree), o.want)
			}
			changed := map[string]bool{}
			for p, e := range o.want {
				changed[p] = e != base[p]
			}
			for p := range base {
				changed[p] = base[p] != o.want[p]
			}
			for _, c := range frozen.Changes {
				if !changed[c.Path] {
					rt.Fatalf("%s is no change", c.Path)
				}
				delete(changed, c.Path)
			}
			for p, missing := range changed {
				if missing {
					rt.Fatalf("%s changed and is not listed", p)
				}
			}
			if _, err := s.Diff(t.Context(), frozen.Tree); err != nil {
				rt.Fatal(err)
			}
			if err := room.Room.Close(); err != nil {
				rt.Fatal(err)
			}
			clean, err := s.NewRoom(t.Context(), RoomSpec{Name: "clean", Tree: frozen.Tree})
			if err != nil {
				rt.Fatal(err)
			}
			again, err := s.Freeze(t.Context(), clean, FreezeOptions{})
			if err != nil || again.Tree != frozen.Tree || len(again.Rejected)+len(again.Debris) > 0 {
				rt.Fatalf("the clean room of T gives %v, %v", again, err)
			}
			if err := clean.Close(); err != nil {
				rt.Fatal(err)
			}
			tree = frozen.Tree
		}
	})
}
