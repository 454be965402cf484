package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// takeSnapshot is what a child process does of TestSnapshotOfUnreadableFiles: it prints why
// there is no snapshot.
func takeSnapshot(dir string) {
	ctx := context.Background()
	err := func() error {
		r, err := NewRunner(ctx)
		if err != nil {
			return err
		}
		repo, err := Open(ctx, r, filepath.Join(dir, "repo"))
		if err != nil {
			return err
		}
		scratch, err := NewScratch(filepath.Join(dir, "cache"), "run")
		if err != nil {
			return err
		}
		defer scratch.Close()
		_, err = repo.Snapshot(ctx, scratch)
		return err
	}()
	if err != nil {
		fmt.Println(err)
	}
}
