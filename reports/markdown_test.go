package reports

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"", "none"},
		{"a", "`a`"},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{"a``", "``` a`` ```"},
		{" ", "`   `"},
		{"a\nb", "`a\\u000ab`"},
		{"\xff", "`\ufffd`"},
		{"|", "`|`"},
	} {
		if got := code(tc.in); got != tc.want {
			t.Errorf("code(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestTableKeepsItsColumns(t *testing.T) {
	t.Parallel()
	got := table([]string{"a", "b"}, [][]string{{code("x|y"), prose("p|q")}})
	want := "| a | b |\n| --- | --- |\n| `x\\|y` | p\\|q |\n"
	if got != want {
		t.Errorf("got %q", got)
	}
}

// No line inside a fence can close it: a closing fence has at least as many
// backticks as the opening one.
func TestFenceHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostileText().Draw(t, "text")
		lines := strings.Split(strings.TrimSuffix(fence("text", text), "\n"), "\n")
		ticks := strings.TrimSuffix(lines[0], "text")
		if lines[len(lines)-1] != ticks {
			t.Fatalf("opened with %s, closed with %s", ticks, lines[len(lines)-1])
		}
		for _, line := range lines[1 : len(lines)-1] {
			if strings.Contains(line, ticks) {
				t.Fatalf("%q closes %s", line, ticks)
			}
		}
	})
}

func TestQuotable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", maxQuotedLines+5)
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "a\nb\n", "a\nb\n"},
		{"no newline", "a\nb", "a\nb"},
		{"line ends", "a\r\nb\rc\n", "a\nb\nc\n"},
		{"colours", "\x1b[1;31mred\x1b[0m\n", "red\n"},
		{"title", "\x1b]0;x\x07a\x1b]8;;u\x1b\\b\n", "ab\n"},
		{"open sequence", "a\x1b[", "a["},
		{"tab kept, rest not", "a\tb\x00\x08\n", "a\tb\n"},
		{"bad bytes", "\xff\xfe\n", "\ufffd\n"},
		{"many lines", long, "[the beginning is left out]\n" + strings.Repeat("line\n", maxQuotedLines)},
		{"exactly as many", strings.Repeat("line\n", maxQuotedLines), strings.Repeat("line\n", maxQuotedLines)},
		{"one long line", strings.Repeat("x", maxQuotedBytes+1), "[the beginning is left out]\n" + strings.Repeat("x", maxQuotedBytes)},
		{"long line, then short", strings.Repeat("x", maxQuotedBytes) + "\nend\n", "[the beginning is left out]\nend\n"},
	} {
		if got := quotable([]byte(tc.in)); got != tc.want {
			t.Errorf("%s: got %q", tc.name, got)
		}
	}
}

func TestShellWord(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"a/b-c_1.diff", "a/b-c_1.diff"},
		{"", "''"},
		{"-x", "'-x'"},
		{"a b", "'a b'"},
		{"it's", `'it'\''s'`},
		{"$(rm)", "'$(rm)'"},
		{"~/x", "'~/x'"},
		{"ä", "'ä'"},
	} {
		if got := shellWord(tc.in); got != tc.want {
			t.Errorf("shellWord(%q) = %s, want %s", tc.in, got, tc.want)
		}
	}
}
