package gitops

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold is the form in which two paths are equal when some file system takes
// one for the other: letter case and Unicode composition do not count (APFS,
// NTFS), nor do characters that HFS+ ignores, nor dots and spaces at the end
// of a name (Win32). Bytes that are no UTF-8 stay as they are.
func fold(path string) string {
	if isPlain(path) {
		return strings.ToLower(path)
	}
	var out strings.Builder
	for i, name := range strings.Split(path, "/") {
		if i > 0 {
			out.WriteByte('/')
		}
		out.WriteString(foldName(name))
	}
	return out.String()
}

// isPlain says that a path needs no more than small letters.
func isPlain(path string) bool {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			return false
		}
	}
	return !strings.HasSuffix(path, ".") && !strings.HasSuffix(path, " ") &&
		!strings.Contains(path, "./") && !strings.Contains(path, " /")
}

func foldName(name string) string {
	var out strings.Builder
	for len(name) > 0 {
		text := validPrefix(name)
		if text == "" { // one byte that is no UTF-8
			out.WriteByte(name[0])
			name = name[1:]
			continue
		}
		name = name[len(text):]
		text = strings.Map(dropIgnored, text)
		text = cases.Fold().String(norm.NFD.String(text))
		out.WriteString(norm.NFC.String(text))
	}
	folded := strings.TrimRight(out.String(), ". ")
	if folded == "" {
		return out.String()
	}
	return folded
}

// validPrefix is the part of s before the first byte that is no UTF-8.
func validPrefix(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return s[:i]
		}
		i += n
	}
	return s
}

// dropIgnored leaves out what a name may hold without a visible sign: the
// format characters, among them those that HFS+ ignores.
func dropIgnored(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}
