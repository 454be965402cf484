package isolation

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Causes of an order to kill, beside the end of the caller's context.
var (
	errTimeout = errors.New("time ran out")
	errBudget  = errors.New("output budget ran out")
)

// run is what all back-ends share: it makes the log, bounds the command that
// resolve gives and turns its end into a result.
func run(ctx context.Context, job Job, tier Tier, resolve func() (program, error)) (Result, error) {
	if err := ctx.Err(); err != nil {
		return cancelled(err), err
	}
	if err := job.validate(tier == TierNative); err != nil {
		return notStarted(err)
	}
	log, err := openLog(job.Log, job.Limits)
	if err != nil {
		return notStarted(err)
	}
	defer log.close()
	prog, err := resolve()
	if err != nil {
		return failedStart(prog, log, err)
	}
	prog.env, prog.dir = job.Env, job.Dir

	begin := time.Now()
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if job.Limits.Timeout > 0 {
		timer := time.AfterFunc(job.Limits.Timeout, func() { cancel(errTimeout) })
		defer timer.Stop()
	}
	stopWatch := log.watch(func() { cancel(errBudget) })
	end, err := supervise(bounded, prog, log.sink)
	duration := time.Since(begin)
	stopWatch()
	if err != nil {
		result, err := failedStart(prog, log, err)
		result.Duration = duration
		if cause := ctx.Err(); cause != nil {
			err = fmt.Errorf("%w: %w", cause, err)
		}
		return result, err
	}

	result := Result{Duration: duration, Survivors: end.survivors}
	log.finish(&result)
	switch cause := context.Cause(bounded); {
	case !end.killed:
		result.classify(end, tier)
		if end.memory && result.Class != ClassPass {
			result.Class = ClassKilledMemory
			result.Reason = "the kernel killed it, or a process of it, when the memory of its box ran out (--memory)"
		}
	case errors.Is(cause, errTimeout):
		result.Class, result.ExitCode = ClassTimeout, -1
		result.Reason = fmt.Sprintf("killed when its time of %s ran out", job.Limits.Timeout) + engineNote(tier)
	case errors.Is(cause, errBudget):
		result.Class, result.ExitCode = ClassKilledOutput, -1
		result.Reason = log.budgetReason() + engineNote(tier)
	default:
		result.Class, result.ExitCode = ClassInfra, -1
		result.Reason = "cancelled" + engineNote(tier)
		return result, ctx.Err()
	}
	if budget := job.Limits.OutputBudget; budget > 0 && result.OutputBytes > budget && !end.killed {
		// It ended before its excess was seen. The verdict must not depend on
		// which came first.
		result.Class = ClassKilledOutput
		result.Reason = log.budgetReason()
	}
	return result, nil
}

// failedStart is the result of a command that was not executed. A missing or
// unfit program is the command's own fault and a plain result, in the log as a
// shell would have it; anything else says nothing about the command.
func failedStart(prog program, log *logFile, err error) (Result, error) {
	var failure *startError
	if !errors.As(err, &failure) || !prog.own || !failure.notFound && !failure.refused {
		return notStarted(err)
	}
	result := Result{Class: ClassNotFound, ExitCode: exitNotFound, Reason: failure.path + ": command not found"}
	if failure.refused {
		result = Result{Class: ClassError, ExitCode: exitNotExecutable, Reason: failure.path + ": not executable"}
	}
	_, _ = fmt.Fprintf(log.sink, "patchvet: %s\n", result.Reason)
	log.finish(&result)
	return result, nil
}

func notStarted(err error) (Result, error) {
	err = fmt.Errorf("%w: %w", ErrNotStarted, err)
	return Result{Class: ClassInfra, ExitCode: -1, Reason: err.Error()}, err
}

func cancelled(err error) Result {
	return Result{Class: ClassInfra, ExitCode: -1, Reason: "not started: " + err.Error()}
}

// engineNote says what killing a container client leaves open: the container
// is a child of its engine, not of the client.
func engineNote(tier Tier) string {
	if tier != TierContainer {
		return ""
	}
	return "; a container that an engine's daemon runs may go on, as the wrapper alone was killed"
}
