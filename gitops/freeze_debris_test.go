//go:build unix

package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestFreezeDebris: what the base's rules ignore, and what tools are known to
// leave behind, is listed and no part of T; rules that a hook wrote hide
// nothing.
func TestFreezeDebris(t *testing.T) {
	t.Parallel()
	repo := smallRepo(t).
		Write("sub/.gitignore", "/gen\n!keep.log\n").
		Write("data/__pycache__/x.pyc", "tracked\n").
		Write("py/old.pyc", "tracked\n").
		Write(".cursor/rules.md", "tracked\n").
		Write("tools/.claude/x", "tracked\n")
	repo.Commit("base")
	noError(t, writeFile(repo.Path(".git/info/exclude"), "*.mine\n"))
	home := t.TempDir()
	noError(t, writeFile(filepath.Join(home, "ignore"), "*.global\n"))
	repo.Config("core.excludesFile", filepath.Join(home, "ignore"))
	s := sealHead(t, repo)
	for _, c := range []struct {
		name    string
		hook    func(*testkit.Repo)
		debris  string
		changes string
	}{
		{"ignored", func(r *testkit.Repo) {
			r.Write("x.log", "").Write("build/a/b", "").Write("build/c", "").Write("sub/gen/y", "").Write("sub/keep.log", "").
				Write("y.mine", "").Write("dir/z.global", "").Write("gen", "")
		}, "build/ dir/z.global sub/gen/ x.log y.mine", "added 100644 gen\nadded 100644 sub/keep.log\n"},
		{"a file named like an ignored folder", func(r *testkit.Repo) { r.Write("build", "") }, "", "added 100644 build\n"},
		{"a link named like an ignored folder", func(r *testkit.Repo) { r.Symlink("build", "dir") }, "", "added 120000 build\n"},
		{"table", func(r *testkit.Repo) {
			r.Write("a/__pycache__/m.pyc", "").Write("m.pyc", "").Write(".pytest_cache/v/x", "").Write(".coverage", "").
				Write("dir/.DS_Store", "").Write(".claude/state.json", "").Write(".aider.chat.md", "").Write(".aider.cache/x", "").Write("dir/.ruff_cache/0/x", "")
		}, ".aider.cache/ .aider.chat.md .claude/ .coverage .pytest_cache/ a/ dir/.DS_Store dir/.ruff_cache/ m.pyc", ""},
		{"table, where the base tracks the like", func(r *testkit.Repo) {
			r.Write("data/__pycache__/y.pyc", "").Write("py/new.pyc", "").Write(".cursor/more.md", "").Write("tools/.claude/y", "").Write("dir/.claude/x", "")
		}, "", "added 100644 .cursor/more.md\nadded 100644 data/__pycache__/y.pyc\nadded 100644 dir/.claude/x\nadded 100644 py/new.pyc\nadded 100644 tools/.claude/y\n"},
		{
			"not in the table", func(r *testkit.Repo) { r.Write("node_modules/x/index.js", "").Write("x.egg-info/entry_points.txt", "") },
			"", "added 100644 node_modules/x/index.js\nadded 100644 x.egg-info/entry_points.txt\n",
		},
		{"hidden by the hook's own rules", func(r *testkit.Repo) {
			r.Write(".gitignore", "*\n").Write("conftest.py", "x\n").Write("new/.gitignore", "*\n").Write("new/x", "")
			noError(t, writeFile(r.Path(".git/info/exclude"), "*\n"))
			r.Config("core.excludesFile", r.Path("everything")).Write("everything", "*\n")
		}, "", "modified 100644 .gitignore\nadded 100644 conftest.py\nadded 100644 everything\nadded 100644 new/.gitignore\nadded 100644 new/x\n"},
		{"uncovered by the hook's own rules", func(r *testkit.Repo) { r.Write(".gitignore", "\n").Write("x.log", "") }, "x.log", "modified 100644 .gitignore\n"},
		{"special files and repositories among ignored ones", func(r *testkit.Repo) {
			r.Nest("build/vendored").Write("build/x", "")
			fifo(t, r, "build/pipe")
			fifo(t, r, "p.log")
		}, "build/ p.log", ""},
		{"folders in the place of rule files", func(r *testkit.Repo) {
			r.Remove(".gitignore").Write(".gitignore/x.log", "").Write(".gitignore/y", "").Remove("sub/.gitignore").Symlink("sub/.gitignore", "keep.log")
		}, ".gitignore/x.log", "deleted  .gitignore\nadded 100644 .gitignore/y\ntype 120000 sub/.gitignore\n"},
		{
			"beside debris", func(r *testkit.Repo) { r.Write("new/x.log", "").Write("new/real", "").Write("new/deep/y.log", "") },
			"new/deep/ new/x.log", "added 100644 new/real\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t)
			room := s.room("")
			c.hook(room.Repo)
			frozen := s.freeze(room)
			equal(t, "debris", strings.Join(frozen.Debris, " "), c.debris)
			equal(t, "changes", lines(frozen.Changes), c.changes)
			equal(t, "rejected", rules(frozen.Rejected), "")
		})
	}
}

