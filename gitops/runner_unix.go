//go:build unix

package gitops

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the command a process group of its own, so that a cancelled
// context ends git together with the filters and helpers that it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
