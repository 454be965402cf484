//go:build !linux

package isolation

import "errors"

// boxed is for Linux; elsewhere no program has one.
type boxed struct{}

// errNativeLinux says that this system has no native box.
var errNativeLinux = errors.New("--via native: this system has no namespaces: native isolation is for Linux; give a wrapper's command line, such as --via 'docker run ... sh -c'")

func newNative(NativeOptions) (Box, error) { return nil, errNativeLinux }
