package reports

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Bounds of the output that a report quotes; the whole log stays beside it.
const (
	maxQuotedBytes = 64 << 10
	maxQuotedLines = 200
)

// terminalSequence matches what colours and moves a terminal's cursor: CSI and
// OSC sequences of ECMA-48.
var terminalSequence = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")

// quotable returns the end of a command's output as text that a document can
// hold: valid UTF-8, line feeds only, no control characters. It begins with a
// line that says so when something was left out.
func quotable(output []byte) string {
	tail, cut := lastLines(output)
	tail = terminalSequence.ReplaceAll(tail, nil)
	tail = bytes.ReplaceAll(tail, []byte("\r\n"), []byte("\n"))
	tail = bytes.ReplaceAll(tail, []byte("\r"), []byte("\n"))
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unsafeRune(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(tail), string(utf8.RuneError)))
	if cut {
		return "[the beginning is left out]\n" + text
	}
	return text
}

// visibleLines returns text for a document in which nothing is hidden: what a
// reviewer could not see is shown as an escape, not removed.
func visibleLines(data []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		body, ended := strings.CutSuffix(line, "\n")
		for i, part := range strings.Split(body, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(oneLine(part))
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// lastLines returns the last lines of output within the bounds, and whether
// anything is missing.
func lastLines(output []byte) (tail []byte, cut bool) {
	from := max(0, len(output)-maxQuotedBytes)
	if from > 0 {
		// Begin at a line, where there is one.
		if i := bytes.IndexByte(output[from:], '\n'); i >= 0 && from+i+1 < len(output) {
			from += i + 1
		}
	}
	end := len(output)
	if end > 0 && output[end-1] == '\n' {
		end--
	}
	at := end
	for range maxQuotedLines {
		i := bytes.LastIndexByte(output[from:at], '\n')
		if i < 0 {
			return output[from:], from > 0
		}
		at = from + i
	}
	return output[at+1:], true
}
