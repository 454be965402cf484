package launcher

import (
	"golang.org/x/sys/unix"
)

// stepError is a step of making a box that failed.
type stepError struct {
	stage Stage
	index int // of the mount, in StageMount
	errno unix.Errno
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
		{StageNamespace, func() error { return unix.Unshare(unix.CLONE_NEWCGROUP) }},
		{StageNamespace, func() error { return unix.Sethostname([]byte(b.Hostname)) }},
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
	} {
		if err := s.do(); err != nil {
			return &stepError{stage: s.stage, errno: errnoOf(err)}
		}
	}
	return nil
}

func errnoOf(err error) unix.Errno {
	if errno, ok := err.(unix.Errno); ok {
		return errno
	}
	return unix.EIO
}

// loopback brings the one device of a new network namespace up
// (netdevice(7), SIOCSIFFLAGS).
func loopback(want bool) error {
	if !want {
		return nil
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}
