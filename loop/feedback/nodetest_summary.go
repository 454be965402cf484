package feedback

import "bytes"

// nodeRows are the rows of the closing tally, in order. Versions differ in
// which they have.
func nodeRows() []string {
	return []string{"tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"}
}

// open starts a summary at its first row.
func (n *nodeTest) open(l *line, tap bool) {
	n.sum = nodeSummary{tap: tap}
	n.sumNext = 0
	n.summary(l)
}

// summary reads one row and tells whether it was one. The rows must follow each
// other in order; only a whole summary counts.
func (n *nodeTest) summary(l *line) bool {
	prefix := "ℹ "
	if n.sum.tap {
		prefix = "# "
	}
	rest, ok := bytes.CutPrefix(l.text, []byte(prefix))
	if !ok {
		n.sumNext = 0
		return false
	}
	key, value, _ := bytes.Cut(rest, []byte(" "))
	rows := nodeRows()
	for i := n.sumNext; i < len(rows); i++ {
		if rows[i] != string(key) {
			continue
		}
		count, _ := digits(value)
		switch rows[i] {
		case "pass":
			n.sum.pass = count
			n.sum.passed = string(l.text)
		case "fail", "cancelled":
			n.sum.bad += count
			if count > 0 {
				because(&n.f.whyReported, l)
			}
		case "todo":
			n.sum.todo = count
		case "duration_ms":
			n.sumNext = 0
			n.close(l)
			return true
		}
		n.sumNext = i + 1
		return true
	}
	n.sumNext = 0
	return false
}

// close takes a whole summary.
func (n *nodeTest) close(l *line) {
	s := n.sum
	n.f.recognise(l)
	n.started = false
	switch {
	case s.bad > 0:
		loads := min(n.loads, n.files, s.bad)
		n.f.reports(l, s.bad, s.bad-loads)
		n.f.build += loads
		n.f.ran = n.f.ran || s.bad > loads || s.pass > 0
	case s.pass+s.todo > 0:
		n.f.ran = true
	default:
		n.f.empty(&line{no: l.no, text: []byte(s.passed)})
	}
	n.files, n.loads = 0, 0
	n.path, n.listing = n.path[:0], false
}
