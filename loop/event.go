package loop

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/patchvet/patchvet/isolation"
)

// Event is one line of the journal. Seq counts from 1; Prev is the SHA-256 of
// the line before, in hex, so that a cut or edited journal is seen.
type Event struct {
	Seq  int             `json:"seq"`
	At   time.Time       `json:"at"`
	Type EventType       `json:"type"`
	Prev string          `json:"prev"`
	Data json.RawMessage `json:"data"`
}

// EventType names the payload of an event.
type EventType string

// The events of a run. Each names the struct that its data decodes to.
const (
	EventRunStarted   EventType = "run-started"   // RunStarted
	EventStepStarted  EventType = "step-started"  // StepStarted
	EventStepFinished EventType = "step-finished" // StepFinished
	EventRedGate      EventType = "red-gate"      // RedGate
	EventHookFinished EventType = "hook-finished" // HookFinished
	EventFrozen       EventType = "frozen"        // Frozen
	EventRejected     EventType = "rejected"      // Rejected
	EventJudged       EventType = "judged"        // Judged
	EventMarked       EventType = "marked"        // Marked
	EventRunFinished  EventType = "run-finished"  // RunFinished
)

// Payload is the data of an event.
type Payload interface{ EventType() EventType }

// Tool names the program that wrote the journal.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// BaseInfo describes where candidates start.
type BaseInfo struct {
	Commit     string   `json:"commit"`
	Tree       string   `json:"tree"`
	Snapshot   bool     `json:"snapshot"` // taken from the dirty worktree
	Parent     string   `json:"parent"`   // HEAD when the snapshot was taken
	LeftOut    []string `json:"left_out"`
	Submodules []string `json:"submodules"`
	Warnings   []string `json:"warnings"`
}

// IsolationInfo says what box a run used.
type IsolationInfo struct {
	Via    string         `json:"via"`
	Tier   isolation.Tier `json:"tier"`
	Proved bool           `json:"proved"`
}

// PlanInfo is the part of a plan that may be read by anyone. The holdout's
// command is not.
type PlanInfo struct {
	Tests          string   `json:"tests"`
	Regression     string   `json:"regression"`
	Reproduction   string   `json:"reproduction"`
	FixHook        string   `json:"fix_hook"`
	LintHook       string   `json:"lint_hook"`
	JudgeHook      string   `json:"judge_hook"`
	Holdout        bool     `json:"holdout"` // whether there is one
	RequireRed     bool     `json:"require_red"`
	RedClasses     []string `json:"red_classes"`
	K              int      `json:"k"`
	FreshReruns    bool     `json:"fresh_reruns"`
	MaxAttempts    int      `json:"max_attempts"`
	RestartFrom    string   `json:"restart_from"` // "last" or "base"
	FreshContext   bool     `json:"fresh_context"`
	MarkOnly       bool     `json:"mark_only"`
	AllowTestEdits bool     `json:"allow_test_edits"`
	Protect        []string `json:"protect"`
	TimeoutS       float64  `json:"timeout_s"`
	MaxOutput      int64    `json:"max_output"`
}

// RunStarted opens the journal.
type RunStarted struct {
	RunID     string        `json:"run_id"`
	Tool      Tool          `json:"tool"`
	OutDir    string        `json:"out_dir"` // as the user may type it
	Base      BaseInfo      `json:"base"`
	Isolation IsolationInfo `json:"isolation"`
	Plan      PlanInfo      `json:"plan"`
}

// StepStarted is written before a command runs, so that a crash shows which
// one was in flight.
type StepStarted struct {
	Job     string         `json:"job"`     // "003-reproduction", also the folder under evidence/
	Attempt int            `json:"attempt"` // 0 for the red gate
	Role    isolation.Role `json:"role"`
	Phase   string         `json:"phase"` // red-gate, tests, regression, reproduction, hook, lint, judge, holdout
	Run     int            `json:"run"`   // 1..k
	Tree    string         `json:"tree"`
}

// Evidence is what one execution left.
type Evidence struct {
	Class       isolation.Class `json:"class"`
	ExitCode    int             `json:"exit_code"`
	Signal      string          `json:"signal"`
	DurationS   float64         `json:"duration_s"`
	Log         string          `json:"log"`        // relative to the run folder
	LogSHA256   string          `json:"log_sha256"` // of the log as it stands there, hex; "" where there is none
	OutputBytes int64           `json:"output_bytes"`
	Truncated   bool            `json:"truncated"`
	Survivors   int             `json:"survivors"`
	Reason      string          `json:"reason"`
}

// StepFinished closes a step.
type StepFinished struct {
	StepStarted
	Evidence Evidence `json:"evidence"`
	Reused   bool     `json:"reused"` // evidence of an earlier step for the same tree and command
}

// RedGate is the verdict of the red gate.
type RedGate struct {
	Verdict string `json:"verdict"` // verified-red, vacuous, wrong-red, flaky
	Reason  string `json:"reason"`
}

// HookFinished says what a fix hook call came to.
type HookFinished struct {
	Attempt  int    `json:"attempt"` // the attempt that failed before this call
	Call     int    `json:"call"`    // 1..
	ExitCode int    `json:"exit_code"`
	Result   string `json:"result"` // edited, unchanged, abstained, infra, failed
}

