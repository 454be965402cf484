package loop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrTornTail says that a journal ends in the middle of a line, as a crash
// leaves it. The events before that line are whole.
var ErrTornTail = errors.New("the journal ends in the middle of a line")

// JournalError says where a journal is damaged. Line counts from 1.
type JournalError struct {
	Line   int
	Reason string
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("journal line %d: %s", e.Line, e.Reason)
}

// ReadJournal reads a whole journal and verifies its numbering and its chain
// of hashes. The events before the first problem are returned with the error:
// one that wraps ErrTornTail for a last line without its newline, a
// *JournalError for any other damage, or the reader's own error. The hash of
// the last line is held by no other line, so a change in it is seen only where
// it breaks the form.
//
// Decode gives an event's payload; ReadJournal does not look into it.
func ReadJournal(r io.Reader) ([]Event, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	events := []Event{}
	prev := ""
	for n := 1; ; n++ {
		line, err := readLine(in)
		switch {
		case errors.Is(err, errLineTooLong):
			return events, &JournalError{Line: n, Reason: fmt.Sprintf("longer than %d bytes", MaxJournalLine)}
		case err == io.EOF && len(line) == 0:
			return events, nil
		case err == io.EOF:
			return events, fmt.Errorf("journal line %d: %w", n, ErrTornTail)
		case err != nil:
			return events, fmt.Errorf("read journal line %d: %w", n, err)
		}
		ev, reason := parseEvent(line)
		switch {
		case reason != "":
		case ev.Seq != n:
			reason = fmt.Sprintf("has seq %d instead of %d: lines are missing, doubled or out of order", ev.Seq, n)
		case ev.Prev != prev:
			reason = "its hash of the line before does not fit: that line was changed"
		}
		if reason != "" {
			return events, &JournalError{Line: n, Reason: reason}
		}
		events = append(events, ev)
		prev = lineHash(line)
	}
}

var errLineTooLong = errors.New("line too long")

// readLine returns the next line without its newline. At the end of the input
// it returns what is left with io.EOF.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxJournalLine {
			return nil, errLineTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// parseEvent returns the event of a line, or why it is none.
func parseEvent(line []byte) (Event, string) {
	var ev Event
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&ev); err != nil {
		return Event{}, "is no event: " + err.Error()
	}
	switch {
	case dec.More() || dec.InputOffset() != int64(len(line)):
		return Event{}, "text follows the event"
	case ev.Type == "":
		return Event{}, "has no type"
	case len(ev.Data) == 0 || ev.Data[0] != '{':
		return Event{}, "has no data"
	}
	return ev, ""
}
