package main

import (
	"fmt"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// cut shortens a line to n runes.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n])
}

func stepName(s loop.StepStarted) string {
	if s.Attempt == 0 {
		return fmt.Sprintf("base: %s, run %d", s.Phase, s.Run)
	}
	switch s.Role {
	case isolation.RoleVerify:
		return fmt.Sprintf("attempt %d: %s, run %d", s.Attempt, s.Phase, s.Run)
	case isolation.RoleHook:
		return fmt.Sprintf("fix hook, after attempt %d", s.Attempt)
	}
	return fmt.Sprintf("attempt %d: %s", s.Attempt, s.Phase)
}

func classWord(role isolation.Role, e loop.Evidence) string {
	switch e.Class {
	case isolation.ClassPass:
		return "ok"
	case isolation.ClassTestFail, isolation.ClassBuildFail, isolation.ClassError, isolation.ClassNotFound:
		if role == isolation.RoleHook || role == isolation.RoleJudge {
			return fmt.Sprintf("exit %d", e.ExitCode) // no test, so no word for one
		}
		return fmt.Sprintf("%s, exit %d", e.Class, e.ExitCode)
	}
	return string(e.Class)
}

func judgedLine(e loop.Judged) string {
	a := e.Attempt
	switch {
	case a.Passed:
		return fmt.Sprintf("attempt %d: accepted, %s", a.Attempt, count(len(a.PassKRuns), "green run"))
	case a.Rejected != "":
		return fmt.Sprintf("attempt %d: rejected: %s", a.Attempt, a.Rejected)
	case a.Flaky:
		return fmt.Sprintf("attempt %d: flaky: green and then red on the same tree", a.Attempt)
	}
	return fmt.Sprintf("attempt %d: %s is red (exit %d)", a.Attempt, a.Phase, a.ExitCode)
}

func startLine(e loop.RunStarted) string {
	base := "commit " + short(e.Base.Commit)
	if e.Base.Snapshot {
		base = "snapshot of the worktree on " + short(e.Base.Parent)
	}
	proof := "isolation: not proved"
	if e.Isolation.Proved {
		proof = "isolation: proved"
	}
	return fmt.Sprintf("base: %s; %s (%s)", base, proof, e.Isolation.Via)
}

func short(id string) string { return cut(id, 12) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
