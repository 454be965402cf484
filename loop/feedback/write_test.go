package feedback

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteAndParse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "feedback.json")
	f := Build(Attempt{Number: 1, Phase: PhaseTests}, Report{Loci: []string{"a<b>&.go:3"}, OutputTail: "höhe\n"})
	if err := Write(path, f); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(data), "a<b>&.go:3") {
		t.Error("paths are escaped for HTML, so that no grep finds them")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestWriteFillsNilLists(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.json")
	if err := Write(path, Feedback{ContractVersion: ContractVersion, Phase: PhaseLint}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("%s", data)
	}
	if _, err := Parse(data); err != nil {
		t.Error(err)
	}
}

func TestWriteRefusesWhatNoHookCouldRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f.json")
	for name, f := range map[string]Feedback{
		"no version":       {Phase: PhaseTests},
		"no phase":         {ContractVersion: ContractVersion},
		"negative attempt": {ContractVersion: ContractVersion, Phase: PhaseTests, Attempt: -1},
		"log not nameable": {ContractVersion: ContractVersion, Phase: PhaseTests, FullLog: "a\xff"},
	} {
		if err := Write(path, f); !errors.Is(err, ErrNotFeedback) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestWriteKeepsTheOldFile: a failed write leaves the older document whole and
// no temporary file.
func TestWriteKeepsTheOldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(dir, "feedback.json")
	if err := os.MkdirAll(filepath.Join(target, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(target, Build(Attempt{Phase: PhaseTests}, Report{})); err == nil {
		t.Fatal("wrote over a folder")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := Write(filepath.Join(dir, "no", "such", "folder"), Build(Attempt{Phase: PhaseTests}, Report{})); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestReadersNeverSeeAPart reads while documents of different sizes are written.
func TestReadersNeverSeeAPart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "feedback.json")
	small := Build(Attempt{Phase: PhaseTests}, Report{})
	large := Build(Attempt{Phase: PhaseTests}, Report{OutputTail: strings.Repeat("text\n", 2000)})
	if err := Write(path, small); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 50 {
			f := small
			if i%2 == 0 {
				f = large
			}
			if err := Write(path, f); err != nil {
				t.Error(err)
			}
		}
	})
	for range 200 {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(data); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	good, err := encode(Build(Attempt{Phase: PhaseTests}, Report{}))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(good, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range fieldNames() {
		cut := map[string]any{}
		for k, v := range fields {
			if k != name {
				cut[k] = v
			}
		}
		data, err := json.Marshal(cut)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(data); !errors.Is(err, ErrNotFeedback) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, data := range []string{
		"", "null", "[]", "{", strings.Replace(string(good), `"1.0"`, `"2.0"`, 1),
		strings.Replace(string(good), `"loci": []`, `"loci": null`, 1), strings.Replace(string(good), `"attempt": 0`, `"attempt": "0"`, 1),
	} {
		if _, err := Parse([]byte(data)); !errors.Is(err, ErrNotFeedback) {
			t.Errorf("%.40q: %v", data, err)
		}
	}
}

// TestFieldNamesAreComplete keeps the list of required fields and the struct
// together.
func TestFieldNamesAreComplete(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range reflect.TypeFor[Feedback]().NumField() {
		names = append(names, reflect.TypeFor[Feedback]().Field(i).Tag.Get("json"))
	}
	if diff := cmp.Diff(names, fieldNames()); diff != "" {
		t.Error(diff)
	}
}
