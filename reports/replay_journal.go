package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/patchvet/patchvet/loop"
)

// checkJournal compares the ledger with the one that the journal gives.
func checkJournal(root *os.Root, ledger []byte) check {
	f, err := openRegular(root, JournalFile, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return noJournal(ledger)
	}
	if err != nil {
		return check{Unverifiable, fmt.Sprintf("journal: %v", err)}
	}
	defer f.Close()
	events, err := loop.ReadJournal(f)
	var damage *loop.JournalError
	switch {
	case errors.As(err, &damage), errors.Is(err, loop.ErrTornTail):
		return check{Mismatch, err.Error()}
	case err != nil:
		return check{Unverifiable, err.Error()}
	}
	want, err := FromEvents(events)
	switch {
	case errors.Is(err, errUnknownEvent):
		return check{Unverifiable, fmt.Sprintf("the journal was written by another version: %v", err)}
	case err != nil:
		return check{Mismatch, err.Error()}
	}
	if c := compareLedgers(want, ledger); c.verdict != Verified {
		return c
	}
	diff, err := checkDiff(root, events)
	if err != nil {
		return check{Unverifiable, err.Error()}
	}
	if diff.verdict != Verified {
		return diff
	}
	logs, err := checkEvidence(root, events)
	if err != nil {
		return check{Unverifiable, err.Error()}
	}
	if logs.verdict == Verified {
		logs.detail = "the journal is intact and gives the same ledger; " + diff.detail + "; " + logs.detail
	}
	return logs
}

// noJournal is what can be said without a journal. patchvet writes one with
// every ledger; other tools have none.
func noJournal(ledger []byte) check {
	var doc struct {
		Tool loop.Tool `json:"tool"`
	}
	if err := json.Unmarshal(ledger, &doc); err == nil && doc.Tool.Name == "patchvet" {
		return check{Unverifiable, JournalFile + " is missing, and this ledger was written with one"}
	}
	return check{Verified, "there is no " + JournalFile + " to compare with"}
}

func compareLedgers(want Ledger, ledger []byte) check {
	derived, err := EncodeLedger(want)
	if err != nil {
		return check{Unverifiable, fmt.Sprintf("journal: %v", err)}
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(derived, &a), json.Unmarshal(ledger, &b)); err != nil {
		return check{Unverifiable, fmt.Sprintf("journal: %v", err)}
	}
	if diff := firstDifference("", a, b); diff != "" {
		return check{Mismatch, fmt.Sprintf("%s differs from the journal: %s", LedgerFile, diff)}
	}
	return check{verdict: Verified}
}

// firstDifference names the first field, in the order of names, in which a
// ledger differs from what the journal gives, or "".
func firstDifference(at string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differs(at, want, got)
		}
		return firstFieldDifference(at, w, g)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differs(at, want, got)
		}
		for i := range w {
			if d := firstDifference(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if want != got {
		return differs(at, want, got)
	}
	return ""
}

func firstFieldDifference(at string, want, got map[string]any) string {
	if at != "" {
		at += "."
	}
	names := make([]string, 0, len(want))
	for name := range want {
		names = append(names, name)
	}
	for name := range got {
		if _, known := want[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case !inWant:
			return fmt.Sprintf("%s%s is %s, the journal gives no such field", at, name, brief(g))
		case !inGot:
			return fmt.Sprintf("%s%s is missing, the journal gives %s", at, name, brief(w))
		}
		if d := firstDifference(at+name, w, g); d != "" {
			return d
		}
	}
	return ""
}

func differs(at string, want, got any) string {
	return fmt.Sprintf("%s is %s, the journal gives %s", at, brief(got), brief(want))
}

// brief is a value in a few words.
func brief(v any) string {
	const most = 80
	switch v := v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "unreadable"
	}
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
