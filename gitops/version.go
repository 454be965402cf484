package gitops

import (
	"fmt"
	"strconv"
	"strings"
)

// neededVersion is the oldest git that has all that is used here.
var neededVersion = Version{2, 34, 0}

// Version is a git version without its vendor's suffix.
type Version struct{ Major, Minor, Patch int }

// VersionError says that the git on PATH is too old, or that what it says of
// itself is not a version.
type VersionError struct {
	Found  string // what `git version` printed
	Needed string
}

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("git %s or newer is needed, found %s", e.Needed, printable(e.Found))
}

// String is the dotted form; a patch level of zero is not written.
func (v Version) String() string {
	if v.Patch == 0 {
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Less says that v is older than w.
func (v Version) Less(w Version) bool {
	if v.Major != w.Major {
		return v.Major < w.Major
	}
	if v.Minor != w.Minor {
		return v.Minor < w.Minor
	}
	return v.Patch < w.Patch
}

// parseVersion reads the output of `git version`. Vendors append words to the
// line and to the number ("2.39.5 (Apple Git-154)", "2.45.1.windows.1",
// "2.46.0.rc1", "2.40.GIT"); major and minor are required.
func parseVersion(out string) (Version, bool) {
	rest, ok := strings.CutPrefix(out, "git version ")
	if !ok {
		return Version{}, false
	}
	word, _, _ := strings.Cut(rest, " ")
	parts := strings.SplitN(strings.TrimSpace(word), ".", 4)
	if len(parts) < 2 {
		return Version{}, false
	}
	var n [3]int
	for i := 0; i < len(parts) && i < 3; i++ {
		v, err := strconv.ParseUint(parts[i], 10, 31)
		if err != nil {
			if i < 2 {
				return Version{}, false
			}
			break // the third part may be a vendor's word
		}
		n[i] = int(v)
	}
	return Version{n[0], n[1], n[2]}, true
}
