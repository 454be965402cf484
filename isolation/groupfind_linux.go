package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// findGroups looks for hierarchies in which this process may make groups, and
// removes what killed processes left there.
func findGroups() *groupRoot {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return &groupRoot{}
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return &groupRoot{}
	}
	r := readGroups(string(mounts), string(own), func(dir string) bool { return unix.Access(dir, unix.W_OK) == nil })
	r.sweep()
	return r
}

// readGroups reads proc_pid_mountinfo(5) and proc_pid_cgroup(5).
func readGroups(mountinfo, own string, writable func(dir string) bool) *groupRoot {
	paths := map[string]string{} // own group by controller; "" is version 2
	for line := range strings.Lines(own) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for _, controller := range strings.Split(f[1], ",") {
			paths[controller] = f[2]
		}
	}
	r := &groupRoot{}
	unified := ""
	for line := range strings.Lines(mountinfo) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 3 {
			continue
		}
		at := mountPoint(left[4])
		switch options := strings.Split(right[2], ","); {
		case right[0] == "cgroup" && slices.Contains(options, "memory"):
			r.memory = ownGroup(at, paths["memory"], writable)
		case right[0] == "cgroup" && slices.Contains(options, "pids"):
			r.pids = ownGroup(at, paths["pids"], writable)
		case right[0] == "cgroup2":
			unified = delegated(at, paths[""], writable)
		}
	}
	if unified != "" && r.memory == "" && r.pids == "" {
		return &groupRoot{memory: unified, unified: true}
	}
	return r
}

// ownGroup is the folder of this process's own group, or of the hierarchy's
// root where a container shows only part of it.
func ownGroup(at, path string, writable func(string) bool) string {
	for _, dir := range []string{filepath.Join(at, path), at} {
		if isDir(dir) && writable(dir) {
			return dir
		}
	}
	return ""
}

// delegated is the nearest folder, from this process's own group upwards, whose
// children have both controllers. A group that holds processes may have no such
// children, but for the root (cgroups(7), "no internal processes" rule).
func delegated(at, path string, writable func(string) bool) string {
	for dir := filepath.Join(at, path); within(dir, at); dir = filepath.Dir(dir) {
		on, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
		if err != nil {
			continue
		}
		controllers := strings.Fields(string(on))
		if slices.Contains(controllers, "memory") && slices.Contains(controllers, "pids") {
			// To move a process, the group of both its old and new place must be
			// writable too.
			if writable(dir) && writable(filepath.Join(dir, "cgroup.procs")) {
				return dir
			}
			return ""
		}
	}
	return ""
}

// mountPoint undoes the escapes of proc_pid_mountinfo(5).
func mountPoint(text string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(text)
}

// Sweep removes control groups that killed processes of patchvet left. Every
// native box begins with it, too.
func Sweep() { findGroups() }
