package launcher

import (
	"go/build"
	"slices"
	"testing"
)

// An import of more than these makes every command of a box start later: Go
// would initialise much of the program before the launcher takes over.
func TestImports(t *testing.T) {
	pkg, err := build.Default.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"runtime", "strconv", "sync", "syscall", "unsafe"}
	for _, path := range pkg.Imports {
		if !slices.Contains(allowed, path) {
			t.Errorf("imports %s", path)
		}
	}
}
