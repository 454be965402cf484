package isolation

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// native is the box that needs nothing installed: the launcher of this binary,
// in namespaces of its own, with a root that holds what it is given, Landlock,
// system call filters and control groups. See package launcher for the order
// of work in it.
type native struct {
	opt      NativeOptions
	uid, gid int
	rootless bool // a user namespace gives the rights for the set-up
	tools    toolFolders
	filters  [][]byte
	memory   int64
	groups   *groupRoot
	proved   bool
}

func newNative(opt NativeOptions) (Box, error) {
	filters, err := seccompFilters()
	if err != nil {
		return nil, err
	}
	n := &native{opt: opt, filters: filters, memory: defaultMemory(), tools: findTools(opt.Environ, opt.Home)}
	n.uid, n.gid, n.rootless = os.Getuid(), os.Getgid(), os.Geteuid() != 0
	if !n.rootless {
		n.uid, n.gid = unprivileged(opt.Root)
	}
	n.groups = findGroups()
	return n, nil
}

func (n *native) Describe() Description {
	return Description{Via: viaNative, Tier: TierNative, Proved: n.proved, Mounts: true, Home: nativeHome, Tmp: nativeTmp}
}

func (n *native) Run(ctx context.Context, job Job) (Result, error) {
	return run(ctx, job, TierNative, func() (program, error) {
		job.Mounts = append(slices.Clone(job.Mounts), n.further(job.Role)...)
		spec, err := n.plan(job)
		if err != nil {
			return program{}, err
		}
		if err := n.adopt(job.Mounts); err != nil {
			return program{}, err
		}
		prog := program{path: "/bin/sh", args: shellArgs(job.Command.Shell)}
		if job.Command.Shell == "" {
			prog = program{path: job.Command.Argv[0], args: job.Command.Argv, own: true}
		}
		prog.box = &boxed{spec: spec, rootless: n.rootless, network: n.network(job.Role), groups: n.groups, limits: job.Limits}
		if prog.box.limits.Memory == 0 {
			prog.box.limits.Memory = n.memory
		}
		if prog.box.limits.PIDs == 0 {
			prog.box.limits.PIDs = defaultPIDs
		}
		return prog, nil
	})
}

// further are the mounts that the user asked for.
func (n *native) further(role Role) []Mount {
	var out []Mount
	for _, path := range n.opt.ReadOnly {
		out = append(out, Mount{Source: path, Target: path, ReadOnly: true, Keep: true})
	}
	for _, path := range n.opt.Writable {
		if role == RoleHook {
			out = append(out, Mount{Source: path, Target: path, Keep: true})
		}
	}
	return out
}

func (n *native) network(role Role) bool { return slices.Contains(n.opt.Network, role) }

// unprivileged is who commands of root run as: the user behind sudo, the owner
// of the repository, or nobody. Never root itself: a process that is the
// machine's user 0 may write what only root may, whatever it is confined by.
func unprivileged(root string) (uid, gid int) {
	uid, errU := strconv.Atoi(os.Getenv("SUDO_UID"))
	gid, errG := strconv.Atoi(os.Getenv("SUDO_GID"))
	if errU == nil && errG == nil && uid > 0 && gid > 0 {
		return uid, gid
	}
	var st unix.Stat_t
	if root != "" && unix.Stat(root, &st) == nil && st.Uid > 0 && st.Gid > 0 {
		return int(st.Uid), int(st.Gid)
	}
	return nobody, nobody
}

// Adopt gives a folder to the user that commands run as, once: the folder
// itself comes last, so that its owner tells whether it was done.
func (n *native) Adopt(dir string) error {
	if n.rootless {
		return nil
	}
	if err := chownTree(dir, n.uid, n.gid); err != nil {
		return fmt.Errorf("give %s to user %d: %w", dir, n.uid, err)
	}
	return nil
}

// adopt does so with what a job mounts writable.
func (n *native) adopt(mounts []Mount) error {
	for _, m := range mounts {
		if m.ReadOnly || m.Keep {
			continue
		}
		if err := n.Adopt(m.Source); err != nil {
			return err
		}
	}
	return nil
}

// defaultMemory is half of the machine's, and at least leastMemory.
func defaultMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return leastMemory
	}
	return max(leastMemory, int64(uint64(info.Totalram)*uint64(info.Unit)/2))
}
