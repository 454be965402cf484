package reports

import (
	"fmt"
	"strings"

	"github.com/patchvet/patchvet/loop"
)

// SummaryMarkdown returns summary.md: a run in the space of a screen, for a
// pull request or a job summary.
func SummaryMarkdown(r Run) []byte {
	l := r.Ledger
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", prose(Headline(l)))
	if why := reason(l); why != "" {
		b.WriteString(prose(why) + "\n\n")
	}
	b.WriteString(attemptTable(l) + "\n" + gateTable(r.Gates))
	b.WriteString(remarks(l))
	b.WriteString("\n" + nextStep(r))
	return []byte(b.String())
}

func nextStep(r Run) string {
	l := r.Ledger
	switch {
	case l.Final != loop.Passed:
		return fmt.Sprintf("Not accepted. %s The hand-off report is %s.\n", outcomeTexts[l.Final].next, code(l.VigilHandoff))
	case r.OnBase:
		return "There is nothing to apply: the base was accepted as it is.\n"
	}
	return "To apply the candidate:\n\n" + fence("sh", applyCommand(l))
}
