package reports

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

func TestFromEventsIsPure(t *testing.T) {
	t.Parallel()
	for _, c := range goldenCases() {
		events := c.script.events(t)
		a, errA := FromEvents(events)
		b, errB := FromEvents(events)
		if diff := cmp.Diff(a, b); diff != "" || errA != nil || errB != nil {
			t.Errorf("%s: %v, %v, %s", c.name, errA, errB, diff)
		}
		data, err := EncodeLedger(a)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(data, []byte("null")); n != 1 {
			t.Errorf("%s: %d nulls in the ledger, want that of degraded alone", c.name, n)
		}
	}
}

// Guards every prefix of every run: what a crash leaves is never called final.
func TestFromEventsOfACutRun(t *testing.T) {
	t.Parallel()
	for _, c := range goldenCases() {
		events := c.script.events(t)
		for n := 1; n < len(events); n++ {
			l, err := FromEvents(events[:n])
			if !errors.Is(err, ErrUnfinished) {
				t.Fatalf("%s cut after %d events: %v", c.name, n, err)
			}
			if l.Final != "" || l.VigilHandoff != "" || l.CandidateDiff != "" {
				t.Fatalf("%s cut after %d events: final %q, %q, %q", c.name, n, l.Final, l.VigilHandoff, l.CandidateDiff)
			}
			if l.RunID == "" || l.Budget.WallS != float64(n-1) {
				t.Fatalf("%s cut after %d events: run %q, %v s", c.name, n, l.RunID, l.Budget.WallS)
			}
		}
	}
}

func TestCutRunRefundsNothing(t *testing.T) {
	t.Parallel()
	s := newScript(func(st *loop.RunStarted) { st.Plan.Holdout = true })
	s.add(loop.StepStarted{Job: "001-hook", Role: isolation.RoleHook}, loop.StepStarted{Job: "002-holdout", Role: isolation.RoleHoldout})
	l, err := FromEvents(s.events(t))
	if !errors.Is(err, ErrUnfinished) || l.Budget.HookCalls != 1 || l.Budget.Steps != 2 || l.HoldoutRuns != 1 {
		t.Errorf("got %+v, %d holdout runs, %v", l.Budget, l.HoldoutRuns, err)
	}
}

