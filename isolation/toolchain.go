package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// toolchain is one variable by which a tool finds what it keeps in the user's
// home folder, where a command with a private HOME would not look.
type toolchain struct {
	name string
	// path is the default place, relative to home; "" when the variable is
	// passed only where the user has set it.
	path string
	// under names another variable that moves the default place, and from is
	// path relative to its value.
	under, from string
	// when is a pattern relative to home that must match for the default to
	// count; "" means that path must exist.
	when string
}

// toolchains holds one row a variable. None of them is a secret by itself; a
// folder may hold one (CARGO_HOME/credentials.toml), which a box that isolates
// must cover.
var toolchains = []toolchain{
	// Go
	{name: "GOROOT"},
	{name: "GOMODCACHE", path: "go/pkg/mod", under: "GOPATH", from: "pkg/mod"},
	// Rust
	{name: "RUSTUP_HOME", path: ".rustup"},
	{name: "RUSTUP_TOOLCHAIN"},
	{name: "CARGO_HOME", path: ".cargo"},
	// Python
	{name: "PYENV_ROOT", path: ".pyenv"},
	{name: "PYENV_VERSION"},
	{name: "VIRTUAL_ENV"},
	{name: "CONDA_PREFIX"},
	{name: "PYTHONUSERBASE", path: ".local", when: ".local/lib/python*/site-packages"},
	{name: "WORKON_HOME", path: ".local/share/virtualenvs"},
	{name: "POETRY_VIRTUALENVS_PATH", path: ".cache/pypoetry/virtualenvs"},
	{name: "UV_PYTHON_INSTALL_DIR", path: ".local/share/uv/python"},
	// JavaScript
	{name: "NVM_DIR", path: ".nvm"},
	{name: "NVM_BIN"},
	{name: "FNM_DIR", path: ".local/share/fnm"},
	{name: "VOLTA_HOME", path: ".volta"},
	{name: "BUN_INSTALL", path: ".bun"},
	{name: "PNPM_HOME", path: ".local/share/pnpm"},
	{name: "PLAYWRIGHT_BROWSERS_PATH", path: ".cache/ms-playwright"},
	// JVM
	{name: "JAVA_HOME"},
	{name: "SDKMAN_DIR", path: ".sdkman"},
	{name: "GRADLE_USER_HOME", path: ".gradle"},
	// Ruby
	{name: "RBENV_ROOT", path: ".rbenv"},
	{name: "GEM_HOME"},
	{name: "GEM_PATH"},
	// Others
	{name: "DOTNET_ROOT", path: ".dotnet"},
	{name: "NUGET_PACKAGES", path: ".nuget/packages"},
	{name: "MIX_HOME", path: ".mix"},
	{name: "HEX_HOME", path: ".hex"},
	{name: "OPAMROOT", path: ".opam"},
	{name: "STACK_ROOT", path: ".stack"},
	{name: "PUB_CACHE", path: ".pub-cache"},
	{name: "ANDROID_HOME"},
	// Version managers for all of them
	{name: "ASDF_DIR", path: ".asdf"},
	{name: "ASDF_DATA_DIR", path: ".asdf"},
	{name: "MISE_DATA_DIR", path: ".local/share/mise"},
	{name: "MISE_GLOBAL_CONFIG_FILE", path: ".config/mise/config.toml"},
}

// ToolchainEnv returns the variables by which toolchains are found that live
// under home, the user's own home folder, for commands that get a private HOME:
// a value that environ sets is passed, else the default place where it exists.
// Go's own settings are among them, see goSettings.
func ToolchainEnv(environ []string, home string) []string {
	vars := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := splitEntry(entry); ok {
			vars[name] = value
		}
	}
	stored := goStored(vars, home)
	get := func(name string) string {
		if value := vars[name]; value != "" {
			return value
		}
		return stored[name]
	}
	var out []string
	for _, row := range toolchains {
		value := get(row.name)
		if value == "" {
			value = row.place(get, home)
		}
		if value != "" {
			out = append(out, row.name+"="+value)
		}
	}
	out = append(out, goSettings(get)...)
	slices.Sort(out)
	return out
}

// place is the default place of a row, or "" when nothing is there.
func (row toolchain) place(get func(string) string, home string) string {
	if row.path == "" || !filepath.IsAbs(home) {
		return ""
	}
	place := filepath.Join(home, row.path)
	if row.under != "" {
		if list := filepath.SplitList(get(row.under)); len(list) > 0 && filepath.IsAbs(list[0]) {
			place = filepath.Join(list[0], row.from)
		}
	}
	if row.when != "" {
		if found, err := filepath.Glob(filepath.Join(escapeGlob(home), row.when)); err != nil || len(found) == 0 {
			return ""
		}
	}
	if _, err := os.Stat(place); err != nil {
		return ""
	}
	return place
}

// escapeGlob takes the meaning from pattern characters of a path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
