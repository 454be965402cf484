package reports

import (
	"time"

	"github.com/patchvet/patchvet/loop"
)

// Run is what the texts are made from: the ledger and what it leaves out.
type Run struct {
	Ledger   Ledger
	Plan     loop.PlanInfo
	Gates    []Gate            // of the attempt that decided
	Changes  []loop.TreeChange // of the tree that is handed over, against the base
	Refused  []loop.Rejected   // what gates refused before any test ran
	OnBase   bool              // the base itself is handed over: there is nothing to apply
	Finished time.Time
}

// lastPhase is the phase that decided the last attempt, or "".
func (r Run) lastPhase() string {
	if n := len(r.Ledger.Attempts); n > 0 {
		return r.Ledger.Attempts[n-1].Phase
	}
	return ""
}

// ReadRun is FromEvents with what the texts need besides the ledger. It takes
// finished runs only: a run that was cut short gives an error that wraps
// ErrUnfinished.
func ReadRun(events []loop.Event) (Run, error) {
	a, err := readAccount(events)
	if err != nil {
		return Run{}, err
	}
	if a.finish == nil {
		return Run{}, ErrUnfinished
	}
	if err := checkPassed(&a); err != nil {
		return Run{}, err
	}
	r := Run{
		Ledger:   ledgerOf(&a),
		Plan:     a.start.Plan,
		Gates:    gatesOf(&a),
		Refused:  a.rejected,
		OnBase:   a.finish.Tree == a.start.Base.Tree || a.finish.Tree == "" && a.finish.Final == loop.Passed,
		Finished: a.last,
	}
	if f, ok := a.frozenAs(r.Ledger.Tree); ok {
		r.Changes = f.Changes
	}
	return r, nil
}
