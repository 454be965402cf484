package reports

import (
	"fmt"
	"strings"
)

// RenderReplay returns the text that a terminal shows for a replayed run.
func RenderReplay(r Result) string {
	var b strings.Builder
	line := func(name, text string) {
		fmt.Fprintf(&b, "  %-14s %s\n", name, oneLine(text))
	}
	fmt.Fprintf(&b, "replay of %s (nothing is run)\n", oneLine(r.OutDir))
	line("final", r.Final)
	line("attempts", fmt.Sprintf("%d of %d", r.AttemptsRun, r.MaxAttempts))
	for _, at := range r.Attempts {
		line(fmt.Sprintf("attempt %d", at.Attempt), replayWords(at))
	}
	line("k", fmt.Sprint(r.K))
	line("pass^k", r.PassKDeterminism)
	if r.CandidateDiff != "" {
		line("candidate", r.CandidateDiff+" (not applied)")
	}
	if r.VigilHandoff != "" {
		line("hand-off", r.VigilHandoff)
	}
	line("integrity", fmt.Sprintf("%s (%s)", r.Integrity, r.IntegrityDetail))
	return b.String()
}

// replayWords says deterministic only where there were runs to compare.
func replayWords(at ReplayAttempt) string {
	words := fmt.Sprintf("%s [%s]", passedWord(at.Passed), at.Phase)
	if n := len(at.PassKRuns); n > 1 {
		words += fmt.Sprintf(", %s in %d runs", at.Determinism, n)
	} else if at.Determinism != deterministic {
		words += ", " + at.Determinism
	}
	return words
}
