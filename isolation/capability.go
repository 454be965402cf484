package isolation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Capability is one thing that a box holds or does not.
type Capability string

// The capabilities that a probe looks at, in the order of its table.
const (
	WritesConfined   Capability = "writes-confined"    // nothing outside the job's folders can be changed
	ReadsConfined    Capability = "reads-confined"     // the user's files cannot be read
	ParentHidden     Capability = "parent-hidden"      // processes outside cannot be seen or ended
	NetworkDenied    Capability = "network-denied"     // no server outside can be reached
	PIDsContained    Capability = "pids-contained"     // nothing outlives the command
	KilledWithParent Capability = "killed-with-parent" // nothing outlives patchvet
	MemoryBounded    Capability = "memory-bounded"
	CPUBounded       Capability = "cpu-bounded"
	PIDsBounded      Capability = "pids-bounded"
	DiskBounded      Capability = "disk-bounded"
	SecretsAbsent    Capability = "secrets-absent"    // only variables that the job names
	NoNewPrivileges  Capability = "no-new-privileges" // neither root, nor a way to become it
	CommandsWork     Capability = "commands-work"     // what tests do still works
)

// Capabilities are all of them.
func Capabilities() []Capability {
	return []Capability{
		WritesConfined, ReadsConfined, ParentHidden, NetworkDenied, PIDsContained, KilledWithParent, MemoryBounded,
		CPUBounded, PIDsBounded, DiskBounded, SecretsAbsent, NoNewPrivileges, CommandsWork,
	}
}

// RequiredCapabilities are those without which nothing runs.
func RequiredCapabilities() []Capability {
	return []Capability{WritesConfined, NetworkDenied, KilledWithParent, CommandsWork}
}

// Attempts says how much a probe tries.
type Attempts int

const (
	// StartUp is what every run can afford: all but the memory bomb, unless
	// that is required. The kernel writes a report of each kill for memory to
	// the console, and a slow one takes a tenth of a second for it.
	StartUp Attempts = iota
	All
)

// HeldWord says what a probe saw of a capability.
type HeldWord string

// The answers of a probe.
const (
	Held     HeldWord = "held"
	NotHeld  HeldWord = "not-held"
	NotTried HeldWord = "not-tried" // counts like not held
)

// Finding is one row of a probe's table.
type Finding struct {
	Capability Capability `json:"capability"`
	Held       HeldWord   `json:"held"`
	Why        string     `json:"why"` // what was tried and seen, or why nothing was
}

// Table is what a probe saw, a row a capability.
type Table []Finding

// Of returns the row of a capability.
func (t Table) Of(c Capability) Finding {
	for _, f := range t {
		if f.Capability == c {
			return f
		}
	}
	return Finding{Capability: c, Held: NotTried, Why: "no probe was run"}
}

// Missing are those of want that did not hold.
func (t Table) Missing(want []Capability) []Finding {
	var out []Finding
	for _, c := range want {
		if f := t.Of(c); f.Held != Held {
			out = append(out, f)
		}
	}
	return out
}

// untried is a table of a box that no attempt was made in.
func untried(why string) Table {
	var t Table
	for _, c := range Capabilities() {
		t = append(t, Finding{c, NotTried, why})
	}
	return t
}

// UnprovedError says that a box did not hold what it must. Nothing may run in
// it. It is an ErrNoIsolation.
type UnprovedError struct {
	Via     string
	Missing []Finding // at least one, unless Err is set
	Err     error     // the box could not even be made
}

func (e *UnprovedError) Error() string {
	what := ""
	if e.Err != nil {
		what = strings.TrimPrefix(e.Err.Error(), ErrNotStarted.Error()+": ")
	} else {
		var rows []string
		for _, f := range e.Missing {
			rows = append(rows, fmt.Sprintf("%s %s (%s)", f.Capability, strings.ReplaceAll(string(f.Held), "-", " "), f.Why))
		}
		what = strings.Join(rows, "; ")
	}
	return fmt.Sprintf("no adequate isolation: --via %s did not prove itself here: %s; name a wrapper that isolates (--via 'WRAPPER ... sh -c'), or allow running on this machine without any isolation (--allow-unsafe-host)", e.Via, what)
}

// Is makes every unproved box a missing isolation.
func (e *UnprovedError) Is(target error) bool { return errors.Is(target, ErrNoIsolation) }

func (e *UnprovedError) Unwrap() error { return e.Err }

// ParseCapabilities reads a list of names.
func ParseCapabilities(names []string) ([]Capability, error) {
	var out []Capability
	for _, name := range names {
		c := Capability(strings.TrimSpace(name))
		if !slices.Contains(Capabilities(), c) {
			return nil, fmt.Errorf("%q is no capability: must be one of %v", name, Capabilities())
		}
		out = append(out, c)
	}
	return out, nil
}
