package isolation

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// groupRoot is where control groups of boxes are made (cgroups(7)): below or
// beside that of this process, so that what bounds it bounds them. Files are
// written by hand: the libraries for it bring D-Bus and eBPF, for four lines.
type groupRoot struct {
	memory, pids string // folders to make groups in; "" where it cannot be done
	unified      bool   // version 2: one folder for both
}

// group is the control group of one box.
type group struct {
	dirs   []string
	memory string // of them, the one that counts kills for memory
}

// place makes the group of a box and puts its first process in. Without a
// writable hierarchy it does nothing; the probe says that nothing is bounded.
func (r *groupRoot) place(pid int, limits Limits) (*group, error) {
	g := &group{}
	name := groupName(os.Getpid())
	type setting struct{ file, value string }
	type part struct {
		root     string
		settings []setting
	}
	memory, pids := strconv.FormatInt(limits.Memory, 10), strconv.FormatInt(limits.PIDs, 10)
	parts := []part{
		{r.memory, []setting{{"memory.limit_in_bytes", memory}}},
		{r.pids, []setting{{"pids.max", pids}}},
	}
	if r.unified {
		parts = []part{{r.memory, []setting{{"memory.max", memory}, {"pids.max", pids}}}}
	}
	for _, p := range parts {
		if p.root == "" {
			continue
		}
		dir := filepath.Join(p.root, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			g.remove()
			return nil, fmt.Errorf("make control group %s: %w", dir, err)
		}
		g.dirs = append(g.dirs, dir)
		for _, s := range p.settings {
			if err := writeGroup(dir, s.file, s.value); err != nil {
				g.remove()
				return nil, err
			}
		}
		if err := writeGroup(dir, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			g.remove()
			return nil, err
		}
		if p.root == r.memory {
			g.memory = dir
		}
	}
	if r.unified && g.memory != "" {
		// Without it the bound is on memory alone, and swap is not counted.
		_ = writeGroup(g.memory, "memory.swap.max", "0")
	}
	return g, nil
}

func writeGroup(dir, file, value string) error {
	if err := os.WriteFile(filepath.Join(dir, file), []byte(value), 0); err != nil {
		return fmt.Errorf("set up the control group: %w", err)
	}
	return nil
}

// outOfMemory says whether the kernel killed a process of the group for its
// bound (memory.oom_control of version 1, memory.events of version 2).
func (g *group) outOfMemory() bool {
	if g == nil || g.memory == "" {
		return false
	}
	for _, file := range []string{"memory.oom_control", "memory.events"} {
		data, err := os.ReadFile(filepath.Join(g.memory, file))
		if err != nil {
			continue
		}
		for line := range bytes.Lines(data) {
			if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == "oom_kill" && string(f[1]) != "0" {
				return true
			}
		}
	}
	return false
}

// remove removes the group, whose processes are dead or dying.
func (g *group) remove() {
	if g == nil {
		return
	}
	for _, dir := range g.dirs {
		for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(time.Millisecond) {
			if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) || time.Now().After(deadline) {
				break
			}
		}
	}
}

// groupPrefix marks the groups of patchvet, by process and its start.
const groupPrefix = "patchvet-"

// groupName is a new name for a group of a process.
func groupName(pid int) string {
	return fmt.Sprintf("%s%d-%d-%s", groupPrefix, pid, startOf(pid), rand.Text()[:8])
}

// sweep removes groups whose patchvet was killed. Their boxes died with it.
func (r *groupRoot) sweep() {
	for _, root := range []string{r.memory, r.pids} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(root), groupPrefix+"*"))
		if root == "" || err != nil {
			continue
		}
		for _, dir := range found {
			f := strings.Split(strings.TrimPrefix(filepath.Base(dir), groupPrefix), "-")
			if len(f) != 3 {
				continue
			}
			pid, err := strconv.Atoi(f[0])
			if err == nil && strconv.FormatUint(startOf(pid), 10) != f[1] {
				_ = unix.Rmdir(dir)
			}
		}
	}
}

// removeOf removes the groups of a process that was killed.
func (r *groupRoot) removeOf(pid int) {
	g := &group{}
	for _, root := range []string{r.memory, r.pids} {
		if root == "" {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(escapeGlob(root), fmt.Sprintf("%s%d-*", groupPrefix, pid)))
		g.dirs = append(g.dirs, found...)
	}
	g.remove()
}

// startOf is when a process began, in ticks after boot; 0 when there is none.
func startOf(pid int) uint64 {
	s, _ := launcher.ReadStat(pid)
	return s.Start
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
