package feedback

import "unicode/utf8"

// plain tells the bytes that a cleaned line may hold as they are: printable
// ASCII and the tab.
func plain(b byte) bool { return b-0x20 < 0x5f || b == '\t' }

// cleaner makes the bytes of a line safe to print and to parse: escape
// sequences and control characters are dropped, a backspace takes the
// character before it, bytes that are not UTF-8 become U+FFFD.
type cleaner struct{ buf []byte }

// clean returns the cleaned line without blanks at its end. The result is valid
// until the next call and may share raw's memory.
func (c *cleaner) clean(raw []byte) (text []byte, h hints) {
	n, h := scan(raw)
	if n < len(raw) {
		raw = c.slow(raw, n)
		h = colonDigit | blankDigit | parenDigit // not worth another look
	}
	end := len(raw)
	for end > 0 && (raw[end-1] == ' ' || raw[end-1] == '\t') {
		end--
	}
	return raw[:end], h
}

// scan returns the length of the plain text at the start of b and its hints.
func scan(b []byte) (n int, h hints) {
	prev := byte(0)
	for i, c := range b {
		if !plain(c) {
			return i, h
		}
		if isDigit(c) {
			switch prev {
			case ':':
				h |= colonDigit
			case ' ':
				h |= blankDigit
			case '(':
				h |= parenDigit
			}
		}
		prev = c
	}
	return len(b), h
}

func isDigit(c byte) bool { return c-'0' < 10 }

func (c *cleaner) slow(raw []byte, done int) []byte {
	out := append(c.buf[:0], raw[:done]...)
	home := false // the cursor was sent to the left edge: what follows overwrites
	for i := done; i < len(raw); {
		b := raw[i]
		if home && b >= 0x20 && b != 0x7f {
			out, home = out[:0], false
		}
		switch {
		case plain(b):
			out = append(out, b)
			i++
		case b == 0x1b:
			n := escape(raw[i:])
			switch string(raw[i : i+n]) {
			case "\x1b[G", "\x1b[1G":
				home = true
			case "\x1b[2K":
				out = out[:0]
			}
			i += n
		case b == '\b':
			_, n := utf8.DecodeLastRune(out)
			out = out[:len(out)-n]
			i++
		case b < utf8.RuneSelf:
			i++ // NUL, BEL and the other controls
		default:
			r, n := utf8.DecodeRune(raw[i:])
			i += n
			if r >= 0x80 && r < 0xa0 {
				continue // C1 controls
			}
			out = utf8.AppendRune(out, r) // RuneError encodes as U+FFFD
		}
	}
	c.buf = out
	return out
}

// escape returns the length of the escape sequence at the start of b
// (ECMA-48: CSI ends at 0x40-0x7e, string sequences end at BEL or ST). An
// unfinished sequence never reaches past the line, so that a program cannot
// hide what follows.
func escape(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x7e {
				return i // broken off: what follows is text
			}
		}
		return len(b)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 2 // no end on this line: show the text rather than lose it
	}
	i := 1
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f { // intermediates, as in ESC ( B
		i++
	}
	if i < len(b) && b[i] >= 0x30 && b[i] <= 0x7e {
		i++
	}
	return i
}

// cutRunes returns at most n bytes of s, cut at a character's border.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
