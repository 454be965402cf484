package loop

import (
	"strings"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// document is the feedback that a hook reads about an attempt.
func (e *Engine) document(f failure, fullLog string) feedback.Feedback {
	in := feedback.Input{
		Attempt: f.attempt, Phase: f.phase, Passed: f.passed, Flaky: f.flaky,
		FullLog: fullLog, Message: f.text(), Secrets: e.secrets(),
	}
	for _, p := range f.paths {
		in.RejectedPaths = append(in.RejectedPaths, p.Path)
	}
	if f.step != nil && len(f.paths) == 0 {
		in.Report = f.step.report
		in.Class, in.ExitCode = f.step.evidence.Class, f.step.evidence.ExitCode
		in.LogTruncated = f.step.evidence.Truncated
		in.Message = f.message
	} else if !f.passed {
		in.Class, in.ExitCode = isolation.ClassError, 1
	} else {
		in.Class = isolation.ClassPass
	}
	return feedback.Build(in)
}

// text is what a gate says that ran nothing: its sentence, then one line a path.
func (f failure) text() string {
	var b strings.Builder
	if f.message != "" {
		b.WriteString(f.message + "\n")
	}
	for _, p := range f.paths {
		b.WriteString(p.Path + ": " + p.Reason + "\n")
	}
	return b.String()
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
