package isolation

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// probeExit is a code that no shell, engine or common wrapper gives by itself.
const probeExit = 37

// WrapperError says that a box does not run what it is given. Nothing that it
// reports can be believed.
type WrapperError struct {
	Via string
	Saw string // what came back instead
}

func (e *WrapperError) Error() string {
	return fmt.Sprintf("--via %q does not run the command that it is given: %s; it must end in a shell that takes the command as one last argument (sh -c), run it in the folder where it is started ($PWD), and pass output and exit code on; it gets a private HOME and few variables, so what it needs must stand in its line (env NAME=VALUE ...)", e.Via, e.Saw)
}

// ProbeWrapper proves, through the path that every later command takes, that a
// box runs what it is given, in the folder that it is given, and passes output
// and exit code on. It proves nothing about isolation. dir is a folder like
// those of the commands to come; what the probe puts there it removes again.
//
// The error is a *WrapperError, or wraps ErrNotStarted, or is ctx.Err().
func ProbeWrapper(ctx context.Context, box Box, dir string) error {
	place, err := os.MkdirTemp(dir, ".patchvet-probe-")
	if err != nil {
		return fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	defer os.RemoveAll(place)
	token := rand.Text()
	// A blank in the name shows a wrapper that splits the command again.
	if err := os.WriteFile(filepath.Join(place, "the token"), []byte(token+"\n"), 0o644); err != nil {
		return fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	// A container may run as another user.
	if err := os.Chmod(place, 0o755); err != nil {
		return fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	file := filepath.Base(place) + "/the token"
	logs, err := os.MkdirTemp("", "patchvet-probe-")
	if err != nil {
		return fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	defer os.RemoveAll(logs)

	job := Job{
		Role:    RoleVerify,
		Command: Command{Shell: fmt.Sprintf("cat %s || exit 3; exit %d", quote(file), probeExit)},
		Dir:     dir,
		Env:     Environ(RoleVerify, os.Environ(), []string{"HOME=" + place, "TMPDIR=" + place}),
		Limits:  Limits{Timeout: 5 * time.Minute, MaxOutput: 64 << 10},
		Log:     filepath.Join(logs, "log"),
	}
	result, err := box.Run(ctx, job)
	if err != nil {
		return err
	}
	output, err := os.ReadFile(job.Log)
	if err != nil {
		return fmt.Errorf("%w: read the probe's output: %w", ErrNotStarted, err)
	}
	if saw := wrongProbe(result, string(output), token, job.Log); saw != "" {
		return &WrapperError{Via: box.Describe().Via, Saw: saw}
	}
	return nil
}

// wrongProbe says what is wrong with the answer of a probe; "" for nothing.
func wrongProbe(r Result, output, token, log string) string {
	last := "no output"
	if line := LastLine(log, 200); line != "" {
		last = fmt.Sprintf("the output ends in %q", line)
	}
	printed := strings.Contains(output, token)
	switch {
	case r.ExitCode != probeExit && r.Class != ClassTestFail && r.Class != ClassPass:
		return fmt.Sprintf("%s, exit code %d, %s", strings.Join(nonEmpty(string(r.Class), r.Reason), ", "), r.ExitCode, last)
	case printed && r.ExitCode != probeExit:
		return fmt.Sprintf("it exited with %d, and the command with %d", r.ExitCode, probeExit)
	case r.ExitCode != probeExit:
		return fmt.Sprintf("it exited with %d, and the command exits with %d; %s", r.ExitCode, probeExit, last)
	case !printed:
		return "the exit code came back, and the output did not; " + last
	}
	return ""
}

func nonEmpty(parts ...string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}
