//go:build unix && !linux

package isolation

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts the command in a session, and so a process group, of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup kills the command's process group and says whether there was
// anything left in it.
func killGroup(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil }

func endingOf(state *os.ProcessState) ending {
	ws, ok := state.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		return ending{code: -1, signal: int(ws.Signal())}
	}
	return ending{code: state.ExitCode()}
}
