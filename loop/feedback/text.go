package feedback

import (
	"bytes"
	"unicode/utf8"
)

// maxLineNumber is the highest line number that is believed.
const maxLineNumber = 9_999_999

// digits reads a decimal number without leading zeros at the start of b and
// returns it with its length; 0, 0 where there is none.
func digits(b []byte) (n, size int) {
	for size < len(b) && b[size] >= '0' && b[size] <= '9' {
		n = n*10 + int(b[size]-'0')
		size++
		if n > maxLineNumber {
			return 0, 0
		}
	}
	if size == 0 || b[0] == '0' {
		return 0, 0
	}
	return n, size
}

// diagnostic takes "PATH:LINE[:COLUMN]" off the start of b, as compilers print
// it, followed by a colon, a blank or nothing. The path may hold blanks. rest
// is what follows, without colon and blanks.
func diagnostic(b []byte) (path []byte, n int, rest []byte, ok bool) {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], ':')
		if i < 0 {
			return nil, 0, nil, false
		}
		i += from
		from = i + 1
		n, size := digits(b[i+1:])
		if size == 0 || i == 0 {
			continue
		}
		rest := b[i+1+size:]
		if len(rest) > 1 && rest[0] == ':' {
			if _, col := digits(rest[1:]); col > 0 {
				rest = rest[1+col:]
			}
		}
		if len(rest) > 0 && rest[0] != ':' && rest[0] != ' ' {
			continue
		}
		return b[:i], n, bytes.TrimLeft(rest, ": "), true
	}
}

// between returns what stands between the first open and the next close after
// it.
func between(b []byte, open, end string) ([]byte, bool) {
	i := bytes.Index(b, []byte(open))
	if i < 0 {
		return nil, false
	}
	b = b[i+len(open):]
	i = bytes.Index(b, []byte(end))
	if i < 0 {
		return nil, false
	}
	return b[:i], true
}

// ruleOf tells whether a line is one character repeated at least n times.
func ruleOf(b []byte, c byte, n int) bool {
	if len(b) < n {
		return false
	}
	for _, x := range b {
		if x != c {
			return false
		}
	}
	return true
}

// heading returns the words of a line such as "=== words ===": at least three
// characters c, a blank, the words, a blank and c again.
func heading(b []byte, c byte) ([]byte, bool) {
	if len(b) < 9 || b[0] != c || b[1] != c || b[2] != c || b[len(b)-1] != c {
		return nil, false
	}
	words := bytes.Trim(b, string(c))
	if len(words) < 3 || words[0] != ' ' || words[len(words)-1] != ' ' {
		return nil, false
	}
	return words[1 : len(words)-1], true
}

// hasAnyPrefix tells whether one of the prefixes starts b.
func hasAnyPrefix(b []byte, prefixes ...string) bool {
	for _, p := range prefixes {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return true
		}
	}
	return false
}

func hasPrefix(b []byte, p string) bool { return len(b) >= len(p) && string(b[:len(p)]) == p }

func hasSuffix(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }

// firstLine returns the first line of s.
func firstLine(s string) []byte {
	first, _, _ := bytes.Cut([]byte(s), []byte("\n"))
	return first
}

// clip returns at most n bytes of b, which is UTF-8, cut at a character's
// border.
func clip(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// cutLast cuts b at the last sep.
func cutLast(b []byte, sep string) (before, after []byte, ok bool) {
	i := bytes.LastIndex(b, []byte(sep))
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+len(sep):], true
}
