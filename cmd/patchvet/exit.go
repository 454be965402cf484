package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// Exit codes. No command uses another one, but `run`, which passes the code of
// the command it ran on.
const (
	exitDone        = 0   // accepted, or done
	exitInternal    = 1   // internal or infrastructure error; under "sandbox run": not green
	exitUsage       = 2   // usage or bad input
	exitNotAccepted = 3   // every outcome but passed and infra
	exitMismatch    = 4   // what was read back is not what was written
	exitCancelled   = 130 // cancelled by a signal
)

// codeError is an error that knows its exit code. An empty message prints
// nothing: the command has said what there is to say.
type codeError struct {
	code int
	err  error
}

func (e *codeError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codeError) Unwrap() error { return e.err }

// usagef is an error for bad usage or input.
func usagef(format string, args ...any) error {
	return &codeError{exitUsage, fmt.Errorf(format, args...)}
}

// exitWith ends with a code and no message.
func exitWith(code int) error {
	if code == exitDone {
		return nil
	}
	return &codeError{code: code}
}

// exitCode maps an error to the table above.
func exitCode(err error) int {
	var coded *codeError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case errors.Is(err, isolation.ErrNoIsolation):
		return exitNotAccepted
	case badInput(err):
		return exitUsage
	}
	return exitInternal
}

// badInput reports errors that the user can mend: a repository that cannot be
// worked on, a ref, a pattern, a wrapper that does not wrap.
func badInput(err error) bool {
	for _, target := range []error{
		gitops.ErrGitMissing, gitops.ErrNotRepository, gitops.ErrInsideGitDir, gitops.ErrNoCommits, gitops.ErrUnmerged, loop.ErrReservedPath,
		isolation.ErrNotLinux,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return is[*gitops.VersionError](err) || is[*gitops.RefError](err) || is[*gitops.UnsafeRepositoryError](err) ||
		is[*gitops.UnsupportedError](err) || is[*gitops.GlobError](err) ||
		is[*isolation.UnknownBackendError](err) || is[*isolation.WrapperError](err) || is[*isolation.ViaError](err) ||
		is[*isolation.PlaceError](err)
}

// is reports whether an error of type T is in the chain.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// outcomeCode is the exit code of a run.
func outcomeCode(final loop.Outcome) int {
	switch final {
	case loop.Passed:
		return exitDone
	case loop.Infra:
		return exitInternal
	case loop.Cancelled:
		return exitCancelled
	}
	return exitNotAccepted
}
