package schemas

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// compile reads a committed schema with the validator, which also checks it
// against the meta-schema of its draft. Nothing is fetched from a network.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(fileName(name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource("mem:///"+name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// runFiles returns the files of one name that the tests of package reports
// keep as the right results of whole runs.
func runFiles(t *testing.T, name string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../reports/testdata/*/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 5 {
		t.Fatalf("only %d runs with a %s under reports/testdata", len(paths), name)
	}
	out := map[string][]byte{}
	for _, p := range paths {
		if out[p], err = os.ReadFile(p); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestDocumentsOfRunsAreValid(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"ledger": "loop.json", "envelope": "loop.json.envelope.json"} {
		s := compile(t, name)
		for path, data := range runFiles(t, file) {
			if err := validate(t, s, data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	s := compile(t, "journal-event")
	types := map[string]bool{}
	for path, data := range runFiles(t, "journal.jsonl") {
		for line := range bytes.Lines(data) {
			if err := validate(t, s, line); err != nil {
				t.Errorf("%s: %s: %v", path, line, err)
			}
			var ev struct{ Type string }
			if err := json.Unmarshal(line, &ev); err != nil {
				t.Fatal(err)
			}
			types[ev.Type] = true
		}
	}
	if len(types) < 10 {
		t.Errorf("the journals show only the events %v", types)
	}
}

// Feedback about real logs of every runner that is known.
func TestFeedbackOfLogsIsValid(t *testing.T) {
	t.Parallel()
	s := compile(t, "feedback")
	logs, err := filepath.Glob("../loop/feedback/testdata/*/*/log")
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) < 5 {
		t.Fatalf("only %d logs under loop/feedback/testdata", len(logs))
	}
	for _, path := range logs {
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		report, err := feedback.Localize(t.Context(), bytes.NewReader(log), feedback.Options{})
		if err != nil {
			t.Fatal(err)
		}
		doc := feedback.Build(feedback.Attempt{Number: 1, Phase: feedback.PhaseTests, Class: isolation.ClassTestFail, ExitCode: 1}, report)
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, data); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFeedbackIsValid(t *testing.T) {
	t.Parallel()
	s := compile(t, "feedback")
	data, err := json.Marshal(feedback.Feedback{
		ContractVersion: feedback.ContractVersion, Phase: feedback.PhaseTests,
		Loci: []string{"a.go:1"}, TestName: []string{}, Assertion: []string{}, RejectedPaths: []string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, s, data); err != nil {
		t.Error(err)
	}
	for from, to := range map[string]string{`"1.0"`: `"0.9"`, `["a.go:1"]`: `"a.go:1"`, `"tests"`: `"test"`, `"failing":""`: `"failing":null`} {
		if err := validate(t, s, replace(t, data, from, to)); err == nil {
			t.Errorf("%s in place of %s is valid", to, from)
		}
	}
}

func replace(t *testing.T, data []byte, from, to string) []byte {
	t.Helper()
	if !strings.Contains(string(data), from) {
		t.Fatalf("%q is not in the document", from)
	}
	return []byte(strings.Replace(string(data), from, to, 1))
}

// A schema that accepts everything would pass the tests above.
func TestWrongDocumentsAreInvalid(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ schema, file, from, to string }{
		{"ledger", "loop.json", `"final": "passed"`, `"final": "great"`},
		{"ledger", "loop.json", `"final": "passed",`, ``},
		{"ledger", "loop.json", `"merged": false`, `"merged": true`},
		{"ledger", "loop.json", `"caps": []`, `"caps": null`},
		{"ledger", "loop.json", `"degraded": null`, `"degraded": 1`},
		{"ledger", "loop.json", `"k": 2`, `"k": 0`},
		{"ledger", "loop.json", `"inventory"`, `"inventry"`},
		{"ledger", "loop.json", `"class": "test-fail"`, `"class": "red"`},
		{"envelope", "loop.json.envelope.json", `"sha256"`, `"md5"`},
		{"envelope", "loop.json.envelope.json", `"value": "`, `"value": "x`},
		{"envelope", "loop.json.envelope.json", `"ts": "`, `"ts": "at `},
		{"journal-event", "journal.jsonl", `"type":"run-started"`, `"type":"marked"`},
		{"journal-event", "journal.jsonl", `"type":"run-started"`, `"type":"begun"`},
		{"journal-event", "journal.jsonl", `"left_out":[]`, `"left_out":null`},
		{"journal-event", "journal.jsonl", `"tier":"none"`, `"tier":"some"`},
		{"journal-event", "journal.jsonl", `"run_id"`, `"id"`},
		{"journal-event", "journal.jsonl", `"seq":1`, `"seq":"1"`},
	} {
		data, err := os.ReadFile("../reports/testdata/passed/" + tc.file)
		if err != nil {
			t.Fatal(err)
		}
		if tc.schema == "journal-event" {
			data, _, _ = bytes.Cut(data, []byte("\n"))
		}
		if err := validate(t, compile(t, tc.schema), replace(t, data, tc.from, tc.to)); err == nil {
			t.Errorf("%s: %s in place of %s is valid", tc.schema, tc.to, tc.from)
		}
	}
}