// TreeChange is a changed path of a frozen tree.
type TreeChange struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // added, modified, deleted, type, mode
}

// PathReason names a path and one sentence about it.
type PathReason struct {
	Path   string `json:"path"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Frozen names what a hook left.
type Frozen struct {
	Attempt    int          `json:"attempt"` // the attempt that will judge the tree
	Tree       string       `json:"tree"`
	Changes    []TreeChange `json:"changes"`    // at most MaxListed; the tree has them all
	Debris     []string     `json:"debris"`     // at most MaxListed
	Suspicious []PathReason `json:"suspicious"` // at most MaxListed
	Total      FrozenTotal  `json:"total"`
}

// MaxListed bounds each list of paths in an event, so that no hook can make a
// line of the journal that no reader takes.
const MaxListed = 10000

// FrozenTotal is how many paths there are of each sort, listed or not.
type FrozenTotal struct {
	Changes    int `json:"changes"`
	Debris     int `json:"debris"`
	Suspicious int `json:"suspicious"`
}

// Rejected says which paths a gate refused before any test ran.
type Rejected struct {
	Attempt int          `json:"attempt"`
	Gate    string       `json:"gate"`  // protect, test-tamper, shape
	Paths   []PathReason `json:"paths"` // at most MaxListed
	Total   int          `json:"total"` // of the refused paths
}

// PassRun is one of the k runs of an attempt.
type PassRun struct {
	Run      int  `json:"run"`
	Passed   bool `json:"passed"`
	ExitCode int  `json:"exit_code"`
}

// Attempt is one evaluation of a tree, a row of the ledger.
type Attempt struct {
	Attempt   int             `json:"attempt"`
	Candidate int             `json:"candidate"` // 0 in iterate mode
	Passed    bool            `json:"passed"`
	ExitCode  int             `json:"exit_code"`
	DurationS float64         `json:"duration_s"`
	Phase     string          `json:"phase"` // the phase that decided
	Flaky     bool            `json:"flaky"`
	PassKRuns []PassRun       `json:"passk_runs"`
	Rejected  string          `json:"rejected"` // "", test-tamper, protected-tests-mutated, shape, lint, hook-failed, judge-rejected, reward-hacked, inconclusive
	Tree      string          `json:"tree"`
	Class     isolation.Class `json:"class"`
}

// Judged closes an attempt.
type Judged struct {
	Attempt Attempt `json:"attempt"`
	Judge   string  `json:"judge"`   // "", approved, rejected, inconclusive
	Holdout string  `json:"holdout"` // "", passed, failed, inconclusive
}

// Marked says that a stop rule fired.
type Marked struct {
	Attempt int    `json:"attempt"`
	Rule    Rule   `json:"rule"`
	Detail  string `json:"detail"`
}

// RunFinished closes the journal.
type RunFinished struct {
	Final       Outcome `json:"final"`
	StopReason  Rule    `json:"stop_reason"`
	Tree        string  `json:"tree"`   // the accepted tree, or the best kept candidate; "" for none
	Reason      string  `json:"reason"` // one sentence, what to do next where there is something
	HasDiff     bool    `json:"has_diff"`
	DiffSHA256  string  `json:"diff_sha256"` // of candidate.diff, hex; "" where there is none
	DurationS   float64 `json:"duration_s"`
	HoldoutRuns int     `json:"holdout_runs"`
}

// EventType implements Payload.
func (RunStarted) EventType() EventType { return EventRunStarted }

// EventType implements Payload.
func (StepStarted) EventType() EventType { return EventStepStarted }

// EventType implements Payload.
func (StepFinished) EventType() EventType { return EventStepFinished }

// EventType implements Payload.
func (RedGate) EventType() EventType { return EventRedGate }

// EventType implements Payload.
func (HookFinished) EventType() EventType { return EventHookFinished }

// EventType implements Payload.
func (Frozen) EventType() EventType { return EventFrozen }

// EventType implements Payload.
func (Rejected) EventType() EventType { return EventRejected }

// EventType implements Payload.
func (Judged) EventType() EventType { return EventJudged }

// EventType implements Payload.
func (Marked) EventType() EventType { return EventMarked }

// EventType implements Payload.
func (RunFinished) EventType() EventType { return EventRunFinished }

// Decode returns the payload of an event. It fails on a type that this
// version does not know and on data that does not fit the type.
func (e Event) Decode() (Payload, error) {
	switch e.Type {
	case EventRunStarted:
		return decode[RunStarted](e)
	case EventStepStarted:
		return decode[StepStarted](e)
	case EventStepFinished:
		return decode[StepFinished](e)
	case EventRedGate:
		return decode[RedGate](e)
	case EventHookFinished:
		return decode[HookFinished](e)
	case EventFrozen:
		return decode[Frozen](e)
	case EventRejected:
		return decode[Rejected](e)
	case EventJudged:
		return decode[Judged](e)
	case EventMarked:
		return decode[Marked](e)
	case EventRunFinished:
		return decode[RunFinished](e)
	}
	return nil, fmt.Errorf("journal event %d: unknown type %q", e.Seq, e.Type)
}

func decode[T Payload](e Event) (Payload, error) {
	var v T
	if err := json.Unmarshal(e.Data, &v); err != nil {
		return nil, fmt.Errorf("journal event %d (%s): %w", e.Seq, e.Type, err)
	}
	return v, nil
}
