//go:build !linux

package isolation

// boxed is for Linux; elsewhere no program has one.
type boxed struct{}

func newNative(NativeOptions) (Box, error) { return nil, ErrNotLinux }

// Sweep has nothing to remove: control groups are for Linux.
func Sweep() {}
