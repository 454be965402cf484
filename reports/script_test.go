package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

const (
	baseCommit = "b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0"
	baseTree   = "ba5eba5eba5eba5eba5eba5eba5eba5eba5eba5e"
	tree2      = "2222222222222222222222222222222222222222"
	tree3      = "3333333333333333333333333333333333333333"

	// Stands for everything of the holdout that no text may show.
	holdoutSecret = "h0ld0ut-s3cret"
)

// script collects the events of an imagined run.
type script struct {
	payloads []loop.Payload
	jobs     int
	plan     loop.PlanInfo
}

// newScript starts a run with a plan of tests alone.
func newScript(edit func(*loop.RunStarted)) *script {
	start := loop.RunStarted{
		RunID:  "20260102-030405-abcd",
		Tool:   loop.Tool{Name: "patchvet", Version: "0.1.0"},
		OutDir: ".patchvet/runs/20260102-030405-abcd",
		Base:   loop.BaseInfo{Commit: baseCommit, Tree: baseTree},
		Isolation: loop.IsolationInfo{
			Via: "none", Tier: isolation.TierNone,
		},
		Plan: loop.PlanInfo{
			Tests: "go test ./...", FixHook: "./fix.sh", K: 2, MaxAttempts: 3,
			RestartFrom: "last", FreshContext: true, TimeoutS: 600, MaxOutput: 1 << 30,
		},
	}
	if edit != nil {
		edit(&start)
	}
	return &script{payloads: []loop.Payload{start}, plan: start.Plan}
}

func (s *script) add(p ...loop.Payload) *script {
	s.payloads = append(s.payloads, p...)
	return s
}

func (s *script) step(role isolation.Role, phase string, attempt, run int, tree string, class isolation.Class, exit int) *script {
	s.jobs++
	start := loop.StepStarted{Job: fmt.Sprintf("%03d-%s", s.jobs, phase), Attempt: attempt, Role: role, Phase: phase, Run: run, Tree: tree}
	ev := loop.Evidence{Class: class, ExitCode: exit, DurationS: 0.25, Log: "evidence/" + start.Job + "/output.log", OutputBytes: 120}
	if role == isolation.RoleHoldout {
		ev.Reason = holdoutSecret
	}
	return s.add(start, loop.StepFinished{StepStarted: start, Evidence: ev})
}

// red runs the target on the base k times and finds it red.
func (s *script) red() *script {
	for run := 1; run <= s.plan.K; run++ {
		s.step(isolation.RoleVerify, "red-gate", 0, run, baseTree, isolation.ClassTestFail, 1)
	}
	return s.add(loop.RedGate{Verdict: "verified-red", Reason: "the target failed on the base in 2 of 2 runs"})
}

// hook calls the fix hook, which leaves a tree.
func (s *script) hook(attempt int, left loop.Frozen) *script {
	s.step(isolation.RoleHook, "hook", attempt-1, 1, baseTree, isolation.ClassPass, 0)
	left.Attempt = attempt
	return s.add(loop.HookFinished{Attempt: attempt - 1, Call: attempt - 1, Result: "edited"}, left)
}

// green runs every phase k times and finds it green; the caller judges.
func (s *script) green(attempt int, tree string, phases ...string) *script {
	for run := 1; run <= s.plan.K; run++ {
		for _, phase := range phases {
			s.step(isolation.RoleVerify, phase, attempt, run, tree, isolation.ClassPass, 0)
		}
	}
	return s
}

// fails runs a phase once, finds it red and judges the attempt by it.
func (s *script) fails(attempt int, tree, phase string) *script {
	s.step(isolation.RoleVerify, phase, attempt, 1, tree, isolation.ClassTestFail, 1)
	return s.judged(attempt, tree, func(j *loop.Judged) {
		j.Attempt.Phase = phase
		j.Attempt.PassKRuns = []loop.PassRun{{Run: 1, ExitCode: 1}}
	})
}

// judged writes a row; unless edited it is that of a failed run of the tests.
func (s *script) judged(attempt int, tree string, edit func(*loop.Judged)) *script {
	j := loop.Judged{Attempt: loop.Attempt{
		Attempt: attempt, ExitCode: 1, DurationS: 0.25, Phase: "tests", Tree: tree, Class: isolation.ClassTestFail,
	}}
	if edit != nil {
		edit(&j)
	}
	return s.add(j)
}

// accepted writes the row of an attempt that was green k times.
func (s *script) accepted(attempt int, tree, phase string, edit func(*loop.Judged)) *script {
	return s.judged(attempt, tree, func(j *loop.Judged) {
		j.Attempt.Passed, j.Attempt.ExitCode, j.Attempt.Class, j.Attempt.Phase = true, 0, isolation.ClassPass, phase
		for run := 1; run <= s.plan.K; run++ {
			j.Attempt.PassKRuns = append(j.Attempt.PassKRuns, loop.PassRun{Run: run, Passed: true})
		}
		if edit != nil {
			edit(j)
		}
	})
}

func (s *script) end(final loop.Outcome, tree string, edit func(*loop.RunFinished)) *script {
	fin := loop.RunFinished{Final: final, Tree: tree, HasDiff: tree != "", DurationS: 3.5}
	if edit != nil {
		edit(&fin)
	}
	return s.add(fin)
}

// journal writes the events with a clock of a second a step and returns the
// journal's bytes.
func (s *script) journal(t testing.TB) []byte {
	t.Helper()
	at := fixedTime
	path := filepath.Join(t.TempDir(), JournalFile)
	j, err := loop.CreateJournal(path, func() time.Time {
		at = at.Add(time.Second)
		return at
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.payloads {
		if err := j.Emit(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (s *script) events(t testing.TB) []loop.Event {
	t.Helper()
	events, err := loop.ReadJournal(bytes.NewReader(s.journal(t)))
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// memoryEvents is events without the journal's file, for many runs.
func (s *script) memoryEvents(t interface{ Fatal(args ...any) }) []loop.Event {
	var out []loop.Event
	for i, p := range s.payloads {
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, loop.Event{Seq: i + 1, At: time.Unix(int64(i), 0), Type: p.EventType(), Data: data})
	}
	return out
}

var fixedTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
