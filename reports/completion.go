package reports

import (
	"fmt"
	"strings"
)

// maxInlineDiff bounds the diff that a completion report quotes, in bytes.
const maxInlineDiff = 32 << 10

// Completion returns completion-report.md, for whoever reviews an accepted
// candidate. The diff is that of candidate.diff.
func Completion(r Run, diff []byte) ([]byte, error) {
	l := r.Ledger
	head, err := frontMatter(commonFields(l))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "\n# %s\n", prose(Headline(l)))
	if l.Reason != "" {
		fmt.Fprintf(&b, "\n%s\n", prose(l.Reason))
	}
	b.WriteString("\n## What was not checked\n\n" + unchecked(r))
	b.WriteString("\n## Candidate\n\n" + candidate(r, diff))
	b.WriteString("\n## Gates\n\n" + gateTable(r.Gates))
	b.WriteString("\n## Attempts\n\n" + attemptTable(l))
	b.WriteString("\n## Setting\n\n" + setting(r))
	b.WriteString(remarks(l))
	return []byte(b.String()), nil
}

// unchecked lists what an acceptance does not rest on.
func unchecked(r Run) string {
	l := r.Ledger
	var b strings.Builder
	item := func(missing bool, text string) {
		if missing {
			b.WriteString("- " + text + "\n")
		}
	}
	item(l.Inventory == noInventory, "No inventory of tests: the exit codes of the commands decided.")
	item(l.Control == noControl, "No negative control: a test runner that lies would not have been noticed.")
	item(l.Regression == regressionNotRun, "No regression command was run apart from the tests.")
	item(l.RedGate == "", "No red gate: nothing shows that the tests failed for the bug.")
	item(!l.Isolation.Proved, "The isolation of the commands was not proved on this machine.")
	item(!r.Plan.Holdout, "No sealed holdout.")
	item(r.Plan.JudgeHook == "", "No judge.")
	item(r.Plan.LintHook == "", "No lint hook.")
	item(r.Plan.AllowTestEdits, "Edits of tests were allowed: review them by hand.")
	if b.Len() == 0 {
		return "Nothing that this version can check was left out.\n"
	}
	return b.String()
}

func candidate(r Run, diff []byte) string {
	l := r.Ledger
	if r.OnBase {
		return "There is nothing to apply: the base was accepted as it is.\n"
	}
	out := fmt.Sprintf("%s, %d bytes, tree %s. Nothing was applied or merged. To apply it:\n\n", code(l.CandidateDiff), len(diff), code(l.Tree))
	out += fence("sh", applyCommand(l)) + "\n" + changeTable(r.Changes)
	if len(diff) == 0 || len(diff) > maxInlineDiff {
		return out
	}
	return out + "\n" + fence("diff", visibleLines(diff))
}
