package feedback

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func readLines(t testing.TB, r io.Reader, max int) []string {
	t.Helper()
	in := newLineReader(r, max)
	var out []string
	for {
		b, err := in.next(context.Background())
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", readSize+100)
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"no end", "a\nb", []string{"a", "b"}},
		{"blank lines", "\n\n", []string{"", ""}},
		{"crlf", "a\r\nb\r\r\n", []string{"a", "b"}},
		{"progress", "10%\r50%\r100%\nok\n", []string{"100%", "ok"}},
		{"return at the end", "10%\r50%\r", []string{"50%"}},
		{"long", long + "\nnext\n", []string{strings.Repeat("a", 64), "next"}},
		{"long without end", long, []string{strings.Repeat("a", 64)}},
		{"long progress", strings.Repeat("50%\r", readSize) + "done\n", []string{"done"}},
		{"long progress, return at the end", strings.Repeat("x\r", readSize) + "\r\n", []string{"x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := readLines(t, strings.NewReader(c.in), 64); !slices.Equal(got, c.want) {
				t.Errorf("got %.200q, want %.200q", got, c.want)
			}
		})
	}
}

// TestLinesInPieces checks that it does not matter where the reads end.
func TestLinesInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\r\n \x00é")), 0, 400, -1).Draw(t, "text")
		max := rapid.IntRange(1, 50).Draw(t, "max")
		whole := cutByHand(text, max)
		for _, r := range []io.Reader{
			strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text)),
		} {
			lr := newLineReader(r, max)
			var got []string
			for {
				b, err := lr.next(context.Background())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(b))
			}
			if !slices.Equal(got, whole) {
				t.Fatalf("got %q, want %q", got, whole)
			}
		}
	})
}

// cutByHand says what the reader must give, in the plainest way.
func cutByHand(text string, max int) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if strings.HasSuffix(text, "\n") {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		shown := ""
		for _, part := range strings.Split(l, "\r") {
			if part != "" {
				shown = part
			}
		}
		lines[i] = shown[:min(len(shown), max)]
	}
	return lines
}

func TestLinesReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	in := newLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	if b, err := in.next(context.Background()); err != nil || string(b) != "a" {
		t.Fatalf("first line: %q, %v", b, err)
	}
	if _, err := in.next(context.Background()); !errors.Is(err, broken) {
		t.Fatalf("got %v, want the reader's error", err)
	}
}
