package launcher

import "syscall"

// passes bounds the stop passes of one killTree. A caller calls it again while
// something is found, so the bound only says how soon killing starts.
const passes = 16

// killTree kills every descendant of this process and returns how many it had
// not met before. New ones that were alive are added to seen.
//
// All are stopped first, until a pass finds nobody new, and killed then: a
// process that forks faster than it is killed would otherwise stay ahead. A
// stopped process cannot fork, so its list of children, read after the stop,
// is final.
func killTree(seen map[int]bool) int {
	var found []int
	met := map[int]bool{}
	for range passes {
		fresh := 0
		walk(syscall.Getpid(), func(pid int) {
			if met[pid] {
				return
			}
			met[pid] = true
			found = append(found, pid)
			fresh++
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		})
		if fresh == 0 {
			break
		}
	}
	fresh := 0
	for _, pid := range found {
		if !seen[pid] && Alive(pid) {
			seen[pid] = true
			fresh++
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return fresh
}

// KillFrom stops and kills a process and all its descendants.
func KillFrom(root int) {
	_ = syscall.Kill(root, syscall.SIGSTOP)
	found := []int{root}
	walk(root, func(pid int) {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		found = append(found, pid)
	})
	for _, pid := range found {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// walk visits the descendants of a process, parents first. Children are listed
// after the visit of their parent. Siblings are visited before anything below
// them: the shorter the time between list and visit, the fewer have moved on.
func walk(root int, visit func(pid int)) {
	children := Children(root)
	for _, pid := range children {
		visit(pid)
	}
	for _, pid := range children {
		walk(pid, visit)
	}
}

// alive counts the living descendants of this process.
func alive() int {
	n := 0
	walk(syscall.Getpid(), func(pid int) {
		if Alive(pid) {
			n++
		}
	})
	return n
}
