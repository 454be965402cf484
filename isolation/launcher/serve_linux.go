package launcher

import (
	"sync"
	"syscall"
)

// Nanoseconds.
const (
	microsecond = 1000
	millisecond = 1000 * microsecond
	second      = 1000 * millisecond
)

// patience is how long killed processes may take to die before they are
// reported as left: one of another user, or one stuck in the kernel.
const patience = 10 * second

// Patience is the longest time between an order to kill and the report, in
// nanoseconds.
const Patience = patience + 2*second

// job is one command and everything below it.
type job struct {
	ctl control

	// mu keeps a child from being reaped, and its id from being used again,
	// while killTree walks the tree.
	mu     sync.Mutex
	leader int
	ended  bool // the leader's own end was seen
	killed bool // it was killed on order, before its end was seen
	status syscall.WaitStatus
}

// serve runs one command from the control socket.
func serve(ctl control) {
	if err := harden(); err != nil {
		ctl.fail(StageSetup, err)
		return
	}
	spec, ok := ctl.readSpec()
	if !ok {
		return
	}
	if spec.Box != nil {
		if err := enter(spec.Box); err != nil {
			ctl.send(Report{Kind: Failed, Stage: err.stage, Errno: int32(err.errno), Status: int32(err.index)})
			return
		}
	}
	if err := syscall.Chdir(spec.Dir); err != nil {
		ctl.fail(StageDir, err)
		return
	}

	j := &job{ctl: ctl}
	j.mu.Lock()
	go j.watch()
	leader, err := start(spec)
	j.leader = leader
	j.mu.Unlock()
	if err != nil {
		ctl.fail(StageExec, err)
		return
	}
	ctl.send(Report{Kind: Started, Leader: int32(leader)})

	j.wait()
	j.report(j.sweep())
}

// start executes the command with the launcher's own standard streams, in a
// session of its own, to be killed by the kernel should the launcher die.
func start(spec Spec) (int, error) {
	attr := &syscall.ProcAttr{
		Env:   spec.Env,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	}
	path := spec.Path
	if spec.Box != nil {
		var err error
		if path, err = search(path, spec.Env); err != nil {
			return 0, err
		}
	}
	pid, err := syscall.ForkExec(path, spec.Args, attr)
	if err == syscall.ENOEXEC {
		// A script without a first line that names its interpreter: the shell
		// runs it, as execvp(3) has it.
		args := append([]string{"sh", path}, spec.Args[1:]...)
		pid, err = syscall.ForkExec("/bin/sh", args, attr)
	}
	return pid, err
}

// watch kills everything on the parent's order or on its death.
func (j *job) watch() {
	j.ctl.order()

	j.mu.Lock()
	if !j.ended && j.leader > 0 {
		j.killed = true
		killTree(map[int]bool{})
	}
	j.mu.Unlock()

	// The leader itself may be beyond reach. Then wait never returns, and the
	// end is reported from here.
	sleep(patience)
	j.mu.Lock()
	if !j.ended {
		j.report(0, alive())
		syscall.Exit(0)
	}
	j.mu.Unlock()
}

// wait returns when the leader has ended. It reaps orphans meanwhile, and
// leaves the leader to be reaped by the sweep.
func (j *job) wait() {
	for {
		pid, err := waitable()
		if err == syscall.EINTR {
			continue
		}
		j.mu.Lock()
		if err != nil || pid == j.leader {
			j.ended = true
			j.mu.Unlock()
			return
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG|syscall.WALL, nil)
		j.mu.Unlock()
	}
}

// sweep kills what outlived the leader and reaps everything.
func (j *job) sweep() (survivors, left int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	seen := map[int]bool{}
	deadline, pause := now()+patience, int64(50*microsecond)
	for j.drain() {
		if killTree(seen) > 0 {
			pause = 50 * microsecond
			continue
		}
		if now() > deadline {
			return len(seen), alive()
		}
		sleep(pause)
		pause = min(2*pause, 5*millisecond)
	}
	return len(seen), 0
}

// drain reaps the children that have ended and says whether others remain.
func (j *job) drain() bool {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG|syscall.WALL, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false // ECHILD
		case pid == 0:
			return true
		case pid == j.leader:
			j.status = status
		}
	}
}

func (j *job) report(survivors, left int) {
	r := Report{Kind: Done, Leader: int32(j.leader), Status: int32(j.status), Left: int32(left)}
	if j.killed {
		r.Killed = 1 // what dies with the command has not outlived it
	} else {
		r.Survivors = int32(survivors)
	}
	j.ctl.send(r)
}
