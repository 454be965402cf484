package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// ownBranch is the branch of the sealed repository and of every room.
const ownBranch = "refs/heads/patchvet"

// writeGitDir makes a git folder with nothing from a template in it: no hook,
// no description, no configuration but what is given.
func writeGitDir(dir, config string) error {
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o777); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: "+ownBranch+"\n"), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o666)
}

// bareConfig is the configuration of a private repository without a worktree.
const bareConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

// noSync keeps git from waiting for the disk (git-config(1), core.fsync): a
// scratch folder outlives no crash.
const noSync = "core.fsync=none"

// place is where a git child of the private side works. Everything is named,
// so that git discovers nothing, and no configuration but that of gitDir is
// read.
type place struct {
	runner   *Runner
	gitDir   string
	workTree string // "": none
	index    string // "": the git folder's own
	objects  string // folder for new objects, "": the git folder's own
}

// git runs a command in the place. Paths in arguments and input are names of
// files and never patterns.
func (p place) git(ctx context.Context, opt RunOptions, args ...string) ([]byte, error) {
	env := []string{"GIT_DIR=" + p.gitDir, "GIT_LITERAL_PATHSPECS=1"}
	dir := p.gitDir
	if p.workTree != "" {
		env = append(env, "GIT_WORK_TREE="+p.workTree)
		dir = p.workTree
	}
	if p.index != "" {
		env = append(env, "GIT_INDEX_FILE="+p.index)
	}
	if p.objects != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+p.objects)
	}
	opt.Private = true
	opt.Config = append([]string{noSync}, opt.Config...)
	opt.Env = append(env, opt.Env...)
	return p.runner.Run(ctx, dir, opt, args...)
}

// alternates is a line of objects/info/alternates for a folder. Git reads a
// name in double quotes as C does.
func alternates(dir string) []byte {
	quoted := []byte{'"'}
	for _, c := range []byte(dir) {
		if c == '"' || c == '\\' || c < ' ' || c >= 0x7f {
			quoted = fmt.Appendf(quoted, "\\%03o", c)
		} else {
			quoted = append(quoted, c)
		}
	}
	return append(quoted, '"', '\n')
}
