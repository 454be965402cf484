package feedback

// complains tells whether a line holds a word such as "error" or "failed",
// whole and not behind a zero ("0 errors").
func complains(b []byte) bool {
	within := false
	for i := 0; i < len(b); i++ {
		if !isLetter(b[i]) {
			within = false
			continue
		}
		if within {
			continue
		}
		within = true
		if !alarmInitial(b[i] | 0x20) {
			continue
		}
		start := i
		for i < len(b) && isLetter(b[i]) {
			i++
		}
		if alarm(b, start, i) {
			return true
		}
		within = false
	}
	return false
}

// alarm tells whether the word b[start:end] is a complaint where it stands.
func alarm(b []byte, start, end int) bool {
	if n := end - start; n < 4 || n > 12 || !alarmLength(b[start]|0x20, n) || !alarming(b[start:end]) {
		return false
	}
	if start > 0 && partOfName(b[start-1]) || end+1 < len(b) && partOfName(b[end]) && isWord(b[end+1]) {
		return false
	}
	if b[start]|0x20 == 'f' && hasSuffix(b[:end], "ound") {
		return hasSuffix(b[:start], "not ") // "command not found"
	}
	return !denied(b[:start])
}

// alarmInitial tells the first letters of the alarming words.
func alarmInitial(c byte) bool {
	switch c {
	case 'e', 'f', 'p', 't', 'a', 'u', 'm', 's', 'k', 'd', 'c', 'i':
		return true
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

// alarmLength tells whether an alarming word has this first letter and length.
func alarmLength(c byte, n int) bool {
	switch c {
	case 'e':
		return n == 5 || n == 6 || n == 8 || n == 9
	case 'f':
		return n <= 8
	case 'p':
		return n == 5 || n == 8
	case 'a':
		return n == 7 || n == 9
	case 'u':
		return n == 9 || n == 10
	case 'd', 'k', 'c':
		return n == 6
	}
	return n >= 7
}

// alarming tells the words, whatever their case.
func alarming(word []byte) bool {
	var low [12]byte
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
