package isolation

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: Windows has no process groups to kill.
func ownGroup(*exec.Cmd) {}

// killGroup kills the command itself. Its children are not found.
func killGroup(cmd *exec.Cmd) bool { return cmd.Process.Kill() == nil }

func endingOf(state *os.ProcessState) ending { return ending{code: state.ExitCode()} }
