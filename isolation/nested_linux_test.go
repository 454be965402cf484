package isolation

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

// A box inside a box cannot be made, as in containers that forbid namespaces.
// The error says so and what to do, and nothing runs without one.
func TestNativeNested(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	b := newBattery(t)
	job := b.job(t, "box in a box")
	_, log := runJob(t, box, job)
	if !strings.Contains(log, "make the box's namespaces: operation not permitted") || !strings.Contains(log, "--via") && !strings.Contains(log, "sudo") {
		t.Errorf("log %q", log)
	}
	if !strings.Contains(log, "is ErrNoIsolation true") {
		t.Errorf("log %q", log)
	}
}

// Each refusal of the kernel that is known comes with what to do about it.
func TestNativeAdvice(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EUSERS, syscall.EPERM, syscall.EACCES, syscall.EINVAL} {
		for _, rootless := range []bool{false, true} {
			if cloneAdvice(errno, rootless) == "" {
				t.Errorf("clone: %v", errno)
			}
		}
	}
	for _, errno := range []syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.ENOSYS, syscall.EROFS, syscall.ENOENT} {
		e := &NativeError{Step: "s", Err: errno, Advice: mountAdvice(errno)}
		if e.Advice == "" || strings.Contains(e.Error(), "\n") || !errors.Is(e, errno) {
			t.Errorf("mount: %v", e)
		}
	}
}
