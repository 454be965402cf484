package launcher

import (
	"syscall"
	"unsafe"
)

// stepError is a step of making a box that failed.
type stepError struct {
	stage Stage
	index int // of the mount, in StageMount
	errno syscall.Errno
}

func (e *stepError) Error() string { return e.errno.Error() }

// enter turns this process and its main thread into the first of a box. What
// the thread gets from no_new_privs on is for the command, which inherits it
// (clone(2)); the launcher's other threads only have it where the kernel or the
// order of work makes it so. They run nothing of the command's.
func enter(b *Box) *stepError {
	steps := []struct {
		stage Stage
		do    func() error
	}{
		// Only now: the launcher was put into its control group after its start,
		// and a namespace shows the group in which it was made as the root.
		{StageNamespace, func() error { return syscall.Unshare(cloneNewCgroup) }},
		{StageNamespace, func() error { return syscall.Sethostname([]byte(b.Hostname)) }},
		{StageNamespace, func() error { return loopback(b.Loopback) }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return &stepError{stage: s.stage, errno: errnoOf(err)}
		}
	}
	if err := makeRoot(b.Mounts); err != nil {
		return err
	}
	for _, s := range []struct {
		stage Stage
		do    func() error
	}{
		{StageDrop, func() error { return drop(b) }},
		{StageLandlock, func() error { return landlock(b.Mounts) }},
		{StageSeccomp, func() error { return filters(b.Filters) }},
		{StageLimits, func() error { return limit(b.Limits) }},
	} {
		if err := s.do(); err != nil {
			return &stepError{stage: s.stage, errno: errnoOf(err)}
		}
	}
	return nil
}

func errnoOf(err error) syscall.Errno {
	if errno, ok := err.(syscall.Errno); ok {
		return errno
	}
	return syscall.EIO
}

// loopback brings the one device of a new network namespace up
// (netdevice(7), SIOCSIFFLAGS).
func loopback(want bool) error {
	if !want {
		return nil
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	// struct ifreq: the name of the device, and its flags.
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	return call(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
}
