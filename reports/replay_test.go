package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/patchvet/patchvet/loop"
)

// editFile replaces text in a file of a run folder; the text must be there.
func editFile(t testing.TB, dir, name, from, to string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(from)) {
		t.Fatalf("%s does not contain %q", name, from)
	}
	writeFile(t, dir, name, strings.Replace(string(data), from, to, 1))
}

func writeFile(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// reseal writes an envelope that fits the ledger as it is now.
func reseal(t testing.TB, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, LedgerFile))
	if err != nil {
		t.Fatal(err)
	}
	env, err := encodeDocument(Seal(data, "0.1.0", fixedTime, "x"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, EnvelopeFile, string(env))
}

func TestReplayIntegrity(t *testing.T) {
	t.Parallel()
	sha := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, LedgerFile))
		if err != nil {
			t.Fatal(err)
		}
		return Seal(data, "", fixedTime, "").Integrity.Value
	}
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   Verdict
		detail string
	}{
		{"untouched", func(*testing.T, string) {}, Verified, "sha256 and size match envelope; the journal is intact"},
		{"final changed", func(t *testing.T, dir string) { editFile(t, dir, LedgerFile, `"capped"`, `"passed"`) }, Mismatch, "was changed after the run"},
		{"a space more", func(t *testing.T, dir string) { editFile(t, dir, LedgerFile, "\n", " \n") }, Mismatch, "was changed after the run"},
		{"envelope's hash changed", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, sha(dir)[:4], "0000") }, Mismatch, "the envelope says 0000"},
		{"hash in capitals", func(t *testing.T, dir string) {
			editFile(t, dir, EnvelopeFile, sha(dir), strings.ToUpper(sha(dir)))
		}, Verified, "sha256 and size"},
		{"size changed", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, `"size_bytes": `, `"size_bytes": 1`) }, Mismatch, "bytes, the envelope says 1"},
		{"size is text", func(t *testing.T, dir string) {
			editFile(t, dir, EnvelopeFile, `"size_bytes": `, `"size_bytes": "many", "was": `)
		}, Unverifiable, "size_bytes is no number"},
		{"size is an object", func(t *testing.T, dir string) {
			editFile(t, dir, EnvelopeFile, `"size_bytes": `, `"size_bytes": {}, "was": `)
		}, Unverifiable, "size_bytes is no number"},
		{"no size", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, `"size_bytes"`, `"size"`) }, Verified, "sha256 matches envelope"},
		{"placeholder hash", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, sha(dir), placeholderValue) }, Unverifiable, placeholderValue},
		{"placeholder size", func(t *testing.T, dir string) {
			editFile(t, dir, EnvelopeFile, `"size_bytes": `, `"size_bytes": "`+placeholderSize+`", "was": `)
		}, Unverifiable, placeholderSize},
		{"placeholder size hides no change", func(t *testing.T, dir string) {
			editFile(t, dir, EnvelopeFile, `"size_bytes": `, `"size_bytes": "`+placeholderSize+`", "was": `)
			editFile(t, dir, LedgerFile, `"capped"`, `"passed"`)
		}, Mismatch, "was changed after the run"},
		{"no hash", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, sha(dir), "") }, Unverifiable, "no sha256"},
		{"other method", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, `"sha256"`, `"cksum"`) }, Unverifiable, `method is "cksum"`},
		{"other artifact", func(t *testing.T, dir string) { editFile(t, dir, EnvelopeFile, `"loop.json"`, `"other.json"`) }, Unverifiable, "other.json"},
		{"no envelope", func(t *testing.T, dir string) { remove(t, dir, EnvelopeFile) }, Unverifiable, "no envelope"},
		{"envelope is no JSON", func(t *testing.T, dir string) { writeFile(t, dir, EnvelopeFile, "{") }, Unverifiable, "no JSON"},
		{"envelope is an empty list", func(t *testing.T, dir string) { writeFile(t, dir, EnvelopeFile, "[]") }, Unverifiable, "no JSON"},
		{"envelope is null", func(t *testing.T, dir string) { writeFile(t, dir, EnvelopeFile, "null") }, Unverifiable, `method is ""`},
		{"no journal", func(t *testing.T, dir string) { remove(t, dir, JournalFile) }, Unverifiable, "journal.jsonl is missing"},
		{"journal changed", func(t *testing.T, dir string) { editFile(t, dir, JournalFile, "go test", "go vet") }, Mismatch, "journal line 2: its hash"},
		{"journal torn", func(t *testing.T, dir string) { editFile(t, dir, JournalFile, "}}\n", "}}") }, Mismatch, "journal line"},
		{"journal empty", func(t *testing.T, dir string) { writeFile(t, dir, JournalFile, "") }, Mismatch, "does not begin"},
		{"journal cut at a line", func(t *testing.T, dir string) { cutLastLine(t, dir) }, Mismatch, "does not say how the run ended"},
		{"last line of the journal changed", func(t *testing.T, dir string) { editFile(t, dir, JournalFile, `"final":"capped"`, `"final":"stuck"`) }, Mismatch, `final is "capped", the journal gives "stuck"`},
		{"ledger and envelope changed", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"capped"`, `"passed"`)
			reseal(t, dir)
		}, Mismatch, `final is "passed", the journal gives "capped"`},
		{"attempt changed and resealed", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"flaky": false`, `"flaky": true`)
			reseal(t, dir)
		}, Mismatch, "attempts[0].flaky is true"},
		{"field removed and resealed", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"judge": "",`, ``)
			reseal(t, dir)
		}, Mismatch, `judge is missing, the journal gives ""`},
		{"field added and resealed", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"judge": "",`, `"judge": "", "approved_by": ["x"],`)
			reseal(t, dir)
		}, Mismatch, "approved_by is a list of 1, the journal gives no such field"},
		{"list turned into null", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"caps": []`, `"caps": null`)
			reseal(t, dir)
		}, Mismatch, "caps is null"},
		{"attempts dropped", func(t *testing.T, dir string) {
			editFile(t, dir, LedgerFile, `"attempts": [`, `"attempts": [], "was": [`)
			reseal(t, dir)
		}, Mismatch, "attempts is a list of 0"},
		{"journal is a folder", func(t *testing.T, dir string) {
			remove(t, dir, JournalFile)
			if err := os.Mkdir(filepath.Join(dir, JournalFile), 0o700); err != nil {
				t.Fatal(err)
			}
		}, Unverifiable, "not a regular file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := runFolder(t, goldenCase{script: cappedScript()})
			tc.damage(t, dir)
			before := snapshot(t, dir)
			res, err := Replay(dir)
			if err != nil {
				t.Fatal(err)
			}
			if res.Integrity != tc.want || !strings.Contains(res.IntegrityDetail, tc.detail) {
				t.Errorf("got %s (%s), want %s with %q", res.Integrity, res.IntegrityDetail, tc.want, tc.detail)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("replay changed the folder:\n%s", diff)
			}
		})
	}
}

// A journal that a newer version wrote is not called tampered with.
func TestReplayOfAnUnknownEvent(t *testing.T) {
	t.Parallel()
	dir := runFolder(t, goldenCase{script: cappedScript()})
	s := cappedScript()
	s.payloads = append(s.payloads[:1:1], append([]loop.Payload{teleported{}}, s.payloads[1:]...)...)
	writeFile(t, dir, JournalFile, string(s.journal(t)))
	res, err := Replay(dir)
	if err != nil || res.Integrity != Unverifiable || !strings.Contains(res.IntegrityDetail, "another version") {
		t.Errorf("got %s (%s), %v", res.Integrity, res.IntegrityDetail, err)
	}
}

type teleported struct{}

func (teleported) EventType() loop.EventType { return "teleported" }

// Guards ledgers of other tools: fewer fields, nulls, no journal.
func TestReplayOfOtherLedgers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, ledger string
		want         Result
	}{
		{
			"empty object", `{}`,
			Result{Final: "unknown", K: 1, PassKDeterminism: deterministic, Attempts: []ReplayAttempt{}},
		},
		{
			"nulls", `{"final":null,"attempts":null,"k":null,"candidate_diff":null}`,
			Result{Final: "unknown", K: 1, PassKDeterminism: deterministic, Attempts: []ReplayAttempt{}},
		},
		{
			"other tool", `{"final":"flaky","attempts":[{"attempt":1,"passed":false,"flaky":true,"phase":"tests",` +
				`"passk_runs":[{"run":1,"passed":true,"exit_code":0},{"run":2,"passed":false,"exit_code":1}],"cost":{"usd":1}},{"attempt":2}],` +
				`"max_attempts":5,"k":2,"merged":false,"candidate_diff":"o/candidate.diff","vigil_handoff":"o/r.md","lang":"en"}`,
			Result{
				Final: "flaky", AttemptsRun: 2, MaxAttempts: 5, K: 2, PassKDeterminism: flakyPassKSummary,
				CandidateDiff: "o/candidate.diff", VigilHandoff: "o/r.md",
				Attempts: []ReplayAttempt{
					{Attempt: 1, Determinism: nonDeterministic, Phase: "tests", PassKRuns: []loop.PassRun{{Run: 1, Passed: true}, {Run: 2, ExitCode: 1}}},
					{Attempt: 2, Determinism: deterministic, Phase: "tests", PassKRuns: []loop.PassRun{}},
				},
			},
		},
		{
			"names in other letters are other fields", `{"FINAL":"passed","Attempts_Run":7}`,
			Result{Final: "unknown", K: 1, PassKDeterminism: deterministic, Attempts: []ReplayAttempt{}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, dir, LedgerFile, tc.ledger)
			tc.want.OutDir, tc.want.Integrity, tc.want.IntegrityDetail = dir, Unverifiable, "no envelope"
			got, err := Replay(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			reseal(t, dir)
			if got, err := Replay(dir); err != nil || got.Integrity != Verified {
				t.Errorf("with an envelope: %s (%s), %v", got.Integrity, got.IntegrityDetail, err)
			}
		})
	}
}

func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		make func(t *testing.T, dir string) string
		want string
	}{
		{"no folder", func(_ *testing.T, dir string) string { return filepath.Join(dir, "none") }, "no such file"},
		{"a file", func(t *testing.T, dir string) string {
			writeFile(t, dir, "f", "")
			return filepath.Join(dir, "f")
		}, "not a directory"},
		{"empty folder", func(_ *testing.T, dir string) string { return dir }, "there is no loop.json"},
		{"unfinished run", func(t *testing.T, dir string) string {
			writeFile(t, dir, JournalFile, "")
			return dir
		}, "the run did not finish"},
		{"no JSON", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, "final: passed")
			return dir
		}, "is no JSON object"},
		{"two documents", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, "{}{}")
			return dir
		}, "is no JSON object"},
		{"a list", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, "[]")
			return dir
		}, "is no JSON object"},
		{"null", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, "null")
			return dir
		}, "not a JSON object"},
		{"field of another type", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, `{"attempts_run":"two"}`)
			return dir
		}, "field attempts_run"},
		{"ledger is a folder", func(t *testing.T, dir string) string {
			if err := os.Mkdir(filepath.Join(dir, LedgerFile), 0o700); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "not a regular file"},
		{"symlink loop", func(t *testing.T, dir string) string {
			symlink(t, LedgerFile, filepath.Join(dir, LedgerFile))
			return dir
		}, "loop.json"},
		{"symlink out of the folder", func(t *testing.T, dir string) string {
			writeFile(t, dir, "outside.json", "{}")
			inner := filepath.Join(dir, "inner")
			if err := os.Mkdir(inner, 0o700); err != nil {
				t.Fatal(err)
			}
			symlink(t, "../outside.json", filepath.Join(inner, LedgerFile))
			return inner
		}, "escapes"},
		{"too large", func(t *testing.T, dir string) string {
			writeFile(t, dir, LedgerFile, "{}")
			if err := os.Truncate(filepath.Join(dir, LedgerFile), maxLedger+1); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "at most"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := Replay(tc.make(t, t.TempDir()))
			if !errors.Is(err, ErrNoLedger) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, tc.want)
			}
		})
	}
}

func symlink(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// cutLastLine removes the end of a run from its journal.
func cutLastLine(t testing.TB, dir string) {
	t.Helper()
	path := filepath.Join(dir, JournalFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := bytes.LastIndexByte(data[:len(data)-1], '\n')
	writeFile(t, dir, JournalFile, string(data[:cut+1]))
}

// snapshot returns the folder's names with contents and times of change.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range fileNames(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = info.ModTime().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			out[name] += string(data)
		}
	}
	return out
}

// Whatever stands in the files, Replay ends with a result or one clear error.
func FuzzReplay(f *testing.F) {
	dir := runFolder(f, goldenCase{script: passedScript()})
	seed := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		return data
	}
	f.Add(seed(LedgerFile), seed(EnvelopeFile), seed(JournalFile))
	f.Add([]byte("{}"), []byte("{}"), []byte(""))
	f.Add([]byte(`{"attempts":[{"passk_runs":[{}]}]}`), []byte(`{"integrity":{"size_bytes":1e999}}`), []byte("\n"))
	f.Fuzz(func(t *testing.T, ledger, envelope, journal []byte) {
		dir := t.TempDir()
		writeFile(t, dir, LedgerFile, string(ledger))
		writeFile(t, dir, EnvelopeFile, string(envelope))
		writeFile(t, dir, JournalFile, string(journal))
		res, err := Replay(dir)
		if err != nil {
			if !errors.Is(err, ErrNoLedger) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		if !json.Valid(ledger) {
			t.Fatal("a ledger that is no JSON was read")
		}
		if res.Integrity == "" || res.IntegrityDetail == "" || res.Attempts == nil || !strings.HasSuffix(RenderReplay(res), "\n") {
			t.Fatalf("half a result: %+v", res)
		}
	})
}
