package gitops

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestScratchIsPrivateAndNamed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, err := NewScratch(root, "a1")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.Path()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if s.Path("x", "y") != filepath.Join(root, "rooms", "a1", "x", "y") {
		t.Error(s.Path("x", "y"))
	}
	if err := s.SetRepo("/some/\"repo\"\n\xff"); err != nil {
		t.Fatal(err)
	}
	owner, err := readOwner(s.Path())
	if err != nil || owner.PID != os.Getpid() || owner.Start.IsZero() || !strings.HasPrefix(owner.Repo, "/some/\"repo\"") {
		t.Errorf("%+v, %v", owner, err)
	}
	if _, err := NewScratch(root, "a1"); err == nil {
		t.Error("two runs with one id")
	}
	for _, id := range []string{"", ".", "..", "a/b", "-x", ".hidden", "a\n", strings.Repeat("x", 200)} {
		if _, err := NewScratch(root, id); err == nil {
			t.Errorf("run id %q was taken", id)
		}
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(s.Path()); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// hostile fills a folder with what a removal may stumble over, and returns a
// function that proves that what the links lead to is still there.
func hostile(t *testing.T, dir string) func() {
	t.Helper()
	outside := t.TempDir()
	kept := filepath.Join(outside, "kept")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(kept, []byte("x"), 0o600))
	must(os.MkdirAll(filepath.Join(dir, "locked", "inner"), 0o700))
	must(os.WriteFile(filepath.Join(dir, "locked", "inner", "file"), []byte("12345"), 0o400))
	must(os.Symlink(outside, filepath.Join(dir, "locked", "inner", "out")))
	must(os.Symlink("..", filepath.Join(dir, "up")))
	must(os.Symlink(kept, filepath.Join(dir, "file-out")))
	must(os.Link(kept, filepath.Join(dir, "hard")))
	must(os.MkdirAll(filepath.Join(dir, "n\new\xff"), 0o700))
	must(os.Mkdir(filepath.Join(dir, ".deep-0"), 0o700))
	must(os.WriteFile(filepath.Join(dir, ".deep-0", "x"), nil, 0o600))
	must(os.Chmod(filepath.Join(dir, "locked", "inner"), 0o100))
	must(os.Chmod(filepath.Join(dir, "locked"), 0))
	// Deeper than a path can name and than a process may have files open.
	deep, err := os.OpenRoot(dir)
	must(err)
	for range 3000 {
		must(deep.Mkdir("d", 0o700))
		next, err := deep.OpenRoot("d")
		must(err)
		deep.Close()
		deep = next
	}
	must(deep.WriteFile("bottom", []byte("x"), 0o600))
	deep.Close()
	return func() {
		t.Helper()
		if data, err := os.ReadFile(kept); string(data) != "x" {
			t.Errorf("%q, %v", data, err)
		}
	}
}

func TestCloseRemovesHostileTrees(t *testing.T) {
	t.Parallel()
	s, err := NewScratch(t.TempDir(), "run")
	if err != nil {
		t.Fatal(err)
	}
	check := hostile(t, s.Path())
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(s.Path()); !os.IsNotExist(err) {
		t.Error(err)
	}
	check()
}

func TestRemoveTreeRefusesLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := errors.Join(os.Mkdir(target, 0o700), os.WriteFile(filepath.Join(target, "x"), nil, 0o600), os.Symlink(target, filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	if _, err := removeTree(filepath.Join(dir, "link"), ""); err == nil {
		t.Error("a link was taken for a folder")
	}
	if _, err := os.Stat(filepath.Join(target, "x")); err != nil {
		t.Error(err)
	}
	if _, err := removeTree(filepath.Join(dir, "missing"), ""); err != nil {
		t.Error(err)
	}
}

// holdScratch is what a child process does in the tests below: it makes a
// scratch folder, says so, and waits to be killed.
func holdScratch(root string) {
	s, err := NewScratch(root, "child")
	if err == nil {
		err = os.WriteFile(s.Path("data"), []byte("12345"), 0o600)
	}
	fmt.Println(err)
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func TestCollect(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if got, err := Collect(root); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
	live, err := NewScratch(root, "live")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), "TEST_HOLD_SCRATCH="+root)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 64)
	n, err := out.Read(line)
	if err != nil || string(line[:n]) != "<nil>\n" {
		t.Fatalf("child: %q, %v", line[:n], err)
	}
	byID := func() map[string]Collected {
		t.Helper()
		all, err := Collect(root)
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]Collected{}
		for _, c := range all {
			m[c.RunID] = c
		}
		return m
	}
	got := byID()
	if len(got) != 2 || !got["live"].Live || !got["child"].Live || got["child"].Owner.PID != child.Process.Pid {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(root, "rooms", "child", "data")); err != nil {
		t.Error(err)
	}

	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	check := hostile(t, filepath.Join(root, "rooms", "child"))
	got = byID()
	if c := got["child"]; c.Live || c.Err != nil || c.Bytes < 10 || !got["live"].Live {
		t.Errorf("%+v", got)
	}
	check()
	if got = byID(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	if got = byID(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	left, err := os.ReadDir(filepath.Join(root, "rooms"))
	if err != nil || len(left) != 1 || left[0].Name() != gateFile {
		t.Errorf("%v, %v", left, err)
	}
}

func TestCollectDeadLeftovers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rooms := filepath.Join(root, "rooms")
	for _, dir := range []string{
		"no-lock/x",                  // killed before its lock was there
		"folder-lock/lock/x",         // a lock that is none
		trashPrefix + "old~1/x",      // a collector was killed
		"not a run id/x", ".hidden/", // not ours
	} {
		if err := os.MkdirAll(filepath.Join(rooms, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(rooms, "link-lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, filepath.Join(rooms, "link-lock", "lock")); err != nil {
		t.Fatal(err)
	}
	all, err := Collect(root)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range all {
		if c.Live || c.Err != nil {
			t.Errorf("%+v", c)
		}
		ids = append(ids, c.RunID)
	}
	if got := strings.Join(ids, " "); got != "old folder-lock link-lock no-lock" {
		t.Error(got)
	}
	if _, err := os.Lstat(target); !os.IsNotExist(err) {
		t.Error("a lock was made through a link")
	}
}

// No run may lose its folder to a collector, whenever either begins.
func TestCollectRacesWithNewScratch(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				all, err := Collect(root)
				if err != nil {
					t.Error(err)
				}
				for _, c := range all {
					if c.Err != nil {
						t.Error(c.Err)
					}
				}
			}
		})
	}
	var runs sync.WaitGroup
	for w := range 4 {
		runs.Go(func() {
			for i := range 50 {
				s, err := NewScratch(root, fmt.Sprintf("run-%d-%d", w, i))
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(s.Path("x"), []byte("x"), 0o600); err != nil {
					t.Errorf("collected while live: %v", err)
				}
				if _, err := os.Stat(s.Path(ownerFile)); err != nil {
					t.Errorf("collected while live: %v", err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	close(stop)
	wg.Wait()
}

func TestCacheRoot(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	cases := []struct{ xdg, want string }{
		{"/cache", "/cache/patchvet"},
		{"", filepath.Join(home, ".cache", "patchvet")},
		{"relative", filepath.Join(home, ".cache", "patchvet")},
	}
	for _, c := range cases {
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		if got, err := CacheRoot(); err != nil || got != c.want {
			t.Errorf("%q: %q, %v", c.xdg, got, err)
		}
	}
	t.Setenv("HOME", "")
	if _, err := CacheRoot(); err == nil {
		t.Error("no home, no error")
	}
}
