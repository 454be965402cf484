package loop

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// QuotePath returns a path in a form that JSON, a terminal line and a table
// can hold without loss. A path that is valid UTF-8, has no control or
// bidirectional-override characters and does not begin with a double quote is
// returned as it is. Every other path is quoted as git quotes it with
// core.quotePath set (git-config(1)): in double quotes, with backslash escapes
// and three octal digits for each byte outside printable ASCII.
func QuotePath(path string) string {
	if plainPath(path) {
		return path
	}
	var b strings.Builder
	b.Grow(2 + 2*len(path))
	b.WriteByte('"')
	for i := range len(path) {
		writeQuoted(&b, path[i])
	}
	b.WriteByte('"')
	return b.String()
}

// plainPath reports whether a path can stand as it is. A leading double quote
// is the mark of a quoted path, so a path that has one is not plain.
func plainPath(path string) bool {
	if !utf8.ValidString(path) || strings.HasPrefix(path, `"`) {
		return false
	}
	for _, r := range path {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

func writeQuoted(b *strings.Builder, c byte) {
	if letter, ok := escapeLetter(c); ok {
		b.WriteByte('\\')
		b.WriteByte(letter)
		return
	}
	if c < 0x20 || c >= 0x7f {
		fmt.Fprintf(b, `\%03o`, c)
		return
	}
	b.WriteByte(c)
}

func escapeLetter(c byte) (byte, bool) {
	i := strings.IndexByte(escapedBytes, c)
	if i < 0 {
		return 0, false
	}
	return escapeLetters[i], true
}

// The bytes that have an escape of one letter, and those letters in the same order.
const (
	escapedBytes  = "\a\b\t\n\v\f\r\"\\"
	escapeLetters = `abtnvfr"\`
)

// UnquotePath is the inverse of QuotePath. It fails on text that begins with a
// double quote and is not a whole quoted path.
func UnquotePath(quoted string) (string, error) {
	if !strings.HasPrefix(quoted, `"`) {
		return quoted, nil
	}
	body := quoted[1:]
	var b strings.Builder
	for {
		i := strings.IndexAny(body, `"\`)
		if i < 0 {
			return "", fmt.Errorf("quoted path %s: the closing quote is missing", quoted)
		}
		b.WriteString(body[:i])
		if body[i] == '"' {
			if len(body) > i+1 {
				return "", fmt.Errorf("quoted path %s: text follows the closing quote", quoted)
			}
			return b.String(), nil
		}
		c, n, err := readEscape(body[i+1:])
		if err != nil {
			return "", fmt.Errorf("quoted path %s: %w", quoted, err)
		}
		b.WriteByte(c)
		body = body[i+1+n:]
	}
}

// readEscape reads what follows a backslash: one letter or three octal digits.
func readEscape(s string) (c byte, length int, err error) {
	if s == "" {
		return 0, 0, fmt.Errorf("it ends in a backslash")
	}
	if i := strings.IndexByte(escapeLetters, s[0]); i >= 0 {
		return escapedBytes[i], 1, nil
	}
	if len(s) < 3 || s[0] < '0' || s[0] > '3' || !octal(s[1]) || !octal(s[2]) {
		return 0, 0, fmt.Errorf(`unknown escape \%c`, s[0])
	}
	return (s[0]-'0')<<6 | (s[1]-'0')<<3 | (s[2] - '0'), 3, nil
}

func octal(c byte) bool { return c >= '0' && c <= '7' }
