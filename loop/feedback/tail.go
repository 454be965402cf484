package feedback

import "strings"

// tailLine is the most that is shown of one line of the tail.
const tailLine = 2 << 10

// tail keeps the last lines of a log.
type tail struct {
	ring [][]byte
	next int
	full bool
}

func newTail(lines int) *tail { return &tail{ring: make([][]byte, lines)} }

func (t *tail) add(text []byte) {
	t.ring[t.next] = append(t.ring[t.next][:0], text...)
	if t.next++; t.next == len(t.ring) {
		t.next, t.full = 0, true
	}
}

// text returns the last lines that fit into max bytes, redacted, each with its
// newline. Secrets are taken out before anything is cut, so that no half of
// one is left.
func (t *tail) text(max int, redact *Redactor) string {
	order := t.ring[:t.next]
	if t.full {
		order = append(append([][]byte(nil), t.ring[t.next:]...), t.ring[:t.next]...)
	}
	lines := make([]string, len(order))
	for i, b := range order {
		lines[i] = string(b)
	}
	return lastLines(redact.lines(lines), max)
}

// lastLines joins the last lines that fit into max bytes.
func lastLines(lines []string, max int) string {
	size, from := 0, len(lines)
	for from > 0 {
		n := len(shorten(lines[from-1], tailLine)) + 1
		if size+n > max {
			break
		}
		size += n
		from--
	}
	var b strings.Builder
	for _, s := range lines[from:] {
		b.WriteString(shorten(s, tailLine))
		b.WriteByte('\n')
	}
	return b.String()
}

// shorten cuts a text to n bytes and says so.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return cutRunes(s, n-len("…")) + "…"
}
