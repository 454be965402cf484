package gitops

import (
	"errors"
	"fmt"
)

// What a folder can be instead of a repository that patchvet can work on.
var (
	ErrNotRepository = errors.New("no git repository here or above")
	ErrInsideGitDir  = errors.New("the folder lies inside a git folder, or outside of its worktree: start in the worktree")
	ErrNoCommits     = errors.New("the repository has no commit yet: make a first one")
)

// UnsafeRepositoryError says that git refuses the repository because of who
// owns it or what kind it is (git-config(1), safe.directory and
// safe.bareRepository).
type UnsafeRepositoryError struct {
	Dir    string
	Remedy string // the exact command that allows it, for a POSIX shell
}

// Error names the folder and the remedy.
func (e *UnsafeRepositoryError) Error() string {
	return fmt.Sprintf("git does not trust the repository at %s; if you do, run: %s", printable(e.Dir), printable(e.Remedy))
}

// UnsupportedError says that the repository has a format that patchvet, or
// the git on PATH, cannot read.
type UnsupportedError struct {
	Dir     string
	Feature string
	Remedy  string
}

// Error names the folder, the feature and what would do.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("repository at %s is not supported: %s: %s", printable(e.Dir), e.Feature, e.Remedy)
}
