package isolation

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shellPath is the machine's POSIX shell. /bin/sh is preferred to a search, so
// that no folder of a job's PATH decides which shell runs its line.
func shellPath() string {
	const posix = "/bin/sh"
	if _, err := os.Stat(posix); err == nil {
		return posix
	}
	if path, err := exec.LookPath("sh"); err == nil {
		return path
	}
	return posix // starting it tells what is wrong
}

// lookPath finds a program as execvp(3) does, with the PATH of the job's own
// environment and seen from its folder. The error is a *startError.
func lookPath(name string, env []string, dir string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		return name, nil
	}
	path := "/bin:/usr/bin" // execvp's own, when PATH is not set
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	failure := &startError{path: name, notFound: true, err: exec.ErrNotFound}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		candidate := filepath.Join(folder, name)
		info, err := os.Stat(candidate)
		switch {
		case err != nil || info.IsDir():
		case !executable(info):
			failure = &startError{path: candidate, refused: true, err: fs.ErrPermission}
		default:
			return candidate, nil
		}
	}
	return "", failure
}
