package isolation

import (
	"os"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// RunLauncher prepares the process for boxes: it becomes the reaper of its
// orphaned descendants, so that what remains of a command that killed its
// launcher is still found and killed. Call it first thing in main, and in
// TestMain of packages that run boxes.
//
// It reports whether main must return at once: because the process was started
// under the launcher's name and yet is none, or because it was there for a
// probe alone and has done its work. A real launcher never comes to
// main: it takes over while package launcher is initialised.
func RunLauncher() bool {
	if len(os.Args) > 0 && os.Args[0] == launcher.Name {
		return true
	}
	becomeReaper()
	if len(os.Args) == 1 && os.Args[0] == doomedName {
		doomed()
		return true
	}
	return false
}
