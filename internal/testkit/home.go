package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Main runs a package's tests in a home folder of their own, with no GIT_*
// variable and no system-wide git configuration, and returns the exit code
// for os.Exit. Tests can then run in parallel:
//
//	func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
func Main(m *testing.M) int {
	home, err := os.MkdirTemp("", "home-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	for name, value := range HomeEnv(home) {
		os.Setenv(name, value)
	}
	if err := WriteGitConfig(home); err != nil {
		panic(err)
	}
	return m.Run()
}

// Home gives one test a home folder of its own and returns it. A test that
// writes to the global git configuration needs it; such a test cannot be
// parallel.
func Home(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	for name, value := range HomeEnv(home) {
		t.Setenv(name, value)
	}
	if err := WriteGitConfig(home); err != nil {
		t.Fatal(err)
	}
	return home
}

// HomeEnv is the environment of a process whose user has the given home folder.
func HomeEnv(home string) map[string]string {
	return map[string]string{
		"HOME":            home,
		"USERPROFILE":     home,
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_CACHE_HOME":  filepath.Join(home, ".cache"),
		"XDG_STATE_HOME":  filepath.Join(home, ".local", "state"),
		"XDG_DATA_HOME":   filepath.Join(home, ".local", "share"),
		"GOENV":           "off",
	}
}

// WriteGitConfig is what a user has: a name. The default branch is set so
// that tests do not depend on git's version, file submodules are allowed
// because the tests' remotes are folders, and nothing is collected behind a
// test's back.
func WriteGitConfig(home string) error {
	const text = "[user]\n\tname = Test\n\temail = test@example.com\n" +
		"[init]\n\tdefaultBranch = main\n" +
		"[protocol \"file\"]\n\tallow = always\n" +
		"[gc]\n\tauto = 0\n" +
		"[advice]\n\tdetachedHead = false\n"
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(text), 0o600)
}
