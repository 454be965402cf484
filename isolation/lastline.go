package isolation

import (
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LastLine returns the last line of a growing log that is not blank, fit for a
// terminal: valid UTF-8, no control characters, no escape sequences, at most
// runes long. It reads the last 4 KiB alone, and returns "" when there is
// nothing to show or the log cannot be read.
func LastLine(path string, runes int) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	buf := make([]byte, min(edge, info.Size()))
	n, _ := f.ReadAt(buf, info.Size()-int64(len(buf)))
	return lastLine(string(buf[:n]), runes)
}

// A carriage return starts a line too: progress bars redraw theirs with it.
func lastLine(text string, runes int) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if line := printable(lines[i], runes); line != "" {
			return line
		}
	}
	return ""
}

// escape matches a terminal's control sequences (ECMA-48): CSI; the strings
// OSC, DCS, SOS, PM, APC up to their terminator or the end; and the short ones.
var escape = regexp.MustCompile(`\x{9b}[0-?]*[ -/]*[@-~]?|\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)`)

// printable makes one line fit for a terminal.
func printable(line string, runes int) string {
	line = escape.ReplaceAllString(line, "")
	var out strings.Builder
	n := 0
	for _, r := range strings.TrimSpace(line) {
		if r == '\t' {
			r = ' '
		}
		// Format characters would reorder or hide what stands around them.
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		if n >= runes {
			break
		}
		out.WriteRune(r)
		n++
	}
	return strings.TrimSpace(out.String())
}
