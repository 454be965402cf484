package loop

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// stepSpec is one execution that the engine wants.
type stepSpec struct {
	attempt int
	role    isolation.Role
	phase   string
	run     int
	tree    string
	command string
	place   place
	told    []string // NAME=value that the command is told by patchvet
	passed  []string // NAME=value that the user passes to it; may hold secrets
	sealed  bool     // its log stays out of the run folder until no hook can run any more
}

// stepOutcome is what one execution came to.
type stepOutcome struct {
	step     StepStarted
	evidence Evidence
	report   feedback.Report
	logPath  string // absolute
}

// passed reports a green that can be believed: exit 0, and a recognised
// runner's own summary does not say that tests failed or that none ran.
func (s *stepOutcome) passed() bool {
	return s.evidence.Class == isolation.ClassPass && !s.doubtful()
}

// doubtful reports an exit code that the runner's own summary contradicts.
func (s *stepOutcome) doubtful() bool {
	return s.evidence.Class == isolation.ClassPass && (s.report.NoTests || s.report.Contradiction)
}

func (s *stepOutcome) doubt() string {
	if s.report.NoTests {
		return fmt.Sprintf("%s exited 0, but its report says that no test ran", s.step.Phase)
	}
	return fmt.Sprintf("%s exited 0, but its report says that tests failed: is the exit code lost in a pipe?", s.step.Phase)
}

// sealedLogs is the folder under Folders.Private that keeps logs which no hook may see.
const sealedLogs = "sealed"

// runStep runs one command in a room, with its events before and after.
func (e *Engine) runStep(ctx context.Context, spec stepSpec) (*stepOutcome, error) {
	e.run.jobs++
	started := StepStarted{
		Job: fmt.Sprintf("%03d-%s", e.run.jobs, spec.phase), Attempt: spec.attempt,
		Role: spec.role, Phase: spec.phase, Run: spec.run, Tree: spec.tree,
	}
	if err := e.emit(started); err != nil {
		return nil, err
	}
	dir := filepath.Join(e.Folders.Run, "evidence", started.Job)
	if spec.sealed {
		dir = filepath.Join(e.Folders.Private, sealedLogs, started.Job)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the evidence folder of %s: %w", started.Job, err)
	}
	out := &stepOutcome{step: started, logPath: filepath.Join(dir, "output.log")}
	res, err := e.Box.Run(ctx, isolation.Job{
		Role:    spec.role,
		Command: isolation.Command{Shell: e.commandLine(spec)},
		Dir:     spec.place.dir,
		Mounts:  spec.place.mounts,
		Named:   true, // all commands are flags
		Env:     e.environ(spec),
		Limits:  e.Plan.Limits,
		Log:     out.logPath,
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, isolation.ErrNotStarted) {
		return nil, fmt.Errorf("run %s: %w", started.Job, err)
	}
	out.evidence = Evidence{
		Class: res.Class, ExitCode: res.ExitCode, Signal: res.Signal, DurationS: seconds(res.Duration),
		Log:         filepath.ToSlash(filepath.Join("evidence", started.Job, "output.log")),
		OutputBytes: res.OutputBytes, Truncated: res.Truncated, Survivors: res.Survivors, Reason: res.Reason,
	}
	if err != nil {
		out.evidence.Class, out.evidence.ExitCode = isolation.ClassInfra, -1
		out.evidence.Reason = err.Error()
	}
	if err := e.localize(ctx, spec, out); err != nil {
		return nil, err
	}
	if err := e.emit(StepFinished{StepStarted: started, Evidence: out.evidence}); err != nil {
		return nil, err
	}
	return out, nil
}

// localize reads the log of a step and refines its class. A step that never
// started may have no log.
func (e *Engine) localize(ctx context.Context, spec stepSpec, out *stepOutcome) error {
	f, err := os.Open(out.logPath)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the log of %s: %w", out.step.Job, err)
	}
	defer f.Close()
	tree, err := e.treePaths(ctx, spec.tree)
	if err != nil {
		return err
	}
	sum := sha256.New()
	out.report, err = feedback.Localize(ctx, io.TeeReader(f, sum), feedback.Options{
		Tree: tree, Root: spec.place.dir, Redact: feedback.NewRedactor(e.secrets()), Truncated: out.evidence.Truncated,
	})
	if err != nil {
		return fmt.Errorf("localize the log of %s: %w", out.step.Job, err)
	}
	// Localize need not read to the end.
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("hash the log of %s: %w", out.step.Job, err)
	}
	out.evidence.LogSHA256 = fmt.Sprintf("%x", sum.Sum(nil))
	if spec.role == isolation.RoleVerify || spec.role == isolation.RoleHoldout {
		out.evidence.Class = feedback.Classify(out.evidence.Class, out.evidence.ExitCode, out.report)
	}
	return nil
}

// collectSealedLogs moves the logs that were kept from hooks into the run
// folder, once no hook can run any more.
func (e *Engine) collectSealedLogs() error {
	root := filepath.Join(e.Folders.Private, sealedLogs)
	jobs, err := os.ReadDir(root)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, job := range jobs {
		from := filepath.Join(root, job.Name(), "output.log")
		to := filepath.Join(e.Folders.Run, "evidence", job.Name(), "output.log")
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := copyFile(from, to, 0o600); err != nil {
			return fmt.Errorf("keep the log of %s: %w", job.Name(), err)
		}
	}
	return nil
}
