package reports

import (
	"fmt"
	"strconv"
	"strings"
)

// resultColumns heads results.tsv.
const resultColumns = "attempt\tcandidate\tpassed\tphase\texit_code\tclass\tflaky\trejected\tgreen\tk\tduration_s\ttree\n"

// Results returns results.tsv: a head line and one row an attempt. No field
// holds a tab or a line end.
func Results(l Ledger) []byte {
	var b strings.Builder
	b.WriteString(resultColumns)
	for _, at := range l.Attempts {
		fields := []string{
			strconv.Itoa(at.Attempt), strconv.Itoa(at.Candidate), strconv.FormatBool(at.Passed), oneLine(at.Phase),
			strconv.Itoa(at.ExitCode), oneLine(string(at.Class)), strconv.FormatBool(at.Flaky), oneLine(at.Rejected),
			strconv.Itoa(greens(at)), strconv.Itoa(l.K), fmt.Sprintf("%.3f", at.DurationS), oneLine(at.Tree),
		}
		b.WriteString(strings.Join(fields, "\t") + "\n")
	}
	return []byte(b.String())
}
