package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestUserConfigurationStaysOutside: programs and names in the user's
// configuration have no effect on the private side; ignore rules have.
// It is not parallel: it has a home of its own.
func TestUserConfigurationStaysOutside(t *testing.T) {
	home := testkit.Home(t)
	ran := filepath.Join(home, "ran")
	run := "touch '" + ran + "'; false"
	hooks := filepath.Join(home, "hooks")
	noError(t, writeFile(filepath.Join(hooks, "post-checkout"), "#!/bin/sh\n"+run+"\n"))
	noError(t, os.Chmod(filepath.Join(hooks, "post-checkout"), 0o755))
	noError(t, writeFile(filepath.Join(home, ".gitconfig"), strings.Join([]string{
		"[user]\n\tname = Secret Name\n\temail = secret@example.com",
		"[core]\n\thooksPath = " + hooks + "\n\tfsmonitor = " + run + "\n\tattributesFile = " + filepath.Join(home, "attributes"),
		"\texcludesFile = ~/ignore",
		"[filter \"x\"]\n\tclean = " + run + "\n\tsmudge = " + run + "\n\trequired = true",
		"[diff]\n\texternal = " + run + "\n\tnoprefix = true\n\tcontext = 0\n\tmnemonicPrefix = true\n\trenames = copies",
		"[apply]\n\twhitespace = error-all\n[core]\n\twhitespace = cr-at-eol\n\tquotePath = false\n\tabbrev = 4",
		"[index]\n\tversion = 4\n[status]\n\tshowUntrackedFiles = no",
	}, "\n")+"\n"))
	noError(t, writeFile(filepath.Join(home, "attributes"), "*.txt filter=x\n*.md binary\n"))
	noError(t, writeFile(filepath.Join(home, "ignore"), "*.globally-ignored\n"))
	repo := testkit.NewRepo(t)
	repo.Config("core.fsmonitor", "false")
	git := func(args ...string) { repo.Git(append([]string{"-c", "core.attributesFile=/dev/null"}, args...)...) }
	repo.Write("a.txt", "a\n").Write("b.md", "b\n")
	git("add", "-A")
	git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "base")
	os.Remove(ran)
	for name, value := range map[string]string{
		"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "GIT_EXTERNAL_DIFF": run, "GIT_DIFF_OPTS": "--unified=0", "GIT_LITERAL_PATHSPECS": "0",
	} {
		t.Setenv(name, value)
	}

	s := sealHead(t, repo)
	room := s.room("")
	config, err := os.ReadFile(room.Path(".git/config"))
	noError(t, err)
	if strings.Contains(string(config), "ecret") {
		t.Errorf("the user's name is in the room: %s", config)
	}
	room.Write("a.txt", "a \nb\n").Write("b.md", "c\r\n").Write("x.globally-ignored", "")
	frozen, err := s.Freeze(t.Context(), room.Room, FreezeOptions{})
	noError(t, err)
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\nmodified 100644 b.md\n")
	equal(t, "debris", strings.Join(frozen.Debris, " "), "x.globally-ignored")
	patch, err := s.Diff(t.Context(), frozen.Tree)
	noError(t, err)
	for _, line := range []string{"--- a/a.txt\n", "+++ b/a.txt\n", "+a \n", "+c\r\n"} {
		if !strings.Contains(string(patch), line) {
			t.Errorf("the patch lacks %q:\n%s", line, patch)
		}
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("a program of the user ran")
	}
}

// TestNoSymlinks: where core.symlinks is false a link is a file with its
// target, in the room as in the user's checkout, and comes back as a link.
func TestNoSymlinks(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t)
	repo.Config("core.symlinks", "false")
	repo.Remove("link").Git("checkout", "--", "link")
	s := sealHead(t, repo)
	room := s.room("")
	equal(t, "link", room.Read("link"), "a.txt")
	equal(t, "untouched", s.freeze(room).Tree, s.Base().Tree)
	room.Write("link", "run.sh")
	frozen := s.freeze(room)
	equal(t, "changes", lines(frozen.Changes), "modified 120000 link\n")
	clean := s.room(frozen.Tree)
	equal(t, "link in the clean room", clean.Read("link"), "run.sh")
	equal(t, "tree of the clean room", s.freeze(clean).Tree, frozen.Tree)
	room.Write("link", "../../etc/passwd")
	equal(t, "rejected", rules(s.freeze(room).Rejected), "outward-symlink link\n")
}

// TestNoFileMode: core.fileMode=false of the user hides no change of the
// executable bit in a room.
func TestNoFileMode(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t).Config("core.fileMode", "false")
	s := sealHead(t, repo)
	room := s.room("")
	room.Chmod("run.sh", 0o644).WriteMode("new.sh", "x\n", 0o755)
	equal(t, "changes", lines(s.freeze(room).Changes), "added 100755 new.sh\nmode 100644 run.sh\n")
}

// TestInfoAttributes: the repository's own info/attributes count as in the
// user's checkout.
func TestInfoAttributes(t *testing.T) {
	t.Parallel()
	repo := testkit.NewRepo(t)
	noError(t, writeFile(repo.Path(".git/info/attributes"), "*.txt text eol=crlf\n*.x filter=f\n"))
	repo.Write("a.txt", "a\r\n").Write("b.x", "b\n").Commit("base")
	s := sealHead(t, repo)
	room := s.room("")
	equal(t, "room", room.Read("a.txt"), "a\r\n")
	equal(t, "status", room.Git("status", "--porcelain"), "")
	room.Write("a.txt", "b\r\n").Write("b.x", "c\n")
	frozen := s.mustFreeze(room)
	equal(t, "changes", lines(frozen.Changes), "modified 100644 a.txt\n")
	equal(t, "rejected", rules(frozen.Rejected), "filtered-path b.x\n")
	blob, err := s.ReadFile(t.Context(), frozen.Tree, "a.txt")
	noError(t, err)
	equal(t, "blob", string(blob), "b\n")
}
