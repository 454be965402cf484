package feedback

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/patchvet/patchvet/isolation"
)

// DefaultMaxBytes bounds the JSON of a Feedback.
const DefaultMaxBytes = 32 << 10

// Attempt is what is known of an attempt besides its log.
type Attempt struct {
	Number    int // the attempt that failed; 0 for the red gate
	Phase     Phase
	Class     isolation.Class
	ExitCode  int
	Passed    bool
	Flaky     bool
	FullLog   string   // path of the whole log as the hook can read it
	Rejected  []string // paths that a gate refused
	Truncated bool     // the log lacks its middle
	Redact    *Redactor
	MaxBytes  int // of the JSON; 0 for DefaultMaxBytes
}

// Build makes the document for a fix hook. Secrets are taken out; a document
// over the cap loses lines from the lists that matter least first, whole lines
// only, and says so in Truncated. The paths and the numbers are never cut, so
// that a cap below their size is not kept.
func Build(a Attempt, r Report) Feedback {
	if a.MaxBytes <= 0 {
		a.MaxBytes = DefaultMaxBytes
	}
	if a.Redact == nil {
		a.Redact = NewRedactor(nil)
	}
	clean := func(list []string) []string {
		out := make([]string, 0, len(list))
		for _, s := range list {
			out = append(out, strings.ToValidUTF8(a.Redact.Text(s), "\uFFFD"))
		}
		return out
	}
	f := Feedback{
		ContractVersion: ContractVersion,
		Attempt:         a.Number,
		Phase:           a.Phase,
		ExitCode:        a.ExitCode,
		Passed:          a.Passed,
		Flaky:           a.Flaky,
		Failing:         strings.Join(clean(r.Failing), "\n"),
		Loci:            valid(r.Loci),
		TestName:        clean(r.TestName),
		Assertion:       clean(r.Assertion),
		FullLog:         a.FullLog,
		OutputTail:      strings.Join(clean([]string{r.OutputTail}), ""),
		Class:           string(a.Class),
		RejectedPaths:   valid(a.Rejected),
		Truncated:       a.Truncated || r.Truncated,
	}
	fit(&f, a.MaxBytes)
	return f
}

// valid copies a list; bytes that are not UTF-8, as file names may have, become
// U+FFFD.
func valid(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, strings.ToValidUTF8(s, "\uFFFD"))
	}
	return out
}

// fit cuts a document to max bytes of JSON. First each list is cut to a share
// that keeps its best part, then to nothing, in the same order.
func fit(f *Feedback, max int) {
	over := encodedSize(*f) - max
	if over <= 0 {
		return
	}
	f.Truncated = true
	over = encodedSize(*f) - max
	for _, keep := range []struct{ tail, assertions, tests, rejected, failing, loci int }{
		{10, 5, 20, 50, 10, 20}, {},
	} {
		f.OutputTail = cutFront(f.OutputTail, keep.tail, &over)
		f.Assertion = cutList(f.Assertion, keep.assertions, &over)
		f.TestName = cutList(f.TestName, keep.tests, &over)
		f.RejectedPaths = cutList(f.RejectedPaths, keep.rejected, &over)
		f.Failing = cutBack(f.Failing, keep.failing, &over)
		f.Loci = cutList(f.Loci, keep.loci, &over)
	}
}

// cutFront drops the first lines of a text until over is used up or keep lines
// are left.
func cutFront(s string, keep int, over *int) string {
	for left := strings.Count(s, "\n"); *over > 0 && left > keep; left-- {
		i := strings.IndexByte(s, '\n') + 1
		*over -= encodedText(s[:i])
		s = s[i:]
	}
	return s
}

// cutBack drops the last lines of a text, which has no newline at its end.
func cutBack(s string, keep int, over *int) string {
	lines := strings.Split(s, "\n")
	for *over > 0 && len(lines) > keep {
		last := len(lines) - 1
		*over -= encodedText(lines[last]) + len(`\n`)
		lines = lines[:last]
	}
	return strings.Join(lines, "\n")
}

// cutList drops the last entries of a list.
func cutList(list []string, keep int, over *int) []string {
	for *over > 0 && len(list) > keep {
		last := len(list) - 1
		*over -= encodedText(list[last]) + len(`"",`)
		list = list[:last]
	}
	return list
}

// encode writes a document as it is stored.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func encodedSize(f Feedback) int {
	b, err := encode(f)
	if err != nil { // strings, numbers and flags always encode
		return 0
	}
	return len(b)
}

// encodedText is the size of a string in JSON without its quotes.
func encodedText(s string) int {
	b, err := encode(s)
	if err != nil {
		return len(s)
	}
	return len(b) - len("\"\"\n")
}
