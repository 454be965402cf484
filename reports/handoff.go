package reports

import (
	"fmt"
	"strings"
)

// Handoff returns repair-failed-report.md, for whoever takes over where the
// run was not accepted. The output is that of the last failure as the feedback
// has it: free of secrets already, and never the holdout's or the judge's.
func Handoff(r Run, lastOutput []byte) ([]byte, error) {
	l := r.Ledger
	head, err := frontMatter(commonFields(l))
	if err != nil {
		return nil, err
	}
	text := outcomeTexts[l.Final]
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "\n# Repair failed: %s\n\n%s\n", prose(Headline(l)), text.meaning)
	if l.Reason != "" {
		fmt.Fprintf(&b, "\nReason: %s\n", prose(l.Reason))
	}
	if l.LoopDetected {
		b.WriteString("\nThe hook went in circles: the same tree or the same failure came again.\n")
	}
	b.WriteString("\n## What to do next\n\n" + text.next + "\n")
	if l.CandidateDiff != "" && !r.OnBase {
		fmt.Fprintf(&b, "The best candidate is kept in %s. It is not accepted and not applied.\n", code(l.CandidateDiff))
	}
	b.WriteString("\n## Gates\n\n" + gateTable(r.Gates))
	b.WriteString("\n## Attempts\n\n" + attemptTable(l))
	for _, ref := range r.Refused {
		fmt.Fprintf(&b, "\nRefused in attempt %d by the gate %s:\n\n%s", ref.Attempt, prose(ref.Gate), reasonList(ref.Paths))
	}
	b.WriteString("\n## Setting\n\n" + setting(r))
	b.WriteString(remarks(l))
	b.WriteString("\n## Last failure output\n\n" + outputSection(r, lastOutput))
	return []byte(b.String()), nil
}

func outputSection(r Run, output []byte) string {
	note := ""
	switch r.lastPhase() {
	case phaseHoldout:
		note = "The output of the holdout is not shown. What follows is from an earlier failure.\n\n"
	case phaseJudge:
		note = "What the judge wrote is not shown; it is in the evidence folder.\n\n"
	}
	text := quotable(output)
	if strings.TrimSpace(text) == "" {
		return note + "There is none.\n"
	}
	return note + fence("text", text)
}
