package isolation

import (
	"bufio"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// goPassed are the settings of the go command that decide where modules and
// toolchains come from and how code is built (`go help environment`). They are
// passed as the user has set them, in the environment or by `go env -w`.
var goPassed = []string{
	"GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GOINSECURE",
	"GOTOOLCHAIN", "GOEXPERIMENT", "CGO_ENABLED",
}

// goFlagsOut are the flags that would change which tests run, or what runs in
// their place. -count is set anew.
var goFlagsOut = []string{
	"run", "skip", "list", "exec", "toolexec", "overlay", "n", "c", "count",
}

// goSettings are the go command's settings under a private HOME. GOENV=off: the
// user's stored settings are out of reach there and are passed here instead,
// and a hook cannot store others. -count=1: a test result is never answered
// from the cache.
func goSettings(get func(string) string) []string {
	out := []string{"GOENV=off", "GOFLAGS=" + goFlags(get("GOFLAGS"))}
	for _, name := range goPassed {
		value := get(name)
		if name == "GOPROXY" {
			value = withoutCredentials(value)
		}
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// goFlags filters GOFLAGS: a list of -flag=value separated by spaces, each of
// which may stand in quotes.
func goFlags(value string) string {
	var kept []string
	for _, flag := range splitQuoted(value) {
		name := strings.TrimLeft(strings.Trim(flag, `'"`), "-")
		name, _, _ = strings.Cut(name, "=")
		if !slices.Contains(goFlagsOut, strings.TrimPrefix(name, "test.")) {
			kept = append(kept, flag)
		}
	}
	return strings.Join(append(kept, "-count=1"), " ")
}

// splitQuoted splits at blanks outside of quotes and keeps the quotes. As in
// the go command, a quote counts at the start of a flag alone.
func splitQuoted(text string) []string {
	const blanks = " \t\r\n"
	var out []string
	for {
		text = strings.TrimLeft(text, blanks)
		if text == "" {
			return out
		}
		end := strings.IndexAny(text, blanks)
		if q := text[0]; q == '\'' || q == '"' {
			if i := strings.IndexByte(text[1:], q); i >= 0 {
				end = i + 2
			}
		}
		if end < 0 {
			end = len(text)
		}
		out, text = append(out, text[:end]), text[end:]
	}
}

// withoutCredentials drops the proxies of a GOPROXY list that hold a name or a
// password: commands get no secrets. When nothing is left, modules can come
// from the module cache alone.
func withoutCredentials(list string) string {
	if !strings.Contains(list, "@") {
		return list
	}
	var kept strings.Builder
	for list != "" {
		end := strings.IndexAny(list, ",|") // the separator says when to go on to the next
		item, rest := list, ""
		if end >= 0 {
			item, rest = list[:end+1], list[end+1:]
		}
		u, err := url.Parse(strings.TrimRight(item, ",|"))
		if err == nil && u.User == nil {
			kept.WriteString(item)
		}
		list = rest
	}
	if out := strings.TrimRight(kept.String(), ",|"); out != "" {
		return out
	}
	return "off"
}

// goStored reads what `go env -w` has stored for the user.
func goStored(vars map[string]string, home string) map[string]string {
	path := vars["GOENV"]
	switch {
	case path == "off":
		return nil
	case path == "":
		path = filepath.Join(configDir(vars, home), "go", "env")
	}
	if !filepath.IsAbs(path) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	stored := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// A line is NAME=value; what starts otherwise is a comment to go.
		if name, value, ok := splitEntry(lines.Text()); ok && name[0] >= 'A' && name[0] <= 'Z' {
			stored[name] = value
		}
	}
	return stored
}

// configDir is os.UserConfigDir of the user whose environment and home are
// given.
func configDir(vars map[string]string, home string) string {
	switch runtime.GOOS {
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support")
	case "windows":
		return vars["AppData"]
	}
	if dir := vars["XDG_CONFIG_HOME"]; filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, ".config")
}
