package gitops

import (
	"fmt"
	"strings"
)

// CommandError is a git command that ended with a non-zero exit.
type CommandError struct {
	Args     []string // without the options that the runner adds
	Dir      string
	ExitCode int    // -1 when a signal ended it
	Stderr   string // at most 64 KiB, in the C locale
}

// Error is one line: the command, where, its exit and git's own reason.
func (e *CommandError) Error() string {
	how := fmt.Sprintf("exit %d", e.ExitCode)
	if e.ExitCode < 0 {
		how = "killed by a signal"
	}
	where := ""
	if e.Dir != "" {
		where = " in " + printable(e.Dir)
	}
	reason := e.reason()
	if reason == "" {
		reason = "it gave no reason"
	}
	return fmt.Sprintf("git %s%s: %s: %s", subcommand(e.Args), where, how, reason)
}

// reason is the line of standard error that says why: the first that git
// marks as fatal or as an error, else the last one.
func (e *CommandError) reason() string {
	last := ""
	for line := range strings.Lines(e.Stderr) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal: ") || strings.HasPrefix(line, "error: ") {
			return printable(line)
		}
		if line != "" {
			last = line
		}
	}
	return printable(last)
}

// subcommand is the word of a git argument list that names the command.
func subcommand(args []string) string {
	if len(args) == 0 {
		return "(no command)"
	}
	return printable(args[0])
}

// printable keeps a message on one line and its terminal unharmed: text with
// control bytes or broken UTF-8 comes back quoted.
func printable(s string) string {
	quoted := fmt.Sprintf("%q", s)
	if plain := quoted[1 : len(quoted)-1]; plain == s {
		return s
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
		return s
	}
	return quoted
}
