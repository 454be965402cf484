package isolation

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// finish cuts the middle of a log above its cap and says what there is. No
// process writes to it any more.
func (l *logFile) finish(r *Result) {
	l.observe()
	r.OutputBytes, r.LogReset = l.total, l.reset
	from, to, cut := l.cut()
	if !cut {
		return
	}
	r.Truncated = true
	if err := replaceMiddle(l.body, from, to, l.size); err != nil {
		r.Reason = fmt.Sprintf("the middle of the log could not be cut: %v", err)
	}
}

// cut says which bytes are not kept: the middle of a log above its cap, and
// what holes were made while it was.
func (l *logFile) cut() (from, to int64, cut bool) {
	limit := l.limits.MaxOutput
	if limit == 0 {
		return 0, 0, false
	}
	from, to = min(l.head(), l.size), min(l.holeEnd, l.size)
	if l.size > limit {
		to = max(to, l.size-l.tail())
	}
	if to <= from {
		return 0, 0, false
	}
	return lineStart(l.body, from), lineEnd(l.body, to, l.size), true
}

// edge is how far a cut moves to fall between two lines.
const edge = 4 << 10

// lineStart moves back to the start of the line that pos is in.
func lineStart(r io.ReaderAt, pos int64) int64 {
	buf := make([]byte, min(edge, pos))
	n, _ := r.ReadAt(buf, pos-int64(len(buf)))
	if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
		return pos - int64(len(buf)) + int64(i) + 1
	}
	return pos
}

// lineEnd moves on to the start of the next line, unless that were the end.
func lineEnd(r io.ReaderAt, pos, size int64) int64 {
	buf := make([]byte, min(edge, size-pos))
	n, _ := r.ReadAt(buf, pos)
	if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 && pos+int64(i)+1 < size {
		return pos + int64(i) + 1
	}
	return pos
}

// replaceMiddle puts a line that tells the cut in the place of bytes from..to.
func replaceMiddle(f *os.File, from, to, size int64) error {
	marker := fmt.Appendf(nil, "[patchvet: %d bytes of output cut here]\n", to-from)
	if from > 0 {
		before := make([]byte, 1)
		if _, err := f.ReadAt(before, from-1); err == nil && before[0] != '\n' {
			marker = append([]byte{'\n'}, marker...)
		}
	}
	end := from + int64(len(marker))
	if err := move(f, to, end, size-to); err != nil {
		return err
	}
	if _, err := f.WriteAt(marker, from); err != nil {
		return err
	}
	return f.Truncate(end + size - to)
}

// move copies n bytes of a file from one place to another that may overlap it.
func move(f *os.File, src, dst, n int64) error {
	buf := make([]byte, min(n, 256<<10))
	for done := int64(0); done < n; {
		part := buf[:min(int64(len(buf)), n-done)]
		at := done
		if dst > src { // from the end, so that nothing is overwritten unread
			at = n - done - int64(len(part))
		}
		if _, err := f.ReadAt(part, src+at); err != nil {
			return err
		}
		if _, err := f.WriteAt(part, dst+at); err != nil {
			return err
		}
		done += int64(len(part))
	}
	return nil
}
