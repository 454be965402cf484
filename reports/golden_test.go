package reports

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// checkGolden compares data with a file under testdata, or writes it there.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./reports -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// runFolder makes the folder that a finished run leaves.
func runFolder(t testing.TB, c goldenCase) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, JournalFile), c.script.journal(t), 0o600); err != nil {
		t.Fatal(err)
	}
	in := Input{Events: c.script.events(t), Diff: []byte(c.diff), LastOutput: []byte(c.output)}
	if err := WriteAll(dir, in); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Guards every text and table of a run, byte for byte.
func TestRunFolders(t *testing.T) {
	t.Parallel()
	for _, c := range goldenCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := runFolder(t, c)
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, e := range entries {
				data, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				seen[e.Name()] = true
				checkGolden(t, c.name+"/"+e.Name(), data)
			}
			checkNoStale(t, c.name, seen)

			r, err := ReadRun(c.script.events(t))
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, c.name+"/terminal/summary.txt", []byte(Summary(r)))
			res, err := Replay(dir)
			if err != nil {
				t.Fatal(err)
			}
			res.OutDir = "DIR"
			checkGolden(t, c.name+"/terminal/replay.txt", []byte(RenderReplay(res)))
			var buf bytes.Buffer
			enc := json.NewEncoder(&buf)
			enc.SetIndent("", "  ")
			if err := enc.Encode(res); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, c.name+"/terminal/replay.json", buf.Bytes())
		})
	}
}

// checkNoStale finds golden files of documents that are not written any more.
func checkNoStale(t *testing.T, name string, seen map[string]bool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !seen[e.Name()] {
			t.Errorf("testdata/%s/%s is not written any more", name, e.Name())
		}
	}
}

// Golden files of a case that is gone would go on to count as right results.
func TestGoldenCasesExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"fuzz": true, "rapid": true}
	for _, c := range goldenCases() {
		known[c.name] = true
	}
	for _, name := range fileNames(t, "testdata") {
		if !known[name] {
			t.Errorf("testdata/%s belongs to no case", name)
		}
	}
}

// Nothing that a run leaves outside its evidence shows more of the holdout
// than its verdict and count. The journal holds the reason of the holdout's
// step and is not shown to any hook.
func TestNoTextShowsTheHoldout(t *testing.T) {
	t.Parallel()
	for _, c := range goldenCases() {
		dir := runFolder(t, c)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if e.Name() != JournalFile && strings.Contains(string(data), holdoutSecret) {
				t.Errorf("%s/%s shows the holdout", c.name, e.Name())
			}
		}
	}
}
