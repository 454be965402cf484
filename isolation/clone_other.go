//go:build !linux

package isolation

import (
	"errors"
	"os"
)

// clone is not there on this system.
func clone(_, _ *os.File) error { return errors.ErrUnsupported }
