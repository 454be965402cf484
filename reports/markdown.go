package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// code returns text as a Markdown code span in which nothing is interpreted.
// Empty text gives "none".
func code(text string) string {
	if text == "" {
		return "none"
	}
	text = oneLine(text)
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	// CommonMark strips one space from both ends; the span needs them where
	// the text begins or ends in a backtick.
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// prose returns text that Markdown shows as it is, in one line.
func prose(text string) string {
	return proseEscapes.Replace(oneLine(text))
}

var proseEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "&", `\&`,
)

// fence returns text as a fenced code block that the text cannot end.
func fence(info, text string) string {
	ticks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return ticks + info + "\n" + text + ticks + "\n"
}

// oneLine makes text safe for one line of a terminal or a document: control
// characters, line ends and direction overrides are shown as escapes.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, string(utf8.RuneError)) {
		if unsafeRune(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// table returns a Markdown table. Cells are Markdown already; a bar in them
// would end the cell, also in a code span (GitHub Flavored Markdown, 4.10).
func table(head []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n")
	b.WriteString(strings.Repeat("| --- ", len(head)) + "|\n")
	for _, row := range rows {
		for _, cell := range row {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}
