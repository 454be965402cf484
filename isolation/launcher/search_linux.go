package launcher

import (
	"strings"

	"golang.org/x/sys/unix"
)

// search finds a program in the root that the launcher is in, as execvp(3)
// does: the folders of PATH for a name without a slash.
func search(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	path := "/bin:/usr/bin" // execvp's own, when PATH is not set
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	err := error(unix.ENOENT)
	for _, dir := range strings.Split(path, ":") {
		if dir == "" {
			dir = "."
		}
		candidate := dir + "/" + name
		var st unix.Stat_t
		if unix.Stat(candidate, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
			continue
		}
		if unix.Access(candidate, unix.X_OK) == nil {
			return candidate, nil
		}
		err = unix.EACCES
	}
	return "", err
}
