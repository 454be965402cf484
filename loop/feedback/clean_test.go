package feedback

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a\tb  ", "a\tb"},
		{"color", "\x1b[1;31mFAIL\x1b[0m x", "FAIL x"},
		{"color in an old form", "\x1b[38:2:255:0:0mred\x1b[m", "red"},
		{"title", "\x1b]0;window\x07text", "text"},
		{"title with ST", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"title without an end hides nothing", "\x1b]0;--- FAIL: TestX", "0;--- FAIL: TestX"},
		{"charset", "\x1b(Btext", "text"},
		{"broken sequence", "\x1b[12\x00text", "text"},
		{"lone escape", "text\x1b", "text"},
		{"NUL and BEL", "a\x00b\x07c", "abc"},
		{"backspace", "|\b/\b-\bdone", "done"},
		{"backspace at the start", "\b\bx", "x"},
		{"backspace over a wide character", "é\bx", "x"},
		{"not UTF-8", "a\xff\xfeb", "a\uFFFD\uFFFDb"},
		{"C1 control", "a\u009bb", "ab"},
		{"UTF-8", "höhe ✓ 日本", "höhe ✓ 日本"},
		{"cursor home overwrites", "   working\x1b[77G1/2\x1b[1G ✓ done\x1b[K", " ✓ done"},
		{"cursor home at the end", "text\x1b[G", "text"},
		{"line erased", "old\x1b[2Knew", "new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var w cleaner
			if got, _ := w.clean([]byte(c.in)); string(got) != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCleanIsAlwaysPlainUTF8(t *testing.T) {
	t.Parallel()
	var w cleaner
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOf(rapid.Byte()).Draw(t, "line")
		got, _ := w.clean(in)
		if !utf8.Valid(got) || strings.ContainsFunc(string(got), func(r rune) bool { return r != '\t' && isControl(r) }) {
			t.Fatalf("%q became %q", in, got)
		}
	})
}

func TestCutRunes(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"", "a", "a", "aé", "aé"} {
		if got := cutRunes("aé日", n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
		if got := string(clip([]byte("aé日"), n)); got != want {
			t.Errorf("clip to %d bytes: %q, want %q", n, got, want)
		}
	}
	if got := shorten("日本語日本語", 10); got != "日本…" || len(got) > 10 {
		t.Errorf("got %q", got)
	}
}
