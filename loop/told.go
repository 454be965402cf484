package loop

import (
	"strings"

	"github.com/patchvet/patchvet/isolation"
)

// commandLine is the line that a step runs. A container engine passes no
// variable of its client on, and may show the room under another name, so
// there the line itself sets what the command is told, with the folder it runs
// in for the room. What the user passes (--hook-env) is not set this way: a
// command line is no place for a secret.
func (e *Engine) commandLine(spec stepSpec) string {
	switch e.Box.Describe().Tier {
	case isolation.TierContainer, isolation.TierMicroVM:
	default:
		return spec.command
	}
	var b strings.Builder
	for _, kv := range spec.told {
		name, value, _ := strings.Cut(kv, "=")
		b.WriteString("export " + name + "=" + roomRelative(value, spec.place.dir) + "\n")
	}
	return b.String() + spec.command
}

// roomRelative quotes a value for sh, with $PWD for the room at its start.
func roomRelative(value, room string) string {
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	if rest, ok := strings.CutPrefix(value, room); ok && (rest == "" || rest[0] == '/') {
		return `"$PWD"` + quoted(rest)
	}
	return quoted(value)
}
