package launcher

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// Stat is what /proc says about a process (proc_pid_stat(5)).
type Stat struct {
	PID, Parent, Session int
	State                byte   // R, S, D, T, Z ...
	Threads              int    //
	Start                uint64 // clock ticks after boot
}

// Dead says that a process only waits to be reaped. One whose first thread has
// ended but others run shows state Z too, and is alive.
func (s Stat) Dead() bool { return (s.State == 'Z' || s.State == 'X') && s.Threads <= 1 }

// ReadStat reads one process. False when it is gone.
func ReadStat(pid int) (Stat, bool) {
	data, err := readFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Stat{}, false
	}
	return parseStat(data)
}

// parseStat reads a line of the form `pid (name) state ppid ...`. The name is
// the process's choice and may hold anything, also parentheses and spaces.
func parseStat(data []byte) (Stat, bool) {
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return Stat{}, false
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(data[:open])))
	if err != nil {
		return Stat{}, false
	}
	f := bytes.Fields(data[end+1:])
	const state, parent, session, threads, start = 0, 1, 3, 17, 19
	if len(f) <= start {
		return Stat{}, false
	}
	s := Stat{PID: pid, State: f[state][0]}
	var errs [4]error
	s.Parent, errs[0] = strconv.Atoi(string(f[parent]))
	s.Session, errs[1] = strconv.Atoi(string(f[session]))
	s.Threads, errs[2] = strconv.Atoi(string(f[threads]))
	s.Start, errs[3] = strconv.ParseUint(string(f[start]), 10, 64)
	return s, errs == [4]error{}
}

// Alive says whether a process exists and has not ended.
func Alive(pid int) bool {
	s, ok := ReadStat(pid)
	return ok && !s.Dead()
}

// Children lists the children of all threads of a process, also those that
// have ended and were not reaped.
func Children(pid int) []int {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := readDir(tasks)
	if err != nil {
		return nil
	}
	var out []int
	for _, tid := range threads {
		data, err := readFile(tasks + "/" + tid + "/children")
		if err == unix.ENOENT && Alive(pid) {
			return childrenByScan(pid) // kernel without CONFIG_PROC_CHILDREN
		}
		for _, f := range bytes.Fields(data) {
			if child, err := strconv.Atoi(string(f)); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}

// childrenByScan finds the children of a process by asking all processes for
// their parent.
func childrenByScan(parent int) []int {
	var out []int
	for _, s := range Processes() {
		if s.Parent == parent {
			out = append(out, s.PID)
		}
	}
	return out
}

// Processes reads every process of the machine that is visible.
func Processes() []Stat {
	names, _ := readDir("/proc")
	var out []Stat
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, ok := ReadStat(pid); ok {
			out = append(out, s)
		}
	}
	return out
}
