package reports

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// Names of the files in a run folder that the ledger and the reports name.
const (
	JournalFile    = "journal.jsonl"
	LedgerFile     = "loop.json"
	EnvelopeFile   = "loop.json.envelope.json"
	FeedbackFile   = "feedback.json"
	DiffFile       = "candidate.diff"
	HandoffFile    = "repair-failed-report.md"
	CompletionFile = "completion-report.md"
	SummaryFile    = "summary.md"
	ResultsFile    = "results.tsv"
	JUnitFile      = "junit.xml"
)

// What the ledger says of checks that this version does not have.
const (
	noInventory = "none"
	noControl   = "none"
)

// Words of the ledger's regression.
const (
	regressionRun    = "run"
	regressionNotRun = "not run"
)

// FromEvents returns the ledger of a run. It is a pure function: the same
// events give the same ledger.
//
// For a journal that ends early the error wraps ErrUnfinished and the ledger
// holds what is known, with an empty Final. A journal that says passed without
// holding the evidence for it gives an *EvidenceError.
func FromEvents(events []loop.Event) (Ledger, error) {
	a, err := readAccount(events)
	if err != nil {
		return Ledger{}, err
	}
	l := ledgerOf(&a)
	if a.finish == nil {
		return l, ErrUnfinished
	}
	return l, checkPassed(&a)
}

func ledgerOf(a *account) Ledger {
	l := Ledger{
		MaxAttempts: a.start.Plan.MaxAttempts,
		K:           a.start.Plan.K,
		Protect:     strings.Join(a.start.Plan.Protect, " "),
		Tier:        a.start.Isolation.Tier,
		Base:        a.start.Base.Commit,
		OutDir:      a.start.OutDir,
		Fanout:      1,
		RedGate:     a.red.Verdict,

		RunID:         a.start.RunID,
		Tool:          a.start.Tool,
		LoopDetected:  loopDetected(a.marked),
		BaseSnapshot:  a.start.Base.Snapshot,
		LeftOut:       list(a.start.Base.LeftOut),
		Warnings:      list(a.start.Base.Warnings),
		Isolation:     a.start.Isolation,
		Caps:          []string{},
		RedGateReason: a.red.Reason,
		Inventory:     noInventory,
		Control:       noControl,
	}
	l.addAttempts(a)
	l.addEnd(a)
	l.Regression = regressionOn(a, l.Tree)
	l.Debris, l.Suspicious = leftBeside(a, l.Tree)
	l.Budget = spent(a)
	return l
}

func (l *Ledger) addAttempts(a *account) {
	l.Attempts = []loop.Attempt{}
	l.PassK = PassK{K: l.K, Runs: []PassKRow{}}
	for _, j := range a.judged {
		row := j.Attempt
		row.PassKRuns = list(row.PassKRuns)
		l.Attempts = append(l.Attempts, row)
		l.PassK.Runs = append(l.PassK.Runs, PassKRow{Attempt: row.Attempt, PassKRuns: row.PassKRuns})
		if j.Judge != "" {
			l.Judge = j.Judge
		}
		l.Feedback = l.path(FeedbackFile)
		if row.Rejected == rejectedTamper {
			l.TamperRejections++
		}
	}
	l.AttemptsRun = len(l.Attempts)
	for _, s := range a.started {
		if s.Role == isolation.RoleHoldout {
			l.HoldoutRuns++
		}
	}
}

func (l *Ledger) addEnd(a *account) {
	if a.finish == nil {
		return
	}
	l.Final, l.StopReason = a.finish.Final, a.finish.StopReason
	l.Reason, l.Tree = a.finish.Reason, a.finish.Tree
	// The larger count is the honest one: runs can be started and not be told of.
	l.HoldoutRuns = max(l.HoldoutRuns, a.finish.HoldoutRuns)
	if a.finish.HasDiff {
		l.CandidateDiff = l.path(DiffFile)
	}
	if l.Final != loop.Passed {
		l.VigilHandoff = l.path(HandoffFile)
	}
}

// path names a file of the run folder as the user may type it.
func (l *Ledger) path(name string) string { return filepath.Join(l.OutDir, name) }

func loopDetected(marked []loop.Marked) bool {
	return slices.ContainsFunc(marked, func(m loop.Marked) bool {
		switch m.Rule {
		case loop.RuleRepeatedTree, loop.RuleRepeatedFailure, loop.RuleEmptyCandidate:
			return true
		}
		return false
	})
}

// regressionOn says whether the regression command ran to an end on the tree
// that is handed over, or on any tree where none is.
func regressionOn(a *account, tree string) string {
	for _, s := range a.steps {
		if s.Phase == phaseRegression && (tree == "" || s.Tree == tree) {
			return regressionRun
		}
	}
	return regressionNotRun
}

// leftBeside returns debris and suspicious paths of the tree that is handed
// over, or of all that hooks left where none is.
func leftBeside(a *account, tree string) ([]string, []loop.PathReason) {
	if f, ok := a.frozenAs(tree); ok {
		return list(f.Debris), list(f.Suspicious)
	}
	debris, suspicious := []string{}, []loop.PathReason{}
	if tree != "" {
		return debris, suspicious
	}
	for _, f := range a.frozen {
		debris = append(debris, f.Debris...)
		for _, s := range f.Suspicious {
			if !slices.Contains(suspicious, s) {
				suspicious = append(suspicious, s)
			}
		}
	}
	slices.Sort(debris)
	return slices.Compact(debris), suspicious
}

// spent counts from the starts of steps, which are written before a step
// runs: a crash refunds nothing. Reused evidence has no start.
func spent(a *account) Budget {
	b := Budget{Attempts: len(a.judged), Steps: len(a.started), WallS: a.last.Sub(a.first).Seconds()}
	if a.finish != nil {
		b.WallS = a.finish.DurationS
	}
	for _, s := range a.started {
		if s.Role == isolation.RoleHook {
			b.HookCalls++
		}
	}
	return b
}

// list returns a slice that JSON writes as [] when it is empty.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}
