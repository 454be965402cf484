package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// steppingClock returns times one second apart, in a zone that is not UTC.
func steppingClock() func() time.Time {
	at := time.Date(2026, 1, 2, 5, 4, 5, 0, time.FixedZone("", 2*3600))
	return func() time.Time {
		at = at.Add(time.Second)
		return at
	}
}

func newJournal(t *testing.T) (*Journal, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, err := CreateJournal(path, steppingClock())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j, path
}

func emitAll(t *testing.T, j *Journal, payloads ...Payload) {
	t.Helper()
	for _, p := range payloads {
		if err := j.Emit(p); err != nil {
			t.Fatal(err)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestJournalRoundTrip(t *testing.T) {
	t.Parallel()
	j, path := newJournal(t)
	want := []Payload{
		RunStarted{RunID: "r1", Plan: PlanInfo{Tests: "go test ./... && echo <ok>", Protect: []string{"**/*_test.go"}}},
		StepStarted{Job: "001-tests", Attempt: 1, Phase: "tests", Run: 1},
		Judged{Attempt: Attempt{Attempt: 1, PassKRuns: []PassRun{{Run: 1, ExitCode: 1}}}},
		RunFinished{Final: Capped, Reason: "no candidate"},
	}
	emitAll(t, j, want...)
	data := readFile(t, path)
	if !bytes.Contains(data, []byte("&& echo <ok>")) {
		t.Error("the journal escapes what JSON does not demand")
	}
	if bytes.Contains(data, []byte("null")) {
		t.Errorf("the journal has a null:\n%s", data)
	}
	events, err := ReadJournal(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i, ev := range events {
		if ev.Seq != i+1 || ev.At.Location() != time.UTC {
			t.Errorf("event %d: seq %d, zone %v", i+1, ev.Seq, ev.At.Location())
		}
		got, err := ev.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(journalValue(want[i]), got); diff != "" {
			t.Errorf("event %d (-want +got):\n%s", i+1, diff)
		}
	}
	if len(events) != len(want) {
		t.Errorf("%d events, want %d", len(events), len(want))
	}
}

func TestJournalNeverContinuesAFile(t *testing.T) {
	t.Parallel()
	_, path := newJournal(t)
	if _, err := CreateJournal(path, time.Now); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it twice: %v, want fs.ErrExist", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateJournal(link, time.Now); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it through a dangling symlink: %v, want fs.ErrExist", err)
	}
}

func TestJournalKeepsBadBytesReadable(t *testing.T) {
	t.Parallel()
	j, path := newJournal(t)
	paths := []PathReason{{Path: "a\xff", Reason: "bad \xc3("}}
	emitAll(t, j, Rejected{Gate: "shape", Paths: paths})
	if paths[0].Path != "a\xff" {
		t.Error("Emit changed the engine's own value")
	}
	events, err := ReadJournal(bytes.NewReader(readFile(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	var got Rejected
	if err := json.Unmarshal(events[0].Data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Paths[0].Path != `a\xff` || got.Paths[0].Reason != `bad \xc3(` {
		t.Errorf("got %+v", got.Paths[0])
	}
}

func TestJournalRefusesALongEvent(t *testing.T) {
	t.Parallel()
	j, path := newJournal(t)
	long := RunFinished{Final: Infra, Reason: strings.Repeat("x", MaxJournalLine)}
	if err := j.Emit(long); !errors.Is(err, ErrEventTooLong) {
		t.Fatalf("got %v, want ErrEventTooLong", err)
	}
	emitAll(t, j, RunFinished{Final: Infra, Reason: "too long"})
	if events, err := ReadJournal(bytes.NewReader(readFile(t, path))); err != nil || len(events) != 1 {
		t.Errorf("%d events, %v; want the one that fits", len(events), err)
	}
}

func TestJournalTakesConcurrentEvents(t *testing.T) {
	t.Parallel()
	j, path := newJournal(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 10 {
				if err := j.Emit(Marked{Attempt: i}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if events, err := ReadJournal(bytes.NewReader(readFile(t, path))); err != nil || len(events) != 80 {
		t.Errorf("%d events, %v; want 80", len(events), err)
	}
}

func TestJournalClosed(t *testing.T) {
	t.Parallel()
	j, _ := newJournal(t)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Emit(Marked{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, want os.ErrClosed", err)
	}
}

// faultyFile writes half of a line and fails, as a full disk does.
type faultyFile struct {
	*os.File
	failWrite, failTruncate, failSync bool
	syncs                             int
}

var errDiskFull = errors.New("no space left on device")

func (f *faultyFile) Write(p []byte) (int, error) {
	if !f.failWrite {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:len(p)/2])
	return n, errDiskFull
}

func (f *faultyFile) Truncate(size int64) error {
	if f.failTruncate {
		return errDiskFull
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) Sync() error {
	f.syncs++
	if f.failSync {
		return errDiskFull
	}
	return f.File.Sync()
}

func faultyJournal(t *testing.T) (*Journal, *faultyFile) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	faulty := &faultyFile{File: f}
	return &Journal{file: faulty, now: steppingClock()}, faulty
}

func TestJournalSurvivesAFullDisk(t *testing.T) {
	t.Parallel()
	j, f := faultyJournal(t)
	emitAll(t, j, Marked{Attempt: 1})
	f.failWrite = true
	if err := j.Emit(Marked{Attempt: 2}); !errors.Is(err, errDiskFull) {
		t.Fatalf("got %v", err)
	}
	f.failWrite = false
	emitAll(t, j, Marked{Attempt: 3})
	events, err := ReadJournal(bytes.NewReader(readFile(t, f.Name())))
	if err != nil || len(events) != 2 || !bytes.Contains(events[1].Data, []byte(`"attempt":3`)) {
		t.Errorf("%d events, %v: %s", len(events), err, readFile(t, f.Name()))
	}
}

func TestJournalStopsWhenItsEndIsUnknown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		faults faultyFile
	}{
		{"cannot cut", faultyFile{failWrite: true, failTruncate: true}},
		{"cannot sync", faultyFile{failSync: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j, f := faultyJournal(t)
			f.failWrite, f.failTruncate, f.failSync = tc.faults.failWrite, tc.faults.failTruncate, tc.faults.failSync
			if err := j.Emit(RunStarted{}); !errors.Is(err, errDiskFull) {
				t.Fatalf("got %v", err)
			}
			f.failWrite, f.failTruncate, f.failSync = false, false, false
			if err := j.Emit(Marked{}); !errors.Is(err, errDiskFull) {
				t.Errorf("the next event: %v, want the first error again", err)
			}
		})
	}
}

func TestJournalSyncsWhatACrashMayNotLose(t *testing.T) {
	t.Parallel()
	j, f := faultyJournal(t)
	emitAll(t, j, RunStarted{}, StepStarted{}, StepFinished{}, RedGate{}, HookFinished{}, Frozen{}, Rejected{}, Marked{}, Judged{}, RunFinished{})
	if f.syncs != 4 {
		t.Errorf("%d syncs, want 4: run-started, step-started, judged, run-finished", f.syncs)
	}
}
