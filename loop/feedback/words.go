package feedback

// complains tells whether a line holds a word such as "error" or "failed",
// whole and not behind a zero ("0 errors").
func complains(b []byte) bool {
	for i := 0; i < len(b); {
		if !isLetter(b[i]) {
			i++
			continue
		}
		start := i
		for i < len(b) && isLetter(b[i]) {
			i++
		}
		if n := i - start; n < 4 || n > 13 || !alarming(b[start:i]) {
			continue
		}
		if start > 0 && partOfName(b[start-1]) || i < len(b) && partOfName(b[i]) && (i+1 < len(b) && isWord(b[i+1])) {
			continue
		}
		if b[start]|0x20 == 'f' && hasSuffix(b[:i], "ound") {
			if hasSuffix(b[:start], "not ") {
				return true // "command not found"
			}
			continue
		}
		if !denied(b[:start]) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// partOfName tells the bytes that join words to names, as in error_test.go.
func partOfName(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == '=' || c >= '0' && c <= '9'
}

// denied tells whether a text ends in "0 " or "no ".
func denied(b []byte) bool {
	return hasSuffix(b, " 0 ") || string(b) == "0 " || hasSuffix(b, " no ") || string(b) == "no " || string(b) == "No "
}

// alarming tells the words, whatever their case.
func alarming(word []byte) bool {
	var low [13]byte
	for i, c := range word {
		low[i] = c | 0x20
	}
	switch string(low[:len(word)]) {
	case "error", "errors", "fail", "failed", "fails", "failure", "failures", "fatal", "panic", "panicked",
		"exception", "traceback", "assertion", "undefined", "unexpected", "mismatch", "expected", "segmentation",
		"aborted", "killed", "denied", "cannot", "invalid", "found":
		return true
	}
	return false
}
