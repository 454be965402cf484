package main

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/patchvet/patchvet/isolation"
)

// condition gives scripts the word native: it holds where native isolation
// proves itself.
func condition(t *testing.T) func(string) (bool, error) {
	dir := t.TempDir()
	native := sync.OnceValue(func() bool {
		box, err := isolation.New("native", isolation.Options{})
		if err != nil {
			return false
		}
		_, _, err = isolation.Prove(t.Context(), box, dir, isolation.RequiredCapabilities(), isolation.StartUp)
		return err == nil
	})
	return func(word string) (bool, error) {
		switch word {
		case "native":
			return native(), nil
		case "root":
			return os.Geteuid() == 0, nil
		}
		return false, fmt.Errorf("no condition %q", word)
	}
}
