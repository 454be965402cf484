package gitops

import (
	"context"
)

// Repository is the user's repository. It is only ever read, and only by the
// git command.
type Repository struct {
	Root      string // worktree root; "" when bare
	Prefix    string // folder inside Root in which Open was called, slash-separated, "" for Root itself
	GitDir    string // of this worktree
	CommonDir string // shared by all worktrees of the repository
	Bare      bool

	runner *Runner
}

// Base is the tree where the candidates of a run start.
type Base struct {
	Commit     string   // full id: the user's commit, or, filled in by Seal, the sealed repository's own for a snapshot
	Tree       string   // full id
	Parent     string   // of a snapshot: HEAD when it was taken; "" for a commit
	Snapshot   bool     // the tree is the worktree as it was, not a commit
	LeftOut    []string // untracked nested repositories that the snapshot leaves out
	Submodules []string // gitlink paths; what they hold is not looked at

	// Of a snapshot only, where it differs from what lies in the worktree:
	Moved   []string // submodules whose folder is gone or at another commit than recorded; the recorded one counts
	Assumed []string // files marked assume-unchanged or skip-worktree that exist; the index counts

	objects string // scratch object folder of a snapshot, "" for a commit
	lfs     string // scratch LFS store of a snapshot, "" for a commit
}

// objectEnv is what a git child needs to see the objects of the base. The
// scratch folder names the user's object folders as its alternates.
func (b Base) objectEnv() []string {
	if b.objects == "" {
		return nil
	}
	return []string{"GIT_OBJECT_DIRECTORY=" + b.objects}
}

// git runs a read-only command on the repository. Naming both folders pins
// it: nothing is discovered again.
func (r *Repository) git(ctx context.Context, opt RunOptions, args ...string) ([]byte, error) {
	env := []string{"GIT_DIR=" + r.GitDir}
	dir := r.GitDir
	if !r.Bare {
		env = append(env, "GIT_WORK_TREE="+r.Root)
		dir = r.Root
	}
	opt.Env = append(env, opt.Env...)
	return r.runner.Run(ctx, dir, opt, args...)
}
