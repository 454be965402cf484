package isolation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"\n\n \n":                           "",
		"one":                               "one",
		"one\ntwo\n":                        "two",
		"one\ntwo\n\n  \n":                  "two",
		"10%\r20%\r":                        "20%",
		"a\r\nb\r\n":                        "b",
		"\x1b[1;31mFAIL\x1b[0m now\n":       "FAIL now",
		"\x1b]0;title\x07text":              "text",
		"\x1b]8;;http://x\x1b\\link":        "link",
		"\u009b31mred":                      "red",
		"x\x1b":                             "x",
		"x\x1b[":                            "x",
		"tab\there":                         "tab here",
		"bell\x07 back\x08 del\x7f nul\x00": "bell back del nul",
		"bad \xff\xfe utf8 \xc3":            "bad  utf8",
		"hidden\u202e\u200b\ufeffend":       "hiddenend",
		"good\n\x1b[2J\x1b[H\n":             "good",
		"ümläut 日本":                         "ümläut 日本",
		strings.Repeat("é", 50):             strings.Repeat("é", 20),
		strings.Repeat("x", 9000) + "\nend": "end",
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := LastLine(path, 20); got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
	if got := LastLine(filepath.Join(t.TempDir(), "gone"), 20); got != "" {
		t.Errorf("got %q", got)
	}
	if got := LastLine(t.TempDir(), 20); got != "" {
		t.Errorf("got %q", got)
	}
}

func FuzzLastLine(f *testing.F) {
	for _, text := range []string{"a\nb", "\x1b[31mx\x1b[0m", "\x1b]8;;\x1b\\", "\xff\u009b1m"} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, runes int) {
		got := lastLine(text, runes)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > max(runes, 0) {
			t.Fatalf("%q: got %q", text, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q: got %q", text, got)
			}
		}
	})
}
