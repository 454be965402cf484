package isolation

import "syscall"

// cloneAdvice reads an error of clone(2) with new namespaces.
func cloneAdvice(errno syscall.Errno, rootless bool) string {
	switch errno {
	case syscall.ENOSPC, syscall.EUSERS:
		return "user namespaces are used up or nested too deep: raise the limit with sysctl user.max_user_namespaces=15000"
	case syscall.EPERM, syscall.EACCES:
		if !rootless {
			return "this root lacks CAP_SYS_ADMIN, as in a container: start the container with --security-opt seccomp=unconfined --cap-add SYS_ADMIN, or name a wrapper that isolates (--via)"
		}
		return "a container's filter or the system forbids user namespaces: outside of containers allow them (sysctl kernel.unprivileged_userns_clone=1), in one start it with --security-opt seccomp=unconfined, or run patchvet as root (sudo)"
	case syscall.EINVAL, syscall.ENOSYS:
		return "this kernel is built without namespaces that the box needs"
	}
	return ""
}

// mountAdvice reads an error of the steps inside.
func mountAdvice(errno syscall.Errno) string {
	switch errno {
	case syscall.EACCES, syscall.EPERM:
		return "the system restricts what a user namespace may do: on Ubuntu AppArmor does (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run patchvet with sudo), in a container its masked /proc does (--security-opt systempaths=unconfined)"
	case syscall.ENOSYS:
		return "the kernel is too old: Linux 5.12 or newer is needed (mount_setattr)"
	case syscall.EROFS, syscall.ENOTDIR:
		return "the place is not a folder that the box can make: a part of its path is a file, or a link to what the box does not show"
	case syscall.ENOENT:
		return "what is to be shown is gone, or a link on its path leads to what the box does not show"
	}
	return ""
}
