package reports

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/patchvet/patchvet/loop"
)

// field is one line of a front matter.
type field struct {
	name  string
	value any
}

// frontMatter returns a YAML front matter. Values are written as JSON, which
// is YAML too, so that no text can end or change it.
func frontMatter(fields []field) (string, error) {
	var b strings.Builder
	b.WriteString("---\n")
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			return "", fmt.Errorf("front matter %s: %w", f.name, err)
		}
		fmt.Fprintf(&b, "%s: %s\n", f.name, oneLine(string(value)))
	}
	b.WriteString("---\n")
	return b.String(), nil
}

// commonFields are the front matter lines of both reports.
func commonFields(l Ledger) []field {
	proved := "not proved"
	if l.Isolation.Proved {
		proved = "proved"
	}
	return []field{
		{"outcome", l.Final},
		{"stop_reason", l.StopReason},
		{"loop_detected", l.LoopDetected},
		{"candidate_diff", l.CandidateDiff},
		{"feedback", l.Feedback},
		{"attempts", l.AttemptsRun},
		{"max_attempts", l.MaxAttempts},
		{"k", l.K},
		{"base", l.Base},
		{"tree", l.Tree},
		{"isolation", proved},
		{"run_id", l.RunID},
		{"merged", l.Merged},
	}
}

// setting is the section on what was run, on what and how.
func setting(r Run) string {
	l := r.Ledger
	rows := [][]string{{"base", code(baseWords(l))}}
	for _, c := range []struct{ name, command string }{
		{"tests", r.Plan.Tests},
		{"regression", r.Plan.Regression},
		{"reproduction", r.Plan.Reproduction},
		{"lint hook", r.Plan.LintHook},
		{"fix hook", r.Plan.FixHook},
		{"judge hook", r.Plan.JudgeHook},
	} {
		if c.command != "" {
			rows = append(rows, []string{c.name, code(c.command)})
		}
	}
	rows = append(rows,
		[]string{"protected", code(l.Protect)},
		[]string{"isolation", code(isolationWords(l.Isolation))},
		[]string{"attempts", fmt.Sprintf("%d of %d", l.AttemptsRun, l.MaxAttempts)},
		[]string{"spent", fmt.Sprintf("hook calls: %d, commands: %d, %.1f s", l.Budget.HookCalls, l.Budget.Steps, l.Budget.WallS)},
		[]string{"holdout", holdoutWords(r)},
		[]string{"control", l.Control},
		[]string{"inventory", l.Inventory},
	)
	if l.StopReason != "" {
		rows = append(rows, []string{"stop rule", string(l.StopReason)})
	}
	return table([]string{"what", "value"}, rows)
}

func gateTable(gates []Gate) string {
	var rows [][]string
	for _, g := range gates {
		rows = append(rows, []string{g.Name, prose(g.Result)})
	}
	return table([]string{"gate", "result"}, rows)
}

func attemptTable(l Ledger) string {
	if len(l.Attempts) == 0 {
		return "No attempt was judged.\n"
	}
	var rows [][]string
	for _, at := range l.Attempts {
		verdict := passedWord(at.Passed)
		if at.Flaky {
			verdict = "flaky"
		}
		rows = append(rows, []string{
			strconv.Itoa(at.Attempt), verdict, prose(at.Phase), strconv.Itoa(at.ExitCode),
			fmt.Sprintf("%d/%d", greens(at), l.K), orDash(at.Rejected), fmt.Sprintf("%.1f s", at.DurationS), code(at.Tree),
		})
	}
	return table([]string{"attempt", "verdict", "phase", "exit", "green", "rejected", "time", "tree"}, rows)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return prose(s)
}

// maxListed bounds the paths that a report lists; the journal has them all.
const maxListed = 100

// changeTable lists the changed paths of the tree that is handed over.
func changeTable(changes []loop.TreeChange) string {
	var rows [][]string
	for _, c := range changes[:min(len(changes), maxListed)] {
		rows = append(rows, []string{prose(c.Kind), code(c.Path)})
	}
	return table([]string{"change", "path"}, rows) + andMore(len(changes))
}

// reasonList lists paths with what is to be said of each.
func reasonList(paths []loop.PathReason) string {
	var b strings.Builder
	for _, p := range paths[:min(len(paths), maxListed)] {
		fmt.Fprintf(&b, "- %s: %s\n", code(p.Path), prose(p.Reason))
	}
	return b.String() + andMore(len(paths))
}

func andMore(n int) string {
	if n <= maxListed {
		return ""
	}
	return fmt.Sprintf("\nand %d more, all in %s\n", n-maxListed, JournalFile)
}

// remarks is the section on what a reviewer should know besides the verdict,
// or "".
func remarks(l Ledger) string {
	var b strings.Builder
	for _, w := range l.Warnings {
		fmt.Fprintf(&b, "- warning: %s\n", prose(w))
	}
	for _, p := range l.LeftOut {
		fmt.Fprintf(&b, "- left out of the base: %s, a repository of its own\n", code(p))
	}
	if n := len(l.Debris); n > 0 {
		fmt.Fprintf(&b, "- debris, not part of the candidate: %d paths, the first is %s\n", n, code(l.Debris[0]))
	}
	if len(l.Suspicious) > 0 {
		b.WriteString("\nLook at these before you believe the candidate:\n\n" + reasonList(l.Suspicious))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## Remarks\n\n" + strings.TrimPrefix(b.String(), "\n")
}