// TestFreezeSuspicious: what belongs to T and deserves a look is named.
func TestFreezeSuspicious(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	room := s.room("")
	room.Write(".gitignore", "x\n").Write("dir/.gitattributes", "* text\n").Write(".gitmodules", "").
		Write("A.txt", "").Write("Dir/b2.txt", "").Write("caf\u00e9", "").Write("cafe\u0301", "").
		Write("\xff", "").Write("new\nline", "").Symlink("peek", ".git/config")
	room.Chmod("run.sh", 0o755|os.ModeSetuid)
	frozen := s.freeze(room)
	var got []string
	for _, x := range frozen.Suspicious {
		got = append(got, x.Path+": "+x.Reason)
	}
	equal(t, "suspicious", strings.Join(got, "\n"), strings.Join([]string{
		".gitignore: It decides what git ignores.",
		".gitmodules: It decides where git gets submodules from.",
		"A.txt: Some file systems cannot tell A.txt from a.txt.",
		"Dir/b2.txt: Some file systems cannot tell Dir from dir.",
		"cafe\u0301: Some file systems cannot tell cafe\u0301 from caf\u00e9.",
		"caf\u00e9: Some file systems cannot tell caf\u00e9 from cafe\u0301.",
		"dir/.gitattributes: It decides how git reads, compares and shows files.",
		"new\nline: Its name holds a control character.",
		"peek: It is a symbolic link into the git folder.",
		"run.sh: It has a setuid, setgid or sticky bit, which git does not store.",
		"\xff: Its name is not UTF-8.",
	}, "\n"))
}

// TestFreezeDoesNotBelieveGit: whatever a hook does with git in its room, T is
// what lies in the files.
func TestFreezeDoesNotBelieveGit(t *testing.T) {
	t.Parallel()
	s := sealHead(t, smallRepo(t))
	change := func(r *testkit.Repo) { r.Write("a.txt", "changed\n").Write("new", "x\n") }
	const want = "modified 100644 a.txt\nadded 100644 new\n"
	for name, hook := range map[string]func(*testkit.Repo){
		"commit": func(r *testkit.Repo) { change(r); r.Git("add", "-A"); r.Git("commit", "-q", "-m", "done") },
		"amend":  func(r *testkit.Repo) { change(r); r.Git("commit", "-q", "-a", "--amend", "-m", "done") },
		"branch": func(r *testkit.Repo) {
			r.Git("checkout", "-q", "-b", "x")
			change(r)
			r.Git("branch", "-D", "patchvet")
		},
		"stage":            func(r *testkit.Repo) { change(r); r.Git("add", "-A") },
		"orphan":           func(r *testkit.Repo) { change(r); r.Git("checkout", "-q", "--orphan", "x") },
		"empty index":      func(r *testkit.Repo) { change(r); r.Git("read-tree", "--empty") },
		"stash and pop":    func(r *testkit.Repo) { change(r); r.Git("stash", "-q", "-u"); r.Git("stash", "pop", "-q") },
		"assume unchanged": func(r *testkit.Repo) { r.Git("update-index", "--assume-unchanged", "a.txt"); change(r) },
		"skip worktree":    func(r *testkit.Repo) { r.Git("update-index", "--skip-worktree", "a.txt"); change(r) },
		"intent to add":    func(r *testkit.Repo) { change(r); r.Git("add", "-N", "new") },
		"no objects":       func(r *testkit.Repo) { change(r); r.Remove(".git/objects") },
		"no index":         func(r *testkit.Repo) { change(r); r.Remove(".git/index") },
		"broken config":    func(r *testkit.Repo) { change(r); r.Write(".git/config", "[") },
		"core.worktree":    func(r *testkit.Repo) { change(r); r.Config("core.worktree", "/") },
		"core.fileMode":    func(r *testkit.Repo) { change(r); r.Config("core.fileMode", "false") },
		"another git":      func(r *testkit.Repo) { change(r); r.Remove(".git").Git("init", "-q") },
		"sparse":           func(r *testkit.Repo) { r.Git("sparse-checkout", "set", "--no-cone", "/*"); change(r) },
		"program as filter": func(r *testkit.Repo) {
			change(r)
			r.Config("filter.x.clean", "false").Write(".git/info/attributes", "* filter=x\n")
		},
		"fsmonitor": func(r *testkit.Repo) { change(r); r.Config("core.fsmonitor", "touch pwned; false") },
		"laundered index": func(r *testkit.Repo) {
			noError(t, writeFile(r.Path(".git/info/attributes"), "a.txt filter=old\n"))
			r.Config("filter.old.clean", "git cat-file blob HEAD:a.txt")
			change(r)
			r.Git("add", "a.txt")
		},
		"replace": func(r *testkit.Repo) {
			change(r)
			r.Git("replace", r.Git("rev-parse", "HEAD:a.txt"), r.Git("hash-object", "-w", "a.txt"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t)
			room := s.room("")
			hook(room.Repo)
			frozen := s.freeze(room)
			equal(t, "changes", lines(frozen.Changes), want)
			equal(t, "rejected", rules(frozen.Rejected), "")
		})
	}
}
