package isolation

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// boxed is what a program's launcher needs for a native box.
type boxed struct {
	spec     *launcher.Box
	rootless bool
	network  bool // the machine's
	groups   *groupRoot
	limits   Limits
}

// plan is what the launcher makes of itself.
func (b *boxed) plan() *launcher.Box {
	if b == nil {
		return nil
	}
	return b.spec
}

// attributes are those of the launcher's process.
func (b *boxed) attributes() *syscall.SysProcAttr {
	// A process group of its own: Ctrl-C at the terminal is for patchvet, which
	// tells the launcher. Not a session: the command gets one, and each session
	// is a scheduling group (sched(7), autogroup) that waits for its first turn
	// on a busy machine.
	attr := &syscall.SysProcAttr{Setpgid: true}
	if b == nil {
		return attr
	}
	attr.Pdeathsig = unix.SIGKILL
	attr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if !b.network {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	if b.rootless {
		// To the same number: a namespace's own root would be a root to the
		// programs in it.
		uid, gid := os.Getuid(), os.Getgid()
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	}
	return attr
}

// give lets the command's user open its output again (/dev/stdout), and takes
// it back.
func (b *boxed) give(out *os.File) (takeBack func(), err error) {
	if b == nil || b.rootless {
		return func() {}, nil
	}
	if err := out.Chown(int(b.spec.UID), int(b.spec.GID)); err != nil {
		return nil, err
	}
	return func() { _ = out.Chown(os.Geteuid(), os.Getegid()) }, nil
}

// startFailure says why the namespaces of a box could not be made.
func (b *boxed) startFailure(err error) error {
	var errno syscall.Errno
	if b == nil || !errors.As(err, &errno) {
		return err
	}
	return &NativeError{Step: "make the box's namespaces", Err: errno, Advice: cloneAdvice(errno, b.rootless)}
}

// stepFailure says which step inside failed.
func (b *boxed) stepFailure(r launcher.Report) error {
	errno := syscall.Errno(r.Errno)
	e := &NativeError{Err: errno, Advice: mountAdvice(errno)}
	switch r.Stage {
	case launcher.StageNamespace:
		e.Step = "set the box's namespaces up"
	case launcher.StageRoot:
		e.Step = "make the box's root and /proc"
	case launcher.StageMount:
		e.Step = "show a folder in the box"
		if i := int(r.Status); i >= 0 && i < len(b.spec.Mounts) {
			e.Step = "show " + b.spec.Mounts[i].Target + " in the box"
		}
	case launcher.StageDrop:
		e.Step = "give up privileges"
	case launcher.StageLandlock:
		e.Step = "apply Landlock"
	case launcher.StageSeccomp:
		e.Step = "install the system call filter"
	default:
		e.Step = "set resource limits"
	}
	return e
}
