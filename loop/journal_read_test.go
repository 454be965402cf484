package loop

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// sampleJournal returns the bytes of a journal with three events.
func sampleJournal(t testing.TB) []byte {
	t.Helper()
	var out []byte
	j := Journal{now: steppingClock()}
	for _, p := range []Payload{RunStarted{RunID: "r"}, Judged{}, RunFinished{Final: Passed}} {
		line, err := j.encode(p)
		if err != nil {
			t.Fatal(err)
		}
		j.seq, j.prev = j.seq+1, lineHash(line[:len(line)-1])
		out = append(out, line...)
	}
	return out
}

func TestReadJournalDamage(t *testing.T) {
	t.Parallel()
	whole := string(sampleJournal(t))
	lines := strings.SplitAfter(whole, "\n")[:3]
	for _, tc := range []struct {
		name, data string
		line       int // of the JournalError
		reason     string
		events     int
	}{
		{"changed value", strings.Replace(whole, `"run_id":"r"`, `"run_id":"x"`, 1), 2, "was changed", 1},
		{"line cut out", lines[0] + lines[2], 2, "has seq 3 instead of 2", 1},
		{"first line cut off", lines[1] + lines[2], 1, "has seq 2 instead of 1", 0},
		{"line doubled", lines[0] + lines[0] + lines[1], 2, "has seq 1", 1},
		{"order changed", lines[1] + lines[0], 1, "has seq 2", 0},
		{"prev in the first line", strings.Replace(whole, `"prev":""`, `"prev":"00"`, 1), 1, "does not fit", 0},
		{"empty line", lines[0] + "\n" + lines[1], 2, "is no event", 1},
		{"no JSON", lines[0] + "hello\n", 2, "is no event", 1},
		{"two events in a line", strings.TrimSuffix(lines[0], "\n") + lines[1], 1, "text follows", 0},
		{"text after the event", strings.TrimSuffix(lines[0], "\n") + " \n", 1, "text follows", 0},
		{"unknown field", strings.Replace(lines[0], `"prev"`, `"more":1,"prev"`, 1), 1, "unknown field", 0},
		{"no type", strings.Replace(lines[0], `"run-started"`, `""`, 1), 1, "has no type", 0},
		{"data is no object", `{"seq":1,"at":"2026-01-02T03:04:05Z","type":"marked","prev":"","data":[]}` + "\n", 1, "has no data", 0},
		{"no data", `{"seq":1,"at":"2026-01-02T03:04:05Z","type":"marked","prev":""}` + "\n", 1, "has no data", 0},
		{"long line", lines[0] + strings.Repeat("x", MaxJournalLine+1), 2, "longer than", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			events, err := ReadJournal(strings.NewReader(tc.data))
			var damage *JournalError
			if !errors.As(err, &damage) {
				t.Fatalf("got %v, want a *JournalError", err)
			}
			if damage.Line != tc.line || !strings.Contains(damage.Reason, tc.reason) || len(events) != tc.events {
				t.Errorf("got %v after %d events, want line %d with %q after %d", err, len(events), tc.line, tc.reason, tc.events)
			}
		})
	}
}

func TestReadJournalEmpty(t *testing.T) {
	t.Parallel()
	events, err := ReadJournal(strings.NewReader(""))
	if err != nil || len(events) != 0 {
		t.Errorf("got %v, %v", events, err)
	}
}

// Every cut is seen: at a newline as a shorter journal, anywhere else as a
// torn tail. Zeros are what some file systems leave after a power cut.
func TestReadJournalTorn(t *testing.T) {
	t.Parallel()
	whole := sampleJournal(t)
	rapid.Check(t, func(t *rapid.T) {
		cut := rapid.IntRange(1, len(whole)).Draw(t, "cut")
		zeros := rapid.IntRange(0, 3).Draw(t, "zeros")
		data := append(bytes.Clone(whole[:cut]), make([]byte, zeros)...)
		events, err := ReadJournal(bytes.NewReader(data))
		if n := bytes.Count(whole[:cut], []byte("\n")); len(events) != n {
			t.Fatalf("%d events, want %d", len(events), n)
		}
		if atEnd := whole[cut-1] == '\n' && zeros == 0; atEnd != (err == nil) || !atEnd && !errors.Is(err, ErrTornTail) {
			t.Fatalf("cut at %d with %d zeros: %v", cut, zeros, err)
		}
	})
}

// No byte of any line but the last can change unseen.
func TestReadJournalSeesEveryChange(t *testing.T) {
	t.Parallel()
	whole := sampleJournal(t)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n')
	for i := range last {
		data := bytes.Clone(whole)
		data[i] ^= 1
		if _, err := ReadJournal(bytes.NewReader(data)); err == nil {
			t.Errorf("byte %d (%q) can change", i, whole[i])
		}
	}
}

func TestReadJournalReaderFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("input/output error")
	r := io.MultiReader(bytes.NewReader(sampleJournal(t)), iotest.ErrReader(broken))
	events, err := ReadJournal(r)
	if !errors.Is(err, broken) || len(events) != 3 {
		t.Errorf("got %d events, %v", len(events), err)
	}
}

func FuzzReadJournal(f *testing.F) {
	whole := sampleJournal(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte("{}\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := ReadJournal(bytes.NewReader(data))
		if err == nil && len(events) != bytes.Count(data, []byte("\n")) {
			t.Fatalf("%d events of %d lines without an error", len(events), bytes.Count(data, []byte("\n")))
		}
		var damage *JournalError
		if err != nil && !errors.Is(err, ErrTornTail) && !errors.As(err, &damage) {
			t.Fatalf("an error without a kind: %v", err)
		}
		for i, ev := range events {
			if ev.Seq != i+1 {
				t.Fatalf("event %d has seq %d", i+1, ev.Seq)
			}
			_, _ = ev.Decode()
		}
	})
}
