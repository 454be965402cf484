//go:build !linux

package isolation

import "testing"

// addNative adds nothing: native boxes are for Linux.
func addNative(*testing.T, map[string]Box) {}
