package isolation

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// plan is the box of one job.
func (n *native) plan(job Job) (*launcher.Box, error) {
	owner := fmt.Sprintf(",uid=%d,gid=%d", n.uid, n.gid)
	mounts := []launcher.Mount{
		{Kind: launcher.MountProc, Target: "/proc"},
		{Kind: launcher.MountTmpfs, Target: "/dev", Options: "mode=0755,size=64k"},
		{Kind: launcher.MountTmpfs, Target: "/dev/shm", Options: "mode=1777,size=" + sharedSize},
		{Kind: launcher.MountPTS, Target: "/dev/pts", Options: "newinstance,ptmxmode=0666,mode=0620"},
		{Kind: launcher.MountTmpfs, Target: "/run", Options: "mode=0755,size=16m"},
		{Kind: launcher.MountTmpfs, Target: nativeTmp, Options: "mode=1777,size=" + tmpSize},
		{Kind: launcher.MountTmpfs, Target: nativeHome, Options: "mode=0700,size=" + homeSize + owner},
		{Kind: launcher.MountFolder, Target: "/var"},
		{Kind: launcher.MountLink, Source: nativeTmp, Target: "/var/tmp"},
		{Kind: launcher.MountLink, Source: "/run", Target: "/var/run"},
	}
	for link, target := range map[string]string{
		"ptmx": "pts/ptmx", "fd": "/proc/self/fd",
		"stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		mounts = append(mounts, launcher.Mount{Kind: launcher.MountLink, Source: target, Target: "/dev/" + link})
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if path := "/dev/" + name; exists(path) {
			mounts = append(mounts, launcher.Mount{Kind: launcher.MountDevice, Source: path, Target: path})
		}
	}
	own := len(mounts)
	for _, path := range systemFolders {
		if m, ok := systemMount(path); ok {
			mounts = append(mounts, m)
		}
	}
	for _, m := range job.Mounts {
		target := filepath.Clean(m.Target)
		if !filepath.IsAbs(target) || slices.ContainsFunc(mounts, func(at launcher.Mount) bool { return within(at.Target, target) }) {
			return nil, &PlaceError{Target: target}
		}
	}
	mounts = append(mounts, n.tools.outside(job.Mounts)...)
	if job.Named {
		job.Mounts = append(job.Mounts, n.namedMounts(job.Command.Shell, job.Mounts, mounts)...)
	}
	if n.network(job.Role) {
		mounts = append(mounts, resolverMount()...)
	}
	mounts = append(mounts, n.hidden(mounts[own:], job.Mounts)...)
	for _, m := range job.Mounts {
		kind := launcher.MountWritable
		if m.ReadOnly {
			kind = launcher.MountReadOnly
		}
		mounts = append(mounts, launcher.Mount{Kind: kind, Source: m.Source, Target: filepath.Clean(m.Target)})
	}
	// What lies in another comes after it.
	slices.SortStableFunc(mounts, func(a, b launcher.Mount) int { return strings.Compare(a.Target, b.Target) })
	return &launcher.Box{
		UID: int32(n.uid), GID: int32(n.gid), Hostname: "patchvet", Loopback: !n.network(job.Role),
		Mounts: mounts, Limits: n.rlimits(job.Limits), Filters: n.filters,
	}, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// systemMount shows a folder of the system, or the same link to another.
func systemMount(path string) (launcher.Mount, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return launcher.Mount{}, false
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return launcher.Mount{Kind: launcher.MountLink, Source: target, Target: path}, err == nil
	}
	return launcher.Mount{Kind: launcher.MountReadOnly, Source: path, Target: path}, info.IsDir()
}

// resolverMount shows the resolver's file, which may be a link out of /etc.
func resolverMount() []launcher.Mount {
	real, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil || within(real, "/etc") || within(real, "/usr") {
		return nil
	}
	return []launcher.Mount{{Kind: launcher.MountReadOnly, Source: real, Target: real}}
}

// hidden covers what no command may see and what lies in a folder that it does.
// What a job mounts stands before that already, and is the job's.
func (n *native) hidden(shown []launcher.Mount, jobs []Mount) []launcher.Mount {
	var out []launcher.Mount
	replaced := func(path string) bool {
		return slices.ContainsFunc(jobs, func(m Mount) bool { return within(path, m.Target) })
	}
	for _, dir := range n.opt.Hide {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() || replaced(dir) || !slices.ContainsFunc(shown, func(m launcher.Mount) bool { return within(dir, m.Target) }) {
			continue
		}
		out = append(out, launcher.Mount{Kind: launcher.MountTmpfs, Target: filepath.Clean(dir), Options: "mode=0755,size=1m"})
	}
	for _, file := range n.tools.secrets {
		if replaced(file) {
			continue
		}
		out = append(out, launcher.Mount{Kind: launcher.MountEmpty, Target: file})
	}
	return out
}

// rlimits are bounds a process. Memory is bounded by a control group alone:
// address space is reserved by the gigabyte in Go, the JVM and sanitizers. The
// number of processes is counted per user, which in a user namespace of its own
// is the box (setrlimit(2), RLIMIT_NPROC).
func (n *native) rlimits(l Limits) []launcher.Rlimit {
	out := []launcher.Rlimit{
		{Resource: unix.RLIMIT_CORE, Value: 0},
		{Resource: unix.RLIMIT_FSIZE, Value: largestFile},
		{Resource: unix.RLIMIT_MSGQUEUE, Value: 64 << 10},
	}
	if n.rootless {
		pids := uint64(defaultPIDs)
		if l.PIDs > 0 {
			pids = uint64(l.PIDs)
		}
		out = append(out, launcher.Rlimit{Resource: unix.RLIMIT_NPROC, Value: pids})
	}
	return out
}
