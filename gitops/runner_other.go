//go:build !unix

package gitops

import "os/exec"

// ownGroup leaves the command as it is: without process groups a cancelled
// context ends git itself, and the pipes that its helpers hold open are
// closed after the runner's wait delay.
func ownGroup(*exec.Cmd) {}
