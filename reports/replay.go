package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/patchvet/patchvet/loop"
)

// Result is what Replay reads from a run folder.
type Result struct {
	OutDir           string          `json:"out_dir"` // the folder as it was given
	Final            string          `json:"final"`   // "unknown" when the ledger has none
	AttemptsRun      int             `json:"attempts_run"`
	MaxAttempts      int             `json:"max_attempts"`
	K                int             `json:"k"`
	PassKDeterminism string          `json:"passk_determinism"`
	Integrity        Verdict         `json:"integrity"`
	IntegrityDetail  string          `json:"integrity_detail"`
	CandidateDiff    string          `json:"candidate_diff"`
	VigilHandoff     string          `json:"vigil_handoff"`
	Attempts         []ReplayAttempt `json:"attempts"`
}

// ReplayAttempt is one attempt as the ledger has it.
type ReplayAttempt struct {
	Attempt     int            `json:"attempt"`
	Passed      bool           `json:"passed"`
	Determinism string         `json:"determinism"`
	PassKRuns   []loop.PassRun `json:"passk_runs"`
	Phase       string         `json:"phase"`
}

// Verdict says whether a ledger is what was written.
type Verdict string

// The verdicts of Replay. Verified is said only where nothing that could be
// checked is left unchecked; a check that cannot be made gives Unverifiable.
const (
	Verified     Verdict = "VERIFIED"
	Mismatch     Verdict = "MISMATCH"
	Unverifiable Verdict = "unverifiable"
)

// Words of passk_determinism and determinism.
const (
	deterministic     = "deterministic"
	nonDeterministic  = "NON-DETERMINISTIC"
	flakyPassKSummary = "NON-DETERMINISTIC (flaky pass^k detected)"
)

// maxLedger and maxJournal bound what Replay reads, in bytes.
const (
	maxLedger  = 64 << 20
	maxJournal = 256 << 20
)

// ErrNoLedger is wrapped by Replay's error for a folder without a readable
// loop.json.
var ErrNoLedger = errors.New("give the folder of a finished run, the one that holds loop.json")

// Replay reads the ledger in a run folder and says whether it is whole: its
// bytes against the envelope, and, where there is a journal, its content
// against the journal. It runs nothing and writes nothing. Ledgers of other
// tools, with fields missing or unknown and without a journal, can be read.
//
// A ledger that was changed is no error: see Result.Integrity.
func Replay(dir string) (Result, error) {
	root, err := openFolder(dir)
	if err != nil {
		return Result{}, fmt.Errorf("replay: %w: %w", err, ErrNoLedger)
	}
	defer root.Close()
	data, err := readRegular(root, LedgerFile, maxLedger)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, noLedger(root, dir)
	}
	if err != nil {
		return Result{}, fmt.Errorf("replay %s: %w: %w", dir, err, ErrNoLedger)
	}
	doc, err := parseLedger(data)
	if err != nil {
		return Result{}, fmt.Errorf("replay %s: %s: %w: %w", dir, LedgerFile, err, ErrNoLedger)
	}
	res := doc.result()
	res.OutDir = dir
	res.Integrity, res.IntegrityDetail = judgeIntegrity(
		checkEnvelope(root, data),
		checkJournal(root, data),
	)
	return res, nil
}

// noLedger tells a run that did not finish from a folder that is none.
func noLedger(root *os.Root, dir string) error {
	if _, err := root.Lstat(JournalFile); err == nil {
		return fmt.Errorf("replay %s: there is a %s and no %s, so the run did not finish: %w", dir, JournalFile, LedgerFile, ErrNoLedger)
	}
	return fmt.Errorf("replay %s: there is no %s: %w", dir, LedgerFile, ErrNoLedger)
}
