package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
)

// refresh is how often the moving line of a terminal is drawn.
const refresh = 120 * time.Millisecond

// progress shows a run while it goes on: a moving line on a terminal (attempt,
// gate, elapsed time, last line of output), plain lines elsewhere.
type progress struct {
	out     io.Writer
	run     string // run folder
	moving  bool
	colour  bool
	columns int

	mu      sync.Mutex
	current string // what runs now, "" for nothing
	log     string // its log
	since   time.Time
	stop    chan struct{}
	stopped sync.WaitGroup
	closed  bool
}

// newProgress says nothing when the user asked for quiet.
func (c Command) newProgress(o *loopOptions, folder runFolder) *progress {
	p := &progress{out: c.Stderr, run: folder.path, stop: make(chan struct{})}
	if o.quiet {
		p.out = io.Discard
		return p
	}
	f, ok := c.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || slices.Contains(c.Environ, "TERM=dumb") {
		return p
	}
	p.moving, p.columns = true, 80
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
		p.columns = w
	}
	p.colour = !slices.ContainsFunc(c.Environ, func(kv string) bool { return strings.HasPrefix(kv, "NO_COLOR=") && kv != "NO_COLOR=" })
	p.stopped.Add(1)
	go p.draw()
	return p
}

// Emit implements loop.Sink. Progress never ends a run: what it cannot write
// is lost.
func (p *progress) Emit(ev loop.Payload) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case loop.RunStarted:
		p.line("", startLine(e))
		for _, w := range e.Base.Warnings {
			p.line(yellow, "warning: "+w)
		}
	case loop.StepStarted:
		p.current = stepName(e)
		p.log, p.since = filepath.Join(p.run, "evidence", e.Job, "output.log"), time.Now()
	case loop.StepFinished:
		p.current = ""
		if !e.Reused {
			p.line("", fmt.Sprintf("%s: %s (%.1fs)", stepName(e.StepStarted), classWord(e.Role, e.Evidence), e.Evidence.DurationS))
		}
	case loop.RedGate:
		p.line(verdictColour(e.Verdict == loop.RedVerified), "red gate: "+e.Verdict+": "+e.Reason)
	case loop.Frozen:
		p.line("", fmt.Sprintf("attempt %d: hook left %s", e.Attempt, count(len(e.Changes), "changed path")))
	case loop.Rejected:
		for _, r := range e.Paths {
			p.line(red, fmt.Sprintf("attempt %d: %s: %s: %s", e.Attempt, e.Gate, r.Path, r.Reason))
		}
	case loop.Judged:
		p.line(verdictColour(e.Attempt.Passed), judgedLine(e))
	case loop.Marked:
		p.line(yellow, fmt.Sprintf("attempt %d: %s: %s", e.Attempt, e.Rule, e.Detail))
	}
	return nil
}

// Close ends the moving line.
func (p *progress) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	close(p.stop)
	p.mu.Unlock()
	p.stopped.Wait()
}

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
	clear  = "\r\x1b[K"
)

func verdictColour(good bool) string {
	if good {
		return green
	}
	return red
}

func (p *progress) line(colour, text string) {
	if p.moving {
		fmt.Fprint(p.out, clear)
	}
	if p.colour && colour != "" {
		text = colour + text + reset
	}
	fmt.Fprintln(p.out, text)
}

func (p *progress) draw() {
	defer p.stopped.Done()
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			fmt.Fprint(p.out, clear)
			return
		case <-tick.C:
			p.mu.Lock()
			if p.current != "" {
				text := fmt.Sprintf("%s  %s  %s", p.current, time.Since(p.since).Round(100*time.Millisecond), isolation.LastLine(p.log, p.columns))
				fmt.Fprint(p.out, clear+cut(text, p.columns-1))
			}
			p.mu.Unlock()
		}
	}
}
