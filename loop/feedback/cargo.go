package feedback

import "bytes"

// cargo reads `cargo test`: "test name ... FAILED", the closing "test result:
// FAILED. 0 passed; 2 failed; ..." of each binary, and cargo's word that a
// test target did not compile.
type cargo struct{ f *findings }

func newCargo(f *findings) runner { return &cargo{f: f} }

func (c *cargo) line(l *line) {
	if len(l.text) == 0 {
		return
	}
	switch l.text[0] {
	case 't':
		if rest, ok := bytes.CutPrefix(l.text, []byte("test result: ")); ok {
			c.result(l, rest)
			return
		}
		if name, ok := bytes.CutSuffix(l.text, []byte(" ... FAILED")); ok && hasPrefix(name, "test ") {
			c.f.test(l.no, string(bytes.TrimPrefix(name, []byte("test "))))
			c.f.fail(l)
		}
	case 'e':
		if hasPrefix(l.text, "error: could not compile `") && (bytes.Contains(l.text, []byte(" test) ")) || bytes.Contains(l.text, []byte("(test \""))) {
			c.f.fail(l)
			c.f.builds(l, 1)
			c.f.unexplained++
		}
	}
}

// result reads "ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out;
// finished in 0.00s".
func (c *cargo) result(l *line, rest []byte) {
	verdict, counts, ok := bytes.Cut(rest, []byte(". "))
	passed, rest, ok2 := bytes.Cut(counts, []byte(" passed; "))
	failed, _, ok3 := bytes.Cut(rest, []byte(" failed; "))
	if !ok || !ok2 || !ok3 {
		return
	}
	good, _ := digits(passed)
	bad, _ := digits(failed)
	switch string(verdict) {
	case "FAILED":
		c.f.ran = true
		c.f.reports(l, max(bad, 1), max(bad, 1))
	case "ok":
		c.f.recognise(l)
		if good > 0 {
			c.f.ran = true
		} else {
			c.f.empty(l)
		}
	}
}

func (c *cargo) end() {}
