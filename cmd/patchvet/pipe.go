package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// keepRunningWithoutReader turns SIGPIPE into an error of the write, so that a
// run whose reader went away (patchvet loop | head -1) still removes its rooms
// and writes its account. The handler, unlike ignoring the signal, does not
// reach the commands that are started (signal(7)).
func keepRunningWithoutReader() (stop func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}

// isReaderGone reports a write to a pipe that nobody reads any more.
func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
