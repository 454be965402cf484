package launcher

import (
	"strconv"
	"syscall"
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
	end := len(data) - 1
	for end >= 0 && data[end] != ')' {
		end--
	}
	head := fields(data[:max(end, 0)])
	if len(head) == 0 {
		return Stat{}, false
	}
	pid, err := strconv.Atoi(head[0])
	if err != nil {
		return Stat{}, false
	}
	f := fields(data[end+1:])
	const state, parent, session, threads, start = 0, 1, 3, 17, 19
	if len(f) <= start {
		return Stat{}, false
	}
	s := Stat{PID: pid, State: f[state][0]}
	var errs [4]error
	s.Parent, errs[0] = strconv.Atoi(f[parent])
	s.Session, errs[1] = strconv.Atoi(f[session])
	s.Threads, errs[2] = strconv.Atoi(f[threads])
	s.Start, errs[3] = strconv.ParseUint(f[start], 10, 64)
	return s, errs == [4]error{}
}

// fields splits at blanks and line ends.
func fields(data []byte) []string {
	var out []string
	start := -1
	for i, c := range data {
		blank := c == ' ' || c == '\n'
		switch {
		case !blank && start < 0:
			start = i
		case blank && start >= 0:
			out, start = append(out, string(data[start:i])), -1
		}
	}
	if start >= 0 {
		out = append(out, string(data[start:]))
	}
	return out
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
		if err == syscall.ENOENT && Alive(pid) {
			return childrenByScan(pid) // kernel without CONFIG_PROC_CHILDREN
		}
		for _, f := range fields(data) {
			if child, err := strconv.Atoi(f); err == nil {
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
