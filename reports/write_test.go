package reports

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/patchvet/patchvet/loop"
)

func fileNames(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteAllWritesOneReport(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		script *script
		report string
	}{
		{passedScript(), CompletionFile},
		{cappedScript(), HandoffFile},
	} {
		dir := t.TempDir()
		if err := WriteAll(dir, Input{Events: tc.script.events(t)}); err != nil {
			t.Fatal(err)
		}
		want := []string{JUnitFile, LedgerFile, EnvelopeFile, ResultsFile, SummaryFile, tc.report}
		slices.Sort(want)
		if got := fileNames(t, dir); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestWriteAllOfAnUnfinishedRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events := passedScript().events(t)
	if err := WriteAll(dir, Input{Events: events[:len(events)-1]}); !errors.Is(err, ErrUnfinished) {
		t.Errorf("got %v", err)
	}
	if names := fileNames(t, dir); len(names) > 0 {
		t.Errorf("it left %v", names)
	}
}

// A symlink that stands at a name is replaced: what it points to is not touched.
func TestWriteAllDoesNotFollowSymlinks(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{LedgerFile, SummaryFile} {
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteAll(dir, Input{Events: passedScript().events(t)}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "precious" {
		t.Errorf("the symlink's target now holds %q, %v", data, err)
	}
	if info, err := os.Lstat(filepath.Join(dir, LedgerFile)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}

func TestWriteAllNamesTheFileThatFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ResultsFile, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := WriteAll(dir, Input{Events: passedScript().events(t)})
	if err == nil || !strings.Contains(err.Error(), ResultsFile) {
		t.Errorf("got %v", err)
	}
	for _, name := range fileNames(t, dir) {
		if strings.HasSuffix(name, ".tmp") || name == LedgerFile {
			t.Errorf("it left %s", name)
		}
	}
	if err := WriteAll(filepath.Join(dir, "missing"), Input{Events: passedScript().events(t)}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
}

// Text that no JSON, YAML, XML, table or fence can hold as it is.
func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"`", "```", "|", "\n", "\r", "---\n", "# ", "<b>", "]]>", "&", "\"", "'", "\\", "\x00", "\x1b[2J", "\xff", "\u202e", "\u2028", "\ufffe", "\t", "word", " ",
		}), 0, 12).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// Whatever the texts of a run hold, every document keeps its form.
func TestDocumentsKeepTheirForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		evil := hostileText().Draw(rt, "text")
		s := newScript(func(st *loop.RunStarted) {
			st.OutDir, st.Plan.Tests, st.Isolation.Via = evil, evil, evil
			st.Base.Warnings, st.Plan.Protect = []string{evil}, []string{evil}
		})
		s.judged(1, evil, func(j *loop.Judged) { j.Attempt.Phase, j.Attempt.Rejected = evil, evil })
		s.end(loop.Capped, "", func(f *loop.RunFinished) { f.Reason = evil })
		docs, err := documents(Input{Events: s.memoryEvents(rt), LastOutput: []byte(evil)})
		if err != nil {
			rt.Fatal(err)
		}
		read := func(name string) string {
			return string(docs[slices.IndexFunc(docs, func(d document) bool { return d.name == name })].data)
		}
		if !json.Valid([]byte(read(LedgerFile))) || !json.Valid([]byte(read(EnvelopeFile))) {
			rt.Fatal("the ledger or its envelope is no JSON")
		}
		if err := xml.Unmarshal([]byte(read(JUnitFile)), new(junitSuite)); err != nil {
			rt.Fatalf("junit.xml: %v", err)
		}
		rows := strings.Split(strings.TrimSuffix(read(ResultsFile), "\n"), "\n")
		if len(rows) != 2 || strings.Count(rows[0], "\t") != strings.Count(rows[1], "\t") {
			rt.Fatalf("results.tsv has lost its form: %q", rows)
		}
		checkFrontMatter(rt, read(HandoffFile))
		for _, name := range []string{HandoffFile, SummaryFile} {
			if i := strings.IndexFunc(read(name), func(r rune) bool { return r != '\n' && r != '\t' && unsafeRune(r) }); i >= 0 {
				rt.Fatalf("%s has an unsafe character at %d", name, i)
			}
		}
	})
}

// checkFrontMatter reads the front matter as YAML's subset: a name and a JSON
// value a line.
func checkFrontMatter(t *rapid.T, doc string) {
	body, ok := strings.CutPrefix(doc, "---\n")
	head, _, found := strings.Cut(body, "\n---\n")
	if !ok || !found {
		t.Fatal("there is no front matter")
	}
	lines := strings.Split(head, "\n")
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ": ")
		if !ok || !json.Valid([]byte(value)) {
			t.Fatalf("front matter line %q (%s)", line, name)
		}
	}
	if len(lines) != 13 {
		t.Fatalf("%d lines of front matter, want 13", len(lines))
	}
}
