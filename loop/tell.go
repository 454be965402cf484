package loop

import (
	"strings"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// document is the feedback that a hook reads about an attempt.
func (e *Engine) document(f failure, fullLog string) feedback.Feedback {
	about := feedback.Attempt{
		Number: f.attempt, Phase: f.phase, Passed: f.passed, Flaky: f.flaky, FullLog: fullLog,
		Redact: feedback.NewRedactor(e.secrets()),
	}
	for _, p := range f.paths {
		about.Rejected = append(about.Rejected, p.Path)
	}
	switch {
	case f.passed:
		about.Class = isolation.ClassPass
		if f.step == nil {
			return feedback.Build(about, feedback.Report{})
		}
		return feedback.Build(about, f.step.report)
	case f.step == nil || len(f.paths) > 0:
		about.Class, about.ExitCode = isolation.ClassError, 1
		return feedback.Build(about, feedback.Report{Failing: f.lines(), OutputTail: f.text()})
	}
	about.Class, about.ExitCode, about.Truncated = f.step.evidence.Class, f.step.evidence.ExitCode, f.step.evidence.Truncated
	return feedback.Build(about, f.step.report)
}

// lines is what a gate says that ran nothing: its sentence, then one line a path.
func (f failure) lines() []string {
	var out []string
	if f.message != "" {
		out = append(out, f.message)
	}
	for _, p := range f.paths {
		out = append(out, p.Path+": "+p.Reason)
	}
	return out
}

func (f failure) text() string {
	if lines := f.lines(); len(lines) > 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	return ""
}

// secrets are the values of the variables that were passed to the hook: a log
// that holds one must not carry it on.
func (e *Engine) secrets() []string {
	var out []string
	for _, kv := range e.Plan.HookEnv {
		_, value, _ := strings.Cut(kv, "=")
		out = append(out, value)
	}
	return out
}
