package reports

import (
	"fmt"
	"strings"

	"github.com/patchvet/patchvet/loop"
)

// Headline is the first line of every text: the outcome, and in the same
// breath what it does not rest on.
func Headline(l Ledger) string {
	var parts []string
	if l.Final == loop.Passed {
		word := "passed"
		if l.Inventory == noInventory {
			word += " (exit code only)"
		}
		parts = append(parts, word)
		if l.Regression == regressionNotRun {
			parts = append(parts, "regression: not run")
		}
	} else {
		parts = append(parts, fmt.Sprintf("%s (not accepted)", l.Final))
	}
	if !l.Isolation.Proved {
		parts = append(parts, "isolation: not proved")
	}
	return strings.Join(parts, ", ")
}

// isolationWords says what box ran the commands and whether that is known.
func isolationWords(i loop.IsolationInfo) string {
	proved := "not proved"
	if i.Proved {
		proved = "proved"
	}
	return fmt.Sprintf("%s (via %s)", proved, i.Via)
}

// holdoutWords counts the runs of the sealed holdout.
func holdoutWords(r Run) string {
	switch n := r.Ledger.HoldoutRuns; {
	case !r.Plan.Holdout:
		return "none"
	case n == 1:
		return "1 run"
	default:
		return fmt.Sprintf("%d runs", n)
	}
}

// baseWords names the base as a reader of git knows it.
func baseWords(l Ledger) string {
	if l.BaseSnapshot {
		return l.Base + " (snapshot of the worktree)"
	}
	return l.Base
}

// applyCommand is the shell line that applies the candidate.
func applyCommand(l Ledger) string { return "git apply " + shellWord(l.CandidateDiff) }

// shellWord quotes a word for a POSIX shell where that is needed.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+=:,@%", r)
	}
	if word != "" && word[0] != '-' && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
