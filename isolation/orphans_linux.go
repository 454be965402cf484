package isolation

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// lost cleans up after a launcher that ended without a report, which only a
// command that kills it brings about, and returns the error that says so.
func lost(l *running, leader int, started uint64) error {
	how := l.cmd.ProcessState.String()
	if leader == 0 {
		return fmt.Errorf("%w: the launcher ended before the command started (%s)", errLost, how)
	}
	killed := killOrphans(leader, started)
	rest := "everything that it left was killed"
	if !isReaper() {
		// Without orphans coming to this process, only the session tells them.
		rest = "what left its session may still run"
	}
	return fmt.Errorf("%w: the launcher that watched it was killed (%s); %d processes were left, %s", errLost, how, killed, rest)
}

// killOrphans kills what a dead launcher left behind and returns how many
// processes that were. There are two ways to know them. Those that are still
// in the command's session. And, where this process is the reaper of orphans,
// those that have become its children: launchers, git and other helpers are of
// this process's own session, which no process of a command can enter, so a
// child of another session that is younger than the lost launcher is an orphan.
func killOrphans(leader int, started uint64) int {
	own, _ := launcher.ReadStat(os.Getpid())
	reaper := isReaper()
	met := map[int]bool{}
	// Two quiet rounds: the parent of an unseen process may have died between.
	for quiet, deadline := 0, time.Now().Add(5*time.Second); quiet < 2 && time.Now().Before(deadline); {
		found := false
		for _, s := range launcher.Processes() {
			orphan := reaper && s.Parent == own.PID && s.Session != own.Session && s.Start >= started
			if s.PID == own.PID || !orphan && s.Session != leader {
				continue
			}
			if s.Dead() {
				if met[s.PID] && s.Parent == own.PID {
					_, _ = unix.Wait4(s.PID, nil, unix.WNOHANG|unix.WALL, nil)
				}
				continue
			}
			found, met[s.PID] = true, true
			launcher.KillFrom(s.PID)
		}
		if found {
			quiet = 0
		} else {
			quiet++
		}
		time.Sleep(time.Millisecond)
	}
	return len(met)
}

// becomeReaper makes orphaned descendants children of this process
// (PR_SET_CHILD_SUBREAPER, prctl(2)).
func becomeReaper() {
	// Fails on kernels before 3.4 only; isReaper tells.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

func isReaper() bool {
	var on int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&on)), 0, 0, 0)
	return err == nil && on != 0
}

// bootTicks is the time since boot in the unit of a process's start time:
// hundredths of a second (USER_HZ, time(7)).
func bootTicks() uint64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0
	}
	return uint64(ts.Nano() / (int64(time.Second) / 100))
}
