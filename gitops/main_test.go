package gitops

import (
	"os"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("TEST_HOLD_SCRATCH"); root != "" {
		holdScratch(root)
		return
	}
	os.Exit(testkit.Main(m))
}
