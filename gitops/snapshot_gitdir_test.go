package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
	"pgregory.net/rapid"
)

// What git reads in the flat file is what it read in the real ones.
func TestFlatConfigMeansTheSame(t *testing.T) {
	t.Parallel()
	r, dir := newRunner(t), t.TempDir()
	part := rapid.StringMatching(`[ -~äö\t]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		listed := ""
		for range rapid.IntRange(1, 5).Draw(t, "keys") {
			key := "sec.name"
			if rapid.Bool().Draw(t, "sub") {
				key = "sec." + part.Draw(t, "subsection") + ".name"
			}
			value := "\n" + rapid.StringMatching(`[ -~ä\n\t\r\\";#]{0,12}`).Draw(t, "value")
			if rapid.IntRange(0, 5).Draw(t, "alone") == 0 {
				value = ""
			}
			listed += key + value + "\x00"
		}
		config, partial := flatConfig([]byte(listed))
		file := filepath.Join(dir, "config")
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := r.Run(t.Context(), dir, RunOptions{}, "config", "-f", file, "--list", "-z")
		if err != nil {
			t.Fatalf("%v:\n%s", err, config)
		}
		if want := listed + "core.bare\nfalse\x00"; string(out) != want || partial {
			t.Errorf("%q, want %q", out, want)
		}
	})
}

// A condition on the git folder's place holds for the place of the user's.
func TestSnapshotWithConditionalConfig(t *testing.T) {
	home := testkit.Home(t)
	repo := testkit.NewRepo(t).Write("a.txt", "a\n").Commit("base")
	extra := filepath.Join(home, "extra")
	if err := os.WriteFile(extra, []byte("[core]\n\tautocrlf = input\n\texcludesFile = ~/more\n[filter \"up\"]\n\tclean = tr a-z A-Z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "more"), []byte("*.ign\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	repo.Git("config", "--global", "includeIf.gitdir:"+repo.Dir+"/.path", extra)
	repo.Write(".gitattributes", "*.up filter=up\n").Write("x.up", "hello\r\n").Write("n.txt", "n\r\n").Write("i.ign", "x\n")
	want := repo.Git("-c", "core.hooksPath=/dev/null", "hash-object", "n.txt")
	base := snap(t, repo.Dir)
	listing, err := openAt(t, repo.Dir).git(t.Context(), RunOptions{Env: base.objectEnv()}, "ls-tree", "-r", base.Tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(listing); !strings.Contains(got, want+"\tn.txt") || strings.Contains(got, "i.ign") {
		t.Errorf("tree:\n%s", got)
	}
	blob, err := openAt(t, repo.Dir).git(t.Context(), RunOptions{Env: base.objectEnv()}, "cat-file", "blob", base.Tree+":x.up")
	if err != nil || string(blob) != "HELLO\n" {
		t.Errorf("%q, %v", blob, err)
	}
}

// A filter finds its keys in the git folder, and what it writes to the
// configuration or its own new files do not reach the user's.
func TestSnapshotWithFilterThatUsesTheGitFolder(t *testing.T) {
	t.Parallel()
	const filter = `d=$(git rev-parse --git-dir) && cat "$d/crypt-tool/key" - && git config tool.version 1 && echo log >>"$d/tool.log"`
	repo := testkit.NewRepo(t).Commit("base").Config("filter.c.clean", filter).Config("filter.c.required", "true").
		Write(".git/crypt-tool/key", "key\n").Write(".gitattributes", "*.c filter=c\n").Write("x.c", "x\n")
	for _, r := range []*testkit.Repo{repo, repo.Worktree("side").Write(".gitattributes", "*.c filter=c\n").Write("x.c", "x\n")} {
		base := snap(t, r.Dir)
		blob, err := openAt(t, r.Dir).git(t.Context(), RunOptions{Env: base.objectEnv()}, "cat-file", "blob", base.Tree+":x.c")
		if err != nil || string(blob) != "key\nx\n" {
			t.Errorf("%q, %v", blob, err)
		}
	}
}
