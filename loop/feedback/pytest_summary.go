package feedback

import "bytes"

// summary reads the closing line of a session, such as
// "1 failed, 2 passed, 1 warning in 0.12s", "no tests ran in 0.01s" or, when
// tests were only listed, "3 tests collected in 0.01s". With -q it stands
// alone, else between "=". It tells whether the line was one.
func (p *pytest) summary(l *line, words []byte) bool {
	if last := words[len(words)-1]; last != 's' && last != ')' {
		return false
	}
	i := bytes.LastIndex(words, []byte(" in "))
	if i < 0 || !pytestDuration(words[i+len(" in "):]) {
		return false
	}
	c, ok := pytestCounts(words[:i])
	if !ok {
		return false
	}
	p.flush()
	p.f.recognise(l)
	p.entry(false)
	p.open, p.section, p.captured = false, pytestOther, false
	bad := c.failed + c.errors
	switch {
	case bad > 0:
		loading := min(p.collecting, c.errors)
		p.f.reports(l, bad, bad-loading)
		p.f.build += loading
		p.f.ran = p.f.ran || c.failed+c.passed > 0
	case c.passed > 0:
		p.f.ran = true
	default:
		p.f.empty(l)
		p.noneAt = l.no
	}
	p.collecting = 0
	return true
}

type pytestTally struct{ failed, errors, passed int }

func pytestCounts(b []byte) (c pytestTally, ok bool) {
	switch string(b) {
	case "no tests ran", "no tests collected":
		return c, true
	}
	if hasSuffix(b, " selected)") || hasSuffix(b, " deselected)") { // "1/3 tests collected (2 deselected)"
		if i := bytes.LastIndex(b, []byte(" (")); i > 0 {
			b = b[:i]
		}
	}
	for _, part := range bytes.Split(b, []byte(", ")) {
		n, size := digits(part)
		if size == 0 {
			return c, false
		}
		word := part[size:]
		if len(word) > 1 && word[0] == '/' { // of all that exist
			_, k := digits(word[1:])
			word = word[1+k:]
		}
		switch string(bytes.TrimLeft(word, " ")) {
		case "failed":
			c.failed += n
		case "error", "errors":
			c.errors += n
		case "passed", "xfailed", "xpassed":
			c.passed += n
		case "skipped", "deselected", "warning", "warnings", "rerun", "test collected", "tests collected":
		default:
			return c, false
		}
	}
	return c, true
}

// pytestDuration reads "0.12s", "61.20s (0:01:01)" and "0.12 seconds".
func pytestDuration(b []byte) bool {
	if i := bytes.Index(b, []byte("s (")); i > 0 && hasSuffix(b, ")") {
		b = b[:i+1]
	}
	b, old := bytes.CutSuffix(b, []byte(" seconds")) // before pytest 5.4
	if !old {
		b = bytes.TrimSuffix(b, []byte("s"))
	}
	for _, c := range b {
		if c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(b) > 0
}
