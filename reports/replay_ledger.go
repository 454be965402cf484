package reports

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/patchvet/patchvet/loop"
)

// anyLedger is a ledger of whatever tool: its fields by their exact names.
type anyLedger struct {
	final         string
	attemptsRun   int
	maxAttempts   int
	k             int
	candidateDiff string
	vigilHandoff  string
	attempts      []anyAttempt
}

type anyAttempt struct {
	Attempt   int            `json:"attempt"`
	Passed    bool           `json:"passed"`
	Phase     string         `json:"phase"`
	Flaky     bool           `json:"flaky"`
	PassKRuns []loop.PassRun `json:"passk_runs"`
}

// parseLedger reads what Replay shows. Missing and null fields get the value
// that their absence means; a field of another type is an error, because to
// show anything for it would be a guess.
func parseLedger(data []byte) (anyLedger, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return anyLedger{}, fmt.Errorf("is no JSON object: %w", err)
	}
	if fields == nil {
		return anyLedger{}, errors.New("is null, not a JSON object")
	}
	l := anyLedger{final: "unknown", k: 1}
	err := errors.Join(
		readField(fields, "attempts", &l.attempts),
		readField(fields, "final", &l.final),
		readField(fields, "max_attempts", &l.maxAttempts),
		readField(fields, "k", &l.k),
		readField(fields, "candidate_diff", &l.candidateDiff),
		readField(fields, "vigil_handoff", &l.vigilHandoff),
	)
	l.attemptsRun = len(l.attempts)
	return l, errors.Join(err, readField(fields, "attempts_run", &l.attemptsRun))
}

// readField leaves the value as it is where the field is missing or null.
func readField(fields map[string]json.RawMessage, name string, into any) error {
	raw, ok := fields[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("field %s: %w", name, err)
	}
	return nil
}

func (l anyLedger) result() Result {
	res := Result{
		Final: l.final, AttemptsRun: l.attemptsRun, MaxAttempts: l.maxAttempts, K: l.k,
		CandidateDiff: l.candidateDiff, VigilHandoff: l.vigilHandoff,
		PassKDeterminism: deterministic, Attempts: []ReplayAttempt{},
	}
	for _, at := range l.attempts {
		row := ReplayAttempt{Attempt: at.Attempt, Passed: at.Passed, Determinism: deterministic, PassKRuns: list(at.PassKRuns), Phase: at.Phase}
		if row.Phase == "" {
			row.Phase = phaseTests
		}
		if at.Flaky || disagree(at.PassKRuns) {
			row.Determinism = nonDeterministic
			res.PassKDeterminism = flakyPassKSummary
		}
		res.Attempts = append(res.Attempts, row)
	}
	return res
}

// disagree reports runs of one tree that came to different verdicts.
func disagree(runs []loop.PassRun) bool {
	for _, r := range runs {
		if r.Passed != runs[0].Passed {
			return true
		}
	}
	return false
}
