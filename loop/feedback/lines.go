package feedback

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// readSize is the block that a log is read in. Lines inside a block are used
// where they lie, without a copy.
const readSize = 256 << 10

// lineReader cuts a log into lines as a terminal would show them: a carriage
// return overwrites what stood before it on the line. A line keeps at most max
// bytes, however long it is.
type lineReader struct {
	br   *bufio.Reader
	max  int
	long overwritten
	size int64
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{br: bufio.NewReaderSize(r, readSize), max: max}
}

// next returns the next line without its end. The bytes are valid until the
// next call. It ends with io.EOF.
func (r *lineReader) next(ctx context.Context) ([]byte, error) {
	b, err := r.br.ReadSlice('\n')
	r.size += int64(len(b))
	if err == nil && len(b) <= r.max {
		return lastSegment(b[:len(b)-1]), nil
	}
	if err == io.EOF && len(b) == 0 {
		return nil, io.EOF
	}
	r.long.reset(r.max)
	for {
		if n := len(b); n > 0 && b[n-1] == '\n' {
			b = b[:n-1]
		}
		r.long.write(b)
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b, err = r.br.ReadSlice('\n')
		r.size += int64(len(b))
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read log: %w", err)
	}
	return r.long.head, nil
}

// lastSegment returns what is left visible of a short line: the text after the
// last carriage return that is followed by any.
func lastSegment(b []byte) []byte {
	end := len(b)
	for end > 0 && b[end-1] == '\r' {
		end--
	}
	return b[bytes.LastIndexByte(b[:end], '\r')+1 : end]
}

// overwritten does the same for a line that arrives in pieces, keeping only
// the head of the segment that will be shown.
type overwritten struct {
	max     int
	head    []byte // of the last segment that has any text
	pending bool   // a carriage return was seen; the next byte starts anew
}

func (o *overwritten) reset(max int) {
	o.max, o.head, o.pending = max, o.head[:0], false
}

func (o *overwritten) write(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\r')
		part := b
		if i >= 0 {
			part = b[:i]
		}
		if len(part) > 0 {
			if o.pending {
				o.head, o.pending = o.head[:0], false
			}
			o.head = append(o.head, part[:min(len(part), o.max-len(o.head))]...)
		}
		if i < 0 {
			return
		}
		o.pending = true
		b = b[i+1:]
	}
}
