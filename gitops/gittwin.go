package gitops

import (
	"regexp"
	"strings"
)

// gitTwin says whether some file system takes a name for ".git", or a name
// with backslashes for a path that has it: whatever its case, as Windows reads
// it ("git~1", trailing dots and spaces, a stream after a colon) or as HFS+
// reads it (without its invisible characters). Git refuses to put such a path
// into an index (git-config(1), core.protectNTFS and core.protectHFS). ".git"
// itself is one too.
func gitTwin(name string) bool { return standsFor(name, ".git", gitShort) }

// modulesTwin is gitTwin for ".gitmodules", which may be no symbolic link.
func modulesTwin(name string) bool { return standsFor(name, ".gitmodules", modulesShort) }

// The short names that Windows may give to the two, as git knows them: the
// first letters and a number, or, when those are taken, letters from a hash.
var (
	gitShort     = regexp.MustCompile(`(?i)^git~1$`)
	modulesShort = regexp.MustCompile(`(?i)^(gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9]\d|gi7e~[1-9]\d{2}|` +
		`gi7~[1-9]\d{3}|gi~[1-9]\d{4}|g~[1-9]\d{5}|~[1-9]\d{6})$`)
)

func standsFor(name, dotted string, short *regexp.Regexp) bool {
	for part := range strings.SplitSeq(name, `\`) {
		windows, _, _ := strings.Cut(part, ":")
		windows = strings.TrimRight(windows, " .")
		if strings.EqualFold(windows, dotted) || short.MatchString(windows) || strings.EqualFold(hfsName(part), dotted) {
			return true
		}
	}
	return false
}

// hfsName drops the code points that HFS+ ignores in a name (Apple's
// Technical Note TN1150 lists them).
func hfsName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, name)
}
