package gitops

import (
	"os"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// TestMain runs the tests, or, as a child process of a test, what a variable
// says.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("TEST_HOLD_SCRATCH") != "":
		holdScratch(os.Getenv("TEST_HOLD_SCRATCH"))
	case os.Getenv("TEST_OPEN_HERE") != "":
		openHere()
	case os.Getenv("TEST_SNAPSHOT") != "":
		takeSnapshot(os.Getenv("TEST_SNAPSHOT"))
	default:
		os.Exit(testkit.Main(m))
	}
}
