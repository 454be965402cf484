//go:build unix

package feedback

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the processor time that the process has used, garbage
// collection included: the figure that other load on the machine leaves alone.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
