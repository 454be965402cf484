package isolation

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// logFile takes what a command prints. It is a file and not a pipe, so that no
// process that still holds it can keep anybody waiting. The command may do to
// it what its descriptor permits: append, truncate, make it sparse.
type logFile struct {
	sink   *os.File // appending; the command's standard output and error
	body   *os.File // the same file, to look at and to cut
	limits Limits

	size    int64 // when last seen
	total   int64 // all growth seen: what was written, also what was cut or truncated away
	holeEnd int64 // [head, holeEnd) may be a hole; 0 for none
	reset   bool  // it was seen to shrink
	solid   bool  // the file system has no holes
}

// logPoll is how often a growing log is looked at. It bounds by how much a log
// can outgrow its cap; it delays nothing.
const logPoll = 10 * time.Millisecond

// solidFactor times MaxOutput may be written where the file system cannot give
// back the middle of a file.
const solidFactor = 4

func openLog(path string, limits Limits) (*logFile, error) {
	sink, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the log: %w", err)
	}
	body, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		sink.Close()
		return nil, fmt.Errorf("open the log: %w", err)
	}
	if !sameFile(sink, body) {
		sink.Close()
		body.Close()
		return nil, fmt.Errorf("open the log: %s was replaced by another file", path)
	}
	return &logFile{sink: sink, body: body, limits: limits}, nil
}

func sameFile(a, b *os.File) bool {
	x, errX := a.Stat()
	y, errY := b.Stat()
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (l *logFile) close() {
	l.sink.Close()
	l.body.Close()
}

// head and tail are how much is kept of either end when the middle is cut.
func (l *logFile) head() int64 { return l.limits.MaxOutput / 2 }
func (l *logFile) tail() int64 { return l.limits.MaxOutput - l.head() }

// watch bounds the log while the command runs, until the returned function is
// called. It calls exceeded once when the output budget is used up.
func (l *logFile) watch(exceeded func()) (stop func()) {
	if l.limits.MaxOutput == 0 && l.limits.OutputBudget == 0 {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(logPoll)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				l.observe()
				l.punch()
				if budget := l.budget(); exceeded != nil && budget > 0 && l.total > budget {
					exceeded()
					exceeded = nil // the command is being killed; go on bounding the disk
				}
			}
		}
	}()
	return func() { close(quit); <-ended }
}

// observe takes the size in.
func (l *logFile) observe() {
	info, err := l.body.Stat()
	if err != nil {
		return
	}
	now := info.Size()
	if now < l.size {
		l.reset = true
		// What grows over a truncated hole is data again.
		l.holeEnd = min(l.holeEnd, now)
	} else {
		l.total += now - l.size
	}
	l.size = now
}

// punch gives the middle of a log above its cap back to the file system.
func (l *logFile) punch() {
	limit, from, to := l.limits.MaxOutput, l.head(), l.size-l.tail()
	// Not for every byte: each call walks the file's extents.
	slack := max(limit/8, 256<<10)
	if limit == 0 || l.solid || to-from < slack {
		return
	}
	if to-l.holeEnd < slack && diskUse(l.body) < limit+2*slack {
		return
	}
	switch err := punchHole(l.body, from, to-from); {
	case err == nil:
		l.holeEnd = to
	case errors.Is(err, errors.ErrUnsupported):
		l.solid = true
	}
}

// budget is the number of bytes after which the command is killed; 0 for none.
func (l *logFile) budget() int64 {
	budget, limit := l.limits.OutputBudget, l.limits.MaxOutput
	if bound := solidFactor * limit; l.solid && (budget == 0 || bound < budget) {
		return bound
	}
	return budget
}

func (l *logFile) budgetReason() string {
	reason := fmt.Sprintf("wrote %d bytes of output, more than its budget of %d", l.total, l.budget())
	if l.solid && l.budget() != l.limits.OutputBudget {
		reason += fmt.Sprintf(" (%d times the cap, as this file system cannot free the middle of a file)", solidFactor)
	}
	return reason
}
