package reports

import (
	"encoding/xml"
	"fmt"

	"github.com/patchvet/patchvet/loop"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Stamp    string      `xml:"timestamp,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

// JUnit returns junit.xml: the run as one case, which decides, and one case an
// attempt. Attempts that failed on the way to an accepted one are skipped
// cases: the base is meant to fail, and a run that was accepted is no red
// build. Control characters are shown as escapes; XML could not hold them.
func JUnit(r Run) ([]byte, error) {
	l := r.Ledger
	s := junitSuite{
		Name: "patchvet loop", Time: junitSeconds(l.Budget.WallS),
		Stamp: r.Finished.UTC().Format("2006-01-02T15:04:05"),
		Cases: []junitCase{runCase(l)},
	}
	for _, at := range l.Attempts {
		s.Cases = append(s.Cases, attemptCase(l, at))
	}
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		s.Failures += count(c.Failure)
		s.Errors += count(c.Error)
		s.Skipped += count(c.Skipped)
	}
	out, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte(xml.Header + string(out) + "\n"), nil
}

// runCase is an error, not a failure, where nothing was found out about the
// candidate.
func runCase(l Ledger) junitCase {
	c := junitCase{Class: "patchvet", Name: "run", Time: junitSeconds(l.Budget.WallS)}
	problem := &junitProblem{Message: oneLine(Headline(l) + ": " + reason(l)), Type: oneLine(string(l.Final))}
	switch l.Final {
	case loop.Passed:
	case loop.Infra, loop.Refused, loop.Cancelled:
		c.Error = problem
	default:
		c.Failure = problem
	}
	return c
}

func attemptCase(l Ledger, at loop.Attempt) junitCase {
	c := junitCase{Class: "patchvet.attempt", Name: fmt.Sprintf("attempt %d", at.Attempt), Time: junitSeconds(at.DurationS)}
	if at.Passed {
		return c
	}
	problem := &junitProblem{Message: oneLine(attemptWords(at, l.K))}
	if l.Final == loop.Passed {
		c.Skipped = problem
		return c
	}
	problem.Type = oneLine(string(at.Class))
	c.Failure = problem
	return c
}

func count(p *junitProblem) int {
	if p == nil {
		return 0
	}
	return 1
}

func junitSeconds(s float64) string { return fmt.Sprintf("%.3f", s) }
