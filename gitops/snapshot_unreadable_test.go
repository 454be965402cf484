//go:build unix

package gitops

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// What git cannot read it passes over with a warning; a snapshot must not.
// Root reads everything, so the snapshot is taken by another user there.
func TestSnapshotOfUnreadableFiles(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(*testkit.Repo)
		want   string // in the error, "" for none
	}{
		{"nothing", func(*testkit.Repo) {}, ""},
		{"changed file", func(r *testkit.Repo) { r.Write("dir/a", "changed\n").Chmod("dir/a", 0) }, "dir/a"},
		{"new file", func(r *testkit.Repo) { r.WriteMode("new", "x\n", 0) }, "new"},
		{"tracked folder", func(r *testkit.Repo) { r.Chmod("dir", 0) }, "dir"},
		{"new folder", func(r *testkit.Repo) { r.Write("n/x", "x\n").Chmod("n", 0) }, "'n/'"},
		{"ignore rules", func(r *testkit.Repo) { r.WriteMode("dir/.gitignore", "a\n", 0) }, "dir/.gitignore"},
		{"ignored folder", func(r *testkit.Repo) {
			r.Write(".gitignore", "/n/\n").Write("n/x", "x\n").Chmod("n", 0)
		}, ""},
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "unreadable-") // t.TempDir lies in a folder of root's
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if _, err := removeTree(dir, ""); err != nil {
					t.Error(err)
				}
			})
			repo := testkit.NewRepoAt(t, filepath.Join(dir, "repo")).Write("dir/a", "a\n").Commit("base")
			c.change(repo)
			child := exec.Command(self)
			child.Env = append(os.Environ(), "TEST_SNAPSHOT="+dir, "HOME="+dir, "XDG_CONFIG_HOME="+dir)
			if os.Getuid() == 0 {
				const nobody = 65534
				child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				if out, err := exec.Command("chown", "-R", fmt.Sprint(nobody), dir).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				copied := filepath.Join(dir, "test-program") // the original may be where only root looks
				if out, err := exec.Command("cp", self, copied).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				child.Path = copied
			}
			child.Dir = dir
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			said := strings.TrimSuffix(string(out), "\n")
			if c.want == "" && said != "" || c.want != "" && (!strings.Contains(said, c.want) || !strings.Contains(said, "denied")) || strings.Contains(said, "\n") {
				t.Errorf("%q, want %q", said, c.want)
			}
		})
	}
}
