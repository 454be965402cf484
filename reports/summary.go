package reports

import (
	"fmt"
	"strings"

	"github.com/patchvet/patchvet/loop"
)

// Summary is what a terminal shows at the end of a run. Control characters in
// names and commands are shown as escapes.
func Summary(r Run) string {
	l := r.Ledger
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-12s %s\n", name, oneLine(text))
		}
	}
	b.WriteString(Headline(l) + "\n")
	line("reason", reason(l))
	for _, at := range l.Attempts {
		line(fmt.Sprintf("attempt %d", at.Attempt), attemptWords(at, l.K))
	}
	line("base", baseWords(l))
	line("red gate", orNotRun(l.RedGate))
	line("isolation", isolationWords(l.Isolation))
	line("judge", l.Judge)
	line("holdout", holdoutWords(r))
	line("control", l.Control)
	line("inventory", l.Inventory)
	line("stop rule", string(l.StopReason))
	for _, w := range l.Warnings {
		line("warning", w)
	}
	for _, p := range l.LeftOut {
		line("left out", p)
	}
	for _, s := range l.Suspicious {
		line("suspicious", s.Path+": "+s.Reason)
	}
	line("hand-off", l.VigilHandoff)
	for _, s := range applyLines(r) {
		line(s[0], s[1])
	}
	return b.String()
}

// reason is the run's own sentence, or that of its outcome.
func reason(l Ledger) string {
	if l.Reason != "" {
		return l.Reason
	}
	return outcomeTexts[l.Final].meaning
}

// attemptWords is one attempt in one line.
func attemptWords(at loop.Attempt, k int) string {
	words := passedWord(at.Passed) + " [" + at.Phase + "]"
	if at.Rejected != "" {
		words += " rejected: " + at.Rejected
	}
	if at.Flaky {
		words += " flaky"
	}
	return fmt.Sprintf("%s exit %d, %d/%d green, %.1f s", words, at.ExitCode, greens(at), k, at.DurationS)
}

func passedWord(passed bool) string {
	if passed {
		return "passed"
	}
	return "failed"
}

// applyLines says what is handed over and how it gets into the worktree.
func applyLines(r Run) [][2]string {
	l := r.Ledger
	switch {
	case r.OnBase:
		return [][2]string{{"candidate", "none: nothing differs from the base"}}
	case l.CandidateDiff == "":
		return [][2]string{{"candidate", "none"}}
	case l.Final != loop.Passed:
		return [][2]string{{"candidate", l.CandidateDiff + " (not accepted: read it, do not apply it unread)"}}
	}
	return [][2]string{{"candidate", l.CandidateDiff + " (not applied)"}, {"apply it", applyCommand(l)}}
}
