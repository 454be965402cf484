package reports

import (
	"errors"
	"fmt"
	"time"

	"github.com/patchvet/patchvet/loop"
)

// ErrUnfinished says that a journal has no run-finished event: the run was
// killed, or is still going on.
var ErrUnfinished = errors.New("the journal does not say how the run ended")

// ErrNoRun says that a journal does not begin with a run-started event.
var ErrNoRun = errors.New("the journal does not begin with the start of a run")

// errUnknownEvent is wrapped by errors about events that this version cannot
// read.
var errUnknownEvent = errors.New("unknown event")

// account is the events of a run, sorted by what they are.
type account struct {
	start    loop.RunStarted
	started  []loop.StepStarted
	steps    []loop.StepFinished
	red      loop.RedGate
	frozen   []loop.Frozen
	rejected []loop.Rejected
	judged   []loop.Judged
	marked   []loop.Marked
	finish   *loop.RunFinished // nil for a run that was cut short

	first, last time.Time // of the first and the last event
}

// readAccount sorts the events of one run. It refuses an order that no run
// has.
func readAccount(events []loop.Event) (account, error) {
	var a account
	if len(events) == 0 || events[0].Type != loop.EventRunStarted {
		return a, ErrNoRun
	}
	a.first, a.last = events[0].At, events[len(events)-1].At
	for i, ev := range events {
		payload, err := ev.Decode()
		if err != nil {
			return a, fmt.Errorf("%w: %w", errUnknownEvent, err)
		}
		if a.finish != nil {
			return a, fmt.Errorf("journal event %d (%s) follows the end of the run", ev.Seq, ev.Type)
		}
		if ev.Type == loop.EventRunStarted && i > 0 {
			return a, fmt.Errorf("journal event %d starts a second run", ev.Seq)
		}
		a.add(payload)
	}
	return a, nil
}

func (a *account) add(payload loop.Payload) {
	switch p := payload.(type) {
	case loop.RunStarted:
		a.start = p
	case loop.StepStarted:
		a.started = append(a.started, p)
	case loop.StepFinished:
		a.steps = append(a.steps, p)
	case loop.RedGate:
		a.red = p
	case loop.Frozen:
		a.frozen = append(a.frozen, p)
	case loop.Rejected:
		a.rejected = append(a.rejected, p)
	case loop.Judged:
		a.judged = append(a.judged, p)
	case loop.Marked:
		a.marked = append(a.marked, p)
	case loop.RunFinished:
		a.finish = &p
	}
}

// lastJudged returns the attempt that decided, or the zero value when none was
// judged.
func (a *account) lastJudged() loop.Judged {
	if len(a.judged) == 0 {
		return loop.Judged{}
	}
	return a.judged[len(a.judged)-1]
}

// frozenAs returns what a hook left that became the given tree.
func (a *account) frozenAs(tree string) (loop.Frozen, bool) {
	for i := len(a.frozen) - 1; i >= 0; i-- {
		if a.frozen[i].Tree == tree {
			return a.frozen[i], true
		}
	}
	return loop.Frozen{}, false
}
