package isolation

import (
	"fmt"
	"path/filepath"
	"syscall"
)

// NativeError says which step of making a native box the machine refused, and
// what to do about it.
type NativeError struct {
	Step   string
	Err    syscall.Errno
	Advice string // "" when nothing is known
}

func (e *NativeError) Error() string {
	text := fmt.Sprintf("native isolation: %s: %v", e.Step, e.Err)
	if e.Advice != "" {
		text += ": " + e.Advice
	}
	return text
}

func (e *NativeError) Unwrap() error { return e.Err }

// PlaceError says that a job's folder cannot be shown where it is to be.
type PlaceError struct{ Target string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("native isolation cannot show a folder at %s, where the box has folders of its own: move the repository to one below, such as %s", e.Target, filepath.Join(e.Target, "work"))
}
