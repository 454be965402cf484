package feedback

import (
	"context"
	"fmt"
	"io"
)

// Localize reads a log to its end and says what it shows. It needs the same
// memory for a log of any size, and reads each line once.
//
// The error is ctx's when that ended first, or wraps what r failed with; the
// Report is then the zero value.
func Localize(ctx context.Context, r io.Reader, opt Options) (Report, error) {
	opt = opt.withDefaults()
	if ctx.Err() != nil {
		return Report{}, fmt.Errorf("localize log: %w", ctx.Err())
	}
	var (
		table   = formats()
		paths   = newResolver(opt)
		found   = make([]*findings, len(table))
		readers = make([]runner, len(table))
		in      = newLineReader(r, opt.MaxLine)
		last    = newTail(opt.TailLines)
		wash    cleaner
		guard   pemGuard
		l       line
	)
	for i, row := range table {
		found[i] = &findings{paths: paths}
		readers[i] = row.start(found[i])
	}
	for {
		raw, err := in.next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return Report{}, fmt.Errorf("localize log: %w", err)
		}
		l.no++
		l.text, l.hints = wash.clean(raw)
		if guard.secret(l.text) {
			l.text, l.hints = []byte(redacted), 0
		}
		l.indent = 0
		for l.indent < len(l.text) && (l.text[l.indent] == ' ' || l.text[l.indent] == '\t') {
			l.indent++
		}
		last.add(l.text)
		for _, rd := range readers {
			rd.line(&l)
		}
		if l.no%1024 == 0 && ctx.Err() != nil {
			return Report{}, fmt.Errorf("localize log: %w", ctx.Err())
		}
	}
	for _, rd := range readers {
		rd.end()
	}
	rep, own := merge(table, found, opt)
	rep.OutputTail = last.text(opt.TailBytes, opt.Redact)
	rep.Truncated = opt.Truncated
	rep.Lines, rep.Bytes = l.no, in.size
	rep.Signature = signature(rep, own, opt)
	return rep, nil
}
