package reports

import (
	"bytes"
	"encoding/json"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// Ledger is loop.json: how a run went and ended, for programs. Arrays are
// never null and strings never absent. Paths are as the user may type them.
type Ledger struct {
	Final             loop.Outcome   `json:"final"` // how the run ended
	AttemptsRun       int            `json:"attempts_run" jsonschema:"minimum=0"`
	MaxAttempts       int            `json:"max_attempts" jsonschema:"minimum=1"`
	K                 int            `json:"k" jsonschema:"minimum=1"` // consecutive greens that an acceptance takes
	Protect           string         `json:"protect"`                  // the --protect globs, joined by a space
	Tier              isolation.Tier `json:"tier"`                     // inferred from the spelling of --via, proves nothing
	Base              string         `json:"base"`                     // commit id where candidates start
	CandidateDiff     string         `json:"candidate_diff"`           // path, or "" when there is no diff
	Feedback          string         `json:"feedback"`                 // path of the last feedback, or "" when nothing was judged
	VigilHandoff      string         `json:"vigil_handoff"`            // path of the hand-off report, or "" when the run was accepted
	OutDir            string         `json:"out_dir"`
	Merged            bool           `json:"merged" ` // always false: nothing is applied or merged
	Attempts          []loop.Attempt `json:"attempts"`
	PassK             PassK          `json:"passk"`
	Fanout            int            `json:"fanout" jsonschema:"minimum=1"`
	SelectedCandidate int            `json:"selected_candidate" jsonschema:"minimum=0"` // 0 when candidates were tried in sequence
	RedGate           string         `json:"red_gate" jsonschema:"enum=,enum=verified-red,enum=vacuous,enum=wrong-red,enum=flaky"`
	Judge             string         `json:"judge" jsonschema:"enum=,enum=approved,enum=rejected,enum=inconclusive"` // the judge's last verdict
	TamperRejections  int            `json:"tamper_rejections" jsonschema:"minimum=0"`                               // how often edits of tests were refused
	CascadeTierUsed   string         `json:"cascade_tier_used"`

	RunID         string             `json:"run_id"`
	Tool          loop.Tool          `json:"tool"`
	Reason        string             `json:"reason"`        // one sentence on how the run ended
	StopReason    loop.Rule          `json:"stop_reason"`   // the stop rule that fired, or ""
	LoopDetected  bool               `json:"loop_detected"` // the same tree (the base's included) or the same failure came again
	Degraded      *string            `json:"degraded" jsonschema:"nullable"`
	Tree          string             `json:"tree"`          // tree id that is handed over, or ""
	BaseSnapshot  bool               `json:"base_snapshot"` // the base is the worktree with its uncommitted files
	LeftOut       []string           `json:"left_out"`      // nested repositories that a snapshot leaves out
	Warnings      []string           `json:"warnings"`
	Isolation     loop.IsolationInfo `json:"isolation"`
	Caps          []string           `json:"caps"` // capabilities of the box that a probe saw hold
	RedGateReason string             `json:"red_gate_reason"`
	Regression    string             `json:"regression" jsonschema:"enum=run,enum=not run"` // whether --regression ran on the tree
	Inventory     string             `json:"inventory" jsonschema:"enum=none"`              // source of test ids; none: exit codes decide
	Control       string             `json:"control" jsonschema:"enum=none"`                // negative control of the reporter
	HoldoutRuns   int                `json:"holdout_runs" jsonschema:"minimum=0"`
	Budget        Budget             `json:"budget"`
	Debris        []string           `json:"debris"`     // what tests and hooks left beside the candidate; not part of it
	Suspicious    []loop.PathReason  `json:"suspicious"` // what a reviewer should look at
}

// PassK is the outcome of every re-run.
type PassK struct {
	K    int        `json:"k" jsonschema:"minimum=1"`
	Runs []PassKRow `json:"runs"`
}

// PassKRow is the re-runs of one attempt.
type PassKRow struct {
	Attempt   int            `json:"attempt"`
	PassKRuns []loop.PassRun `json:"passk_runs"`
}

// Budget is what a run spent.
type Budget struct {
	Attempts  int     `json:"attempts" jsonschema:"minimum=0"`
	HookCalls int     `json:"hook_calls" jsonschema:"minimum=0"`
	Steps     int     `json:"steps" jsonschema:"minimum=0"`  // commands started in a box, hook calls included
	WallS     float64 `json:"wall_s" jsonschema:"minimum=0"` // seconds
}

// EncodeLedger returns the bytes of loop.json: one indented document and a
// newline, the same for the same ledger.
func EncodeLedger(l Ledger) ([]byte, error) { return encodeDocument(l) }

// encodeDocument escapes only what JSON demands, so that commands and paths
// stay readable.
func encodeDocument(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