func TestFromEventsRefusesWhatNoRunDoes(t *testing.T) {
	t.Parallel()
	start := newScript(nil).payloads[0]
	for _, tc := range []struct {
		name     string
		payloads []loop.Payload
		want     string
	}{
		{"nothing", nil, "does not begin"},
		{"no start", []loop.Payload{loop.Marked{}}, "does not begin"},
		{"two starts", []loop.Payload{start, start}, "starts a second run"},
		{"after the end", []loop.Payload{start, loop.RunFinished{Final: loop.Capped}, loop.Marked{}}, "follows the end"},
		{"two ends", []loop.Payload{start, loop.RunFinished{Final: loop.Capped}, loop.RunFinished{Final: loop.Passed}}, "follows the end"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := script{payloads: tc.payloads}
			if _, err := FromEvents(s.events(t)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestFromEventsRefusesAnUnknownEvent(t *testing.T) {
	t.Parallel()
	events := passedScript().events(t)
	events[1].Type = "teleported"
	if _, err := FromEvents(events); !errors.Is(err, errUnknownEvent) {
		t.Errorf("got %v", err)
	}
}

// A passed run needs evidence for the word; each row takes one piece away.
func TestPassedNeedsEvidence(t *testing.T) {
	t.Parallel()
	judged := func(edit func(*loop.Judged)) func(loop.Payload) loop.Payload {
		return func(p loop.Payload) loop.Payload {
			if j, ok := p.(loop.Judged); ok && j.Attempt.Attempt == 3 {
				edit(&j)
				return j
			}
			return p
		}
	}
	steps := func(phase string, edit func(*loop.StepFinished)) func(loop.Payload) loop.Payload {
		return func(p loop.Payload) loop.Payload {
			if s, ok := p.(loop.StepFinished); ok && s.Attempt == 3 && s.Phase == phase && s.Run == 2 {
				edit(&s)
				return s
			}
			return p
		}
	}
	end := func(edit func(*loop.RunFinished)) func(loop.Payload) loop.Payload {
		return func(p loop.Payload) loop.Payload {
			if f, ok := p.(loop.RunFinished); ok {
				edit(&f)
				return f
			}
			return p
		}
	}
	drop := func(t loop.EventType) func(loop.Payload) loop.Payload {
		return func(p loop.Payload) loop.Payload {
			if p.EventType() == t {
				return nil
			}
			return p
		}
	}
	for _, tc := range []struct {
		name string
		edit func(loop.Payload) loop.Payload
		want string
	}{
		{"nothing judged", drop(loop.EventJudged), "no attempt was judged"},
		{"attempt failed", judged(func(j *loop.Judged) { j.Attempt.Passed = false }), "was not accepted"},
		{"attempt flaky", judged(func(j *loop.Judged) { j.Attempt.Flaky = true }), "was not accepted"},
		{"attempt rejected", judged(func(j *loop.Judged) { j.Attempt.Rejected = "shape" }), "was not accepted"},
		{"exit code", judged(func(j *loop.Judged) { j.Attempt.ExitCode = 1 }), "was not accepted"},
		{"class", judged(func(j *loop.Judged) { j.Attempt.Class = isolation.ClassTimeout }), "was not accepted"},
		{"one run short", judged(func(j *loop.Judged) { j.Attempt.PassKRuns = j.Attempt.PassKRuns[:1] }), "1 of 2 runs"},
		{"one run red", judged(func(j *loop.Judged) { j.Attempt.PassKRuns[1].Passed = false }), "run 2 of attempt 3 is not green"},
		{"another tree judged", judged(func(j *loop.Judged) { j.Attempt.Tree = tree2 }), "is handed over"},
		{"another tree handed over", end(func(f *loop.RunFinished) { f.Tree = tree2 }), "is handed over"},
		{"nothing handed over", end(func(f *loop.RunFinished) { f.Tree = "" }), "is handed over"},
		{"no diff", end(func(f *loop.RunFinished) { f.HasDiff = false }), "no diff"},
		{"step of another tree", steps("reproduction", func(s *loop.StepFinished) { s.Tree = tree2 }), "is not a green"},
		{"step red", steps("regression", func(s *loop.StepFinished) { s.Evidence.Class = isolation.ClassTestFail }), "is not a green"},
		{"step of another role", steps("regression", func(s *loop.StepFinished) { s.Role = isolation.RoleHook }), "green in 1 of 2"},
		{"phase not run", steps("regression", func(s *loop.StepFinished) { s.Phase = "lint" }), "green in 1 of 2"},
		{"no steps", drop(loop.EventStepFinished), "green in 0 of 2"},
		{"no red gate", drop(loop.EventRedGate), "red gate"},
		{"holdout silent", judged(func(j *loop.Judged) { j.Holdout = "" }), "holdout"},
		{"holdout inconclusive", judged(func(j *loop.Judged) { j.Holdout = "inconclusive" }), "holdout"},
		{"judge silent", judged(func(j *loop.Judged) { j.Judge = "" }), "judge"},
		{"judge rejects", judged(func(j *loop.Judged) { j.Judge = "rejected" }), "judge"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := script{}
			for _, p := range everyGateScript().payloads {
				if p = tc.edit(p); p != nil {
					s.add(p)
				}
			}
			events := s.events(t)
			var missing *EvidenceError
			if _, err := FromEvents(events); !errors.As(err, &missing) || !strings.Contains(missing.Missing, tc.want) {
				t.Errorf("FromEvents: %v, want %q missing", err, tc.want)
			}
			dir := t.TempDir()
			if err := WriteAll(dir, Input{Events: events}); !errors.As(err, &missing) {
				t.Errorf("WriteAll: %v", err)
			}
			if names := fileNames(t, dir); len(names) > 0 {
				t.Errorf("WriteAll left %v", names)
			}
		})
	}
}

// Every outcome has words for the hand-off report.
func TestEveryOutcomeHasATextRow(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "../loop/outcome.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		typ, ok := spec.Type.(*ast.Ident)
		if !ok || typ.Name != "Outcome" {
			return true
		}
		word, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		text, known := outcomeTexts[loop.Outcome(word)]
		if passed := word == string(loop.Passed); known == passed {
			t.Errorf("outcome %s: has a row: %v", word, known)
		}
		for _, sentence := range []string{text.meaning, text.next} {
			if known && (!strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "\n")) {
				t.Errorf("outcome %s: %q is no sentence", word, sentence)
			}
		}
		n++
		return true
	})
	if n < 19 {
		t.Errorf("only %d outcomes found in the source", n)
	}
}
