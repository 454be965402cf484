package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/patchvet/patchvet/internal/testkit"
	"github.com/patchvet/patchvet/isolation"
)

// TestMain lets the test binary be the program: under the names patchvet and
// eidolons in scripts, and as the launcher that boxes start.
func TestMain(m *testing.M) {
	if isolation.RunLauncher() {
		return
	}
	testscript.Main(m, map[string]func(){
		"patchvet": main,
		"eidolons": main,
	})
}

// TestScript runs the end-to-end scripts, each in a home and a repository of
// its own.
func TestScript(t *testing.T) {
	t.Parallel()
	u := &userRepos{t: t, seen: map[string]*testkit.Fingerprint{}}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"json":      cmdJSON,
			"jsonlen":   cmdJSONLen,
			"untouched": u.untouched,
			"repo":      u.repo,
			"rundir":    cmdRunDir,
			"applies":   cmdApplies,
			"leftovers": cmdLeftovers,
		},
		Setup:               setupScript,
		Condition:           condition(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// userRepos remembers what each script's repository was like.
type userRepos struct {
	t    *testing.T
	mu   sync.Mutex
	seen map[string]*testkit.Fingerprint // by work folder
}

func setupScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	for name, value := range testkit.HomeEnv(home) {
		env.Setenv(name, value)
	}
	return testkit.WriteGitConfig(home)
}

// repo makes a folder of the script a repository: `repo DIR`.
func (u *userRepos) repo(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: repo DIR")
	}
	dir := ts.MkAbs(args[0])
	gitIn(ts, dir, "init", "-q")
	gitIn(ts, dir, "add", "-A")
	gitIn(ts, dir, "commit", "-q", "-m", "base")
	ts.Setenv("REPO", dir)
	u.remember(ts)
}

// remember takes the state of the repository as the one that must stay. The
// folder of runs may change.
func (u *userRepos) remember(ts *testscript.TestScript) {
	state := testkit.TakeFingerprint(u.t, ts.Getenv("REPO"), ".patchvet")
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen[ts.Getenv("WORK")] = state
}

// untouched fails when anything of the user's repository changed since
// `repo`, or since the last `untouched -reset`.
func (u *userRepos) untouched(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 1 && args[0] == "-reset" {
		u.remember(ts)
		return
	}
	u.mu.Lock()
	state := u.seen[ts.Getenv("WORK")]
	u.mu.Unlock()
	if state == nil {
		ts.Fatalf("no repository: use repo DIR first")
	}
	if diff := state.Diff(); len(diff) > 0 {
		ts.Fatalf("the user's repository changed:\n%s", strings.Join(diff, "\n"))
	}
}

// cmdRunDir sets a variable to the only run folder: `rundir NAME`.
func cmdRunDir(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.Getenv("REPO"), ".patchvet", "runs", "*", "loop.json"))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("no run folder")
	}
	ts.Setenv(args[0], filepath.Dir(found[len(found)-1]))
}

// cmdApplies proves a run's diff: `applies RUNDIR` applies candidate.diff to a
// fresh clone of the base and compares the tree with the ledger's.
func cmdApplies(ts *testscript.TestScript, neg bool, args []string) {
	run := args[0]
	tree, ok := lookup(ts, filepath.Join(run, "loop.json"), "tree").(string)
	if !ok || tree == "" {
		ts.Fatalf("the ledger names no tree")
	}
	clone := filepath.Join(ts.Getenv("WORK"), ".home", "clone-"+filepath.Base(run))
	gitIn(ts, ts.Getenv("REPO"), "clone", "-q", "--no-hardlinks", ".", clone)
	if diff := filepath.Join(run, "candidate.diff"); len(ts.ReadFile(diff)) > 0 {
		gitIn(ts, clone, "apply", "--index", diff)
	}
	if got := strings.TrimSpace(gitIn(ts, clone, "write-tree")); got != tree {
		ts.Fatalf("the base with candidate.diff is tree %s, the ledger says %s", got, tree)
	}
}

// cmdLeftovers fails when the cache holds a room.
func cmdLeftovers(ts *testscript.TestScript, neg bool, args []string) {
	rooms, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "patchvet", "rooms", "[^.]*"))
	ts.Check(err)
	if (len(rooms) > 0) != neg {
		ts.Fatalf("rooms in the cache: %q", rooms)
	}
}
