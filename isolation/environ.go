package isolation

import (
	"path/filepath"
	"slices"
	"strings"
)

// passedNames are the variables that a command gets from the user's
// environment, beside all LC_*. Each names a place, a language or a person;
// none changes what a tool does with its input, and none is a secret.
//
//   - USER and LOGNAME are passed: tests ask for the account that runs them,
//     and it can be read from the system anyway.
//   - SHELL is passed to hooks alone: agents start it.
//   - HOME and TMPDIR are not: the caller gives private ones.
//   - PYTHONPATH, NODE_PATH and their kin are not: they may lead into the
//     user's own worktree, and then the wrong code is judged.
//   - CI is not: a run must not differ between a desk and a pipeline.
//
// All else that steers tools (GIT_*, LD_*, PYTEST_ADDOPTS, NODE_OPTIONS,
// MAKEFLAGS, BASH_ENV, ENV ...) or is a secret stays out by not being named.
var passedNames = []string{"PATH", "LANG", "TERM", "TZ", "USER", "LOGNAME"}

// defaultPath stands in for an unset or unusable PATH.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Environ builds the environment of a job: what of base is on the allowlist,
// and add, which wins. The caller adds HOME and TMPDIR, what ToolchainEnv gives
// and what the user named. Entries that are not NAME=value are left out. The
// result is sorted, and holds every name once.
//
// PATH loses its relative and empty entries: they would be looked up in the
// room, whose content is not the user's.
func Environ(role Role, base, add []string) []string {
	vars := map[string]string{}
	for _, entry := range base {
		name, value, ok := splitEntry(entry)
		if ok && passed(role, name) {
			vars[name] = value
		}
	}
	vars["PATH"] = absolutePath(vars["PATH"])
	for _, entry := range add {
		if name, value, ok := splitEntry(entry); ok {
			vars[name] = value
		}
	}
	out := make([]string, 0, len(vars))
	for name, value := range vars {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

func passed(role Role, name string) bool {
	return slices.Contains(passedNames, name) || strings.HasPrefix(name, "LC_") || name == "SHELL" && role == RoleHook
}

func splitEntry(entry string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(entry, "=")
	return name, value, ok && name != "" && !strings.Contains(entry, "\x00")
}

func absolutePath(path string) string {
	entries := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool { return !filepath.IsAbs(dir) })
	if len(entries) == 0 {
		return defaultPath
	}
	return strings.Join(entries, string(filepath.ListSeparator))
}
