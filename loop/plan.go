package loop

import (
	"time"

	"github.com/patchvet/patchvet/isolation"
)

// Plan is everything that decides how a run goes. It is fixed before the first
// command runs.
type Plan struct {
	Tests        string // whole-suite oracle; at least one of the three is set
	Regression   string // runs before the others; must be green on the base unless RunOnRedRegression
	Reproduction string // the tests that must go from red to green
	Holdout      string // sealed: reaches no event, file or argv that a hook could see

	FixHook   string
	LintHook  string
	JudgeHook string
	Spec      string // path of the task text handed to the hook; "" for none

	RequireRed bool
	RedClasses []isolation.Class // classes accepted as red besides ClassTestFail

	K           int  // consecutive greens, and reds of the red gate; at least 1
	FreshReruns bool // each of the k re-runs gets a clean room of its own
	MaxAttempts int  // evaluations, the base's included; at least 1

	RestartFromBase    bool // every edit room starts at the base instead of the last judged tree
	FreshContext       bool // told to the hook
	MarkOnly           bool // stop rules only mark the run (callers of "sandbox" and "eidolons")
	VetoEnds           bool // a judge's veto ends the run instead of costing the attempt
	JudgeFailedHook    bool // a tree left by a failing hook is judged
	RunOnRedRegression bool // a regression red on the base is the hook's to fix

	HookEnv        []string // NAME=value pairs passed to the fix hook on top of the allowlist
	Limits         isolation.Limits
	AllowTestEdits bool
	Protect        []string
}

// Phases returns the oracle's commands in the order in which they are judged.
func (p Plan) Phases() []Phase {
	var out []Phase
	if p.Regression != "" {
		out = append(out, Phase{Name: "regression", Command: p.Regression})
	}
	if p.Reproduction != "" {
		out = append(out, Phase{Name: "reproduction", Command: p.Reproduction})
	}
	if p.Tests != "" {
		out = append(out, Phase{Name: "tests", Command: p.Tests})
	}
	return out
}

// Target returns the phase that must be red on the base: the reproduction, or
// the whole suite where there is none.
func (p Plan) Target() Phase {
	phases := p.Phases()
	for _, ph := range phases {
		if ph.Name == "reproduction" {
			return ph
		}
	}
	return phases[len(phases)-1]
}

// Phase is one command of the oracle.
type Phase struct {
	Name    string
	Command string
}

// Defaults of a run.
const (
	DefaultK           = 2
	DefaultMaxAttempts = 3
	DefaultTimeout     = 10 * time.Minute
	DefaultMaxOutput   = int64(1) << 30
)
