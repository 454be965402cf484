package isolation

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnviron(t *testing.T) {
	base := []string{
		"PATH=/usr/bin::./bin:/bin:node_modules/.bin", "LANG=C.UTF-8", "LC_ALL=C", "LC_TIME=de_DE", "TERM=xterm", "TZ=UTC",
		"USER=me", "LOGNAME=me", "SHELL=/bin/zsh", "HOME=/home/me", "TMPDIR=/tmp", "PWD=/x", "LANG=C",
		"GIT_DIR=/x", "GIT_CONFIG_GLOBAL=/x", "PYTEST_ADDOPTS=--co", "NODE_OPTIONS=-r x", "MAKEFLAGS=-n", "BASH_ENV=x", "ENV=x",
		"PYTHONPATH=/x", "LD_PRELOAD=x", "LD_LIBRARY_PATH=x", "GITHUB_TOKEN=t", "GITHUB_ENV=/x", "AWS_SECRET_ACCESS_KEY=t",
		"SSH_AUTH_SOCK=/x", "GOFLAGS=-run=NONE", "CI=true", "XDG_CONFIG_HOME=/x", "LCX=1", "path=/x",
		"malformed", "=C:=x", "TZ=a\x00b",
	}
	got := Environ(RoleVerify, base, []string{"HOME=/private", "TMPDIR=/private/tmp", "GIT_AUTHOR_NAME=x", "TERM=dumb", "broken"})
	want := []string{
		"GIT_AUTHOR_NAME=x", "HOME=/private", "LANG=C", "LC_ALL=C", "LC_TIME=de_DE", "LOGNAME=me",
		"PATH=/usr/bin:/bin", "TERM=dumb", "TMPDIR=/private/tmp", "TZ=UTC", "USER=me",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if hook := Environ(RoleHook, base, nil); !slices.Contains(hook, "SHELL=/bin/zsh") {
		t.Errorf("a hook has no SHELL: %q", hook)
	}
	for _, path := range []string{"", ".", "bin:./x:"} {
		if got := Environ(RoleLint, []string{"PATH=" + path}, nil); !slices.Equal(got, []string{"PATH=" + defaultPath}) {
			t.Errorf("PATH %q gave %q", path, got)
		}
	}
}

func TestToolchainEnv(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home [x]*")
	for _, dir := range []string{".cargo", ".pyenv", "go/pkg/mod", "gopath/pkg/mod", ".local/lib/python3.11/site-packages", ".config/go"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	stored := "GOPROXY=https://stored.example\nGOPATH=" + home + "/gopath\n# comment\nGOSUMDB=off\nnonsense\n"
	if err := os.WriteFile(filepath.Join(home, ".config/go/env"), []byte(stored), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		environ []string
		want    []string // these are there
		absent  []string // no variable of these names
	}{
		{
			"defaults that exist", nil,
			[]string{"CARGO_HOME=" + home + "/.cargo", "PYENV_ROOT=" + home + "/.pyenv", "PYTHONUSERBASE=" + home + "/.local", "GOENV=off", "GOFLAGS=-count=1"},
			[]string{"RUSTUP_HOME", "NVM_DIR", "JAVA_HOME", "VIRTUAL_ENV", "GOPRIVATE"},
		},
		{
			"stored by go env -w", nil,
			[]string{"GOPROXY=https://stored.example", "GOSUMDB=off", "GOMODCACHE=" + home + "/gopath/pkg/mod"},
			[]string{"GOPATH"},
		},
		{
			"the environment wins",
			[]string{"GOPROXY=direct", "GOPATH=/elsewhere", "GOMODCACHE=/mod", "CARGO_HOME=/c", "JAVA_HOME=/j", "RUSTUP_HOME="},
			[]string{"GOPROXY=direct", "GOMODCACHE=/mod", "CARGO_HOME=/c", "JAVA_HOME=/j", "GOSUMDB=off"},
			[]string{"RUSTUP_HOME"},
		},
		{
			"GOENV=off",
			[]string{"GOENV=off"},
			[]string{"GOMODCACHE=" + home + "/go/pkg/mod"},
			[]string{"GOPROXY", "GOSUMDB"},
		},
		{
			"another config folder",
			[]string{"XDG_CONFIG_HOME=/nowhere"},
			nil,
			[]string{"GOPROXY"},
		},
		{
			"no secrets",
			[]string{"CARGO_REGISTRY_TOKEN=t", "NPM_TOKEN=t", "GOPROXY=https://me:pw@proxy.example,https://open.example|direct"},
			[]string{"GOPROXY=https://open.example|direct"},
			[]string{"CARGO_REGISTRY_TOKEN", "NPM_TOKEN"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ToolchainEnv(tt.environ, home)
			for _, entry := range tt.want {
				if !slices.Contains(got, entry) {
					t.Errorf("%q is missing in %q", entry, got)
				}
			}
			for _, name := range tt.absent {
				if slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
					t.Errorf("%s is set in %q", name, got)
				}
			}
			if !slices.IsSorted(got) {
				t.Errorf("not sorted: %q", got)
			}
		})
	}
}

func TestGoFlags(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "-count=1",
		"-mod=vendor -tags=a,b": "-mod=vendor -tags=a,b -count=1",
		"-run=NONE":             "-count=1",
		"--run=NONE -v":         "-v -count=1",
		"-test.run=X -count=5":  "-count=1",
		"-exec=true -toolexec=x -overlay=o.json -skip=Y -list=. -n": "-count=1",
		`'-ldflags=-X a=b -s' "-run=a b" -race`:                     `'-ldflags=-X a=b -s' -race -count=1`,
		"-short\t-failfast":                                         "-short -failfast -count=1",
		"-runx=1":                                                   "-runx=1 -count=1",
		"'-unclosed=x y":                                            "'-unclosed=x y -count=1",
	} {
		if got := goFlags(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// The go command takes these flags and settings in every of its commands.
func TestGoTakesSettings(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs go")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n", "x.go": "package x\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"env", "GOFLAGS", "GOENV"}, {"version"}, {"list", "."}, {"vet", "-n", "."}} {
		cmd := exec.Command(tool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), ToolchainEnv([]string{"GOFLAGS=-run=NONE -tags=x"}, t.TempDir())...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go %v: %v\n%s", args, err, out)
		}
		if args[0] == "env" && !strings.HasPrefix(string(out), "-tags=x -count=1\n") {
			t.Errorf("go env: %q", out)
		}
	}
}

func TestWithoutCredentials(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"https://a,direct":             "https://a,direct",
		"https://u:p@a":                "off",
		"https://u@a,direct":           "direct",
		"https://a|https://u:p@b|off":  "https://a|off",
		"https://a,https://u:p@b":      "https://a",
		"https://a/@v,direct":          "https://a/@v,direct",
		"https://u:p%zz@bad,https://b": "https://b",
	} {
		if got := withoutCredentials(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzGoFlags(f *testing.F) {
	f.Add(`-run=x '-a b' "-c`)
	f.Fuzz(func(t *testing.T, in string) {
		if got := goFlags(in); !strings.HasSuffix(got, "-count=1") {
			t.Fatalf("%q gave %q", in, got)
		}
	})
}
