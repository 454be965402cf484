package gitops

import (
	"errors"
	"fmt"
)

// ErrUnmerged says that a merge, rebase or the like stopped with conflicts,
// so that the worktree has no one content.
var ErrUnmerged = errors.New("the index has unmerged paths: resolve the conflicts first, or name a commit with --base")

// UnmergedError is ErrUnmerged with the paths.
type UnmergedError struct{ Paths []string }

// Error names up to three of the paths.
func (e *UnmergedError) Error() string {
	return fmt.Sprintf("%v (%s)", ErrUnmerged, few(e.Paths))
}

// Unwrap makes errors.Is(err, ErrUnmerged) true.
func (e *UnmergedError) Unwrap() error { return ErrUnmerged }

// few is up to three names and how many more there are.
func few(names []string) string {
	text := ""
	for i, name := range names {
		if i == 3 {
			return fmt.Sprintf("%s and %d more", text, len(names)-3)
		}
		if i > 0 {
			text += ", "
		}
		text += printable(name)
	}
	return text
}
