package gitops

import (
	"os"
	"strings"
)

// scrub removes from an environment everything that would point git at
// another repository, index, object store, configuration or helper than the
// folder it runs in says. A git hook sets some of these for its children
// (githooks(5)), and a nested git then works on the wrong repository. What
// `git rev-parse --local-env-vars` lists, and GIT_EXEC_PATH, GIT_SSH*,
// GIT_ASKPASS, GIT_TRACE*, GIT_NAMESPACE, GIT_EXTERNAL_DIFF and
// GIT_CEILING_DIRECTORIES, all begin with GIT_, so the whole prefix goes.
func scrub(env []string) []string {
	kept := make([]string, 0, len(env)+4)
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name) // names have no case on Windows
		if strings.HasPrefix(name, "GIT_") || name == "LC_ALL" || name == "LANGUAGE" {
			continue
		}
		kept = append(kept, kv)
	}
	return append(kept,
		"LC_ALL=C",                 // messages are read by this package
		"GIT_TERMINAL_PROMPT=0",    // never ask for a password
		"GIT_OPTIONAL_LOCKS=0",     // never refresh the user's index in passing
		"GIT_NO_REPLACE_OBJECTS=1", // a tree is what its id says (git-replace(1))
	)
}

// privateEnv makes git read no configuration, attributes or ignores but those
// of the repository itself. The default places of core.excludesFile and
// core.attributesFile hang on XDG_CONFIG_HOME and HOME.
func privateEnv() []string {
	return []string{
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_ATTR_NOSYSTEM=1",
		"XDG_CONFIG_HOME=" + os.DevNull,
	}
}

// privateConfig keeps git from starting anything on the side.
func privateConfig() []string {
	return []string{
		"core.hooksPath=" + os.DevNull,
		"core.fsmonitor=false",
		"gc.auto=0",
		"maintenance.auto=false",
	}
}
