package gitops

import (
	"strings"
	"unicode"
)

// gitTwin says whether some file system takes a name for ".git": whatever its
// case, as Windows reads it ("git~1", trailing dots and spaces, a stream after
// a colon) or as HFS+ reads it (without its invisible characters). Git refuses
// to put such a path into an index (git-config(1), core.protectNTFS and
// core.protectHFS). ".git" itself is one too.
func gitTwin(name string) bool { return standsFor(name, ".git", "git~1") }

// modulesTwin is gitTwin for ".gitmodules", which may be no symbolic link.
func modulesTwin(name string) bool {
	return standsFor(name, ".gitmodules", "gitmod~1", "gitmod~2", "gitmod~3", "gitmod~4")
}

func standsFor(name string, dotted string, short ...string) bool {
	if strings.EqualFold(hfsName(name), dotted) {
		return true
	}
	// A backslash is a separator on Windows: git looks at what precedes it.
	first, _, _ := strings.Cut(name, `\`)
	windows, _, _ := strings.Cut(first, ":")
	windows = strings.TrimRight(windows, " .")
	for _, s := range append(short, dotted) {
		if strings.EqualFold(windows, s) {
			return true
		}
	}
	return false
}

// hfsName drops the code points that HFS+ ignores in a name (the list is in
// git's utf8.c and in Apple's Technical Note TN1150).
func hfsName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
