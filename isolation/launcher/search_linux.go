package launcher

import "syscall"

// search finds a program in the root that the launcher is in, as execvp(3)
// does: the folders of PATH for a name without a slash.
func search(name string, env []string) (string, error) {
	for i := range len(name) {
		if name[i] == '/' {
			return name, nil
		}
	}
	path := "/bin:/usr/bin" // execvp's own, when PATH is not set
	const variable = "PATH="
	for _, entry := range env {
		if len(entry) >= len(variable) && entry[:len(variable)] == variable {
			path = entry[len(variable):]
		}
	}
	err := error(syscall.ENOENT)
	for rest := path + ":"; rest != ""; {
		end := 0
		for rest[end] != ':' {
			end++
		}
		dir := rest[:end]
		rest = rest[end+1:]
		if dir == "" {
			dir = "."
		}
		candidate := dir + "/" + name
		var st syscall.Stat_t
		if syscall.Stat(candidate, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
			continue
		}
		const execute = 1 // X_OK
		if syscall.Access(candidate, execute) == nil {
			return candidate, nil
		}
		err = syscall.EACCES
	}
	return "", err
}
