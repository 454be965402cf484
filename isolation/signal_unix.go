//go:build unix

package isolation

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName spells a signal's number: SIGKILL, or "signal 40" where it has no
// name.
func signalName(n int) string {
	if name := unix.SignalName(syscall.Signal(n)); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", n)
}
