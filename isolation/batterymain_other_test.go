//go:build !linux

package isolation

// runsRow is for Linux, where the battery is.
func runsRow() bool { return false }
