package isolation

import (
	"errors"
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	tests := []struct {
		via   string
		allow bool
		want  string // "none", "wrapper", "refused", "unknown"
	}{
		{"", true, "none"},
		{"AUTO", true, "none"},
		{"none", false, "refused"},
		{"none", true, "none"},
		{" None ", true, "none"},
		{"bwrap", true, "unknown"},
		{"docker", false, "unknown"},
		{"docker:debian:12", false, "unknown"},
		{"podman:registry.example/x", true, "unknown"},
		{"Docker:x", true, "unknown"},
		{"docker run --rm -i IMG sh -c", false, "wrapper"},
		{"bwrap --dev-bind / / sh -c", false, "wrapper"},
		{"native sh -c", false, "wrapper"},
		{"./wrap.sh", false, "wrapper"},
		{"none of it", false, "wrapper"},
	}
	for _, tt := range tests {
		t.Run(tt.via, func(t *testing.T) {
			box, err := New(tt.via, Options{AllowUnsafeHost: tt.allow})
			var unknown *UnknownBackendError
			switch tt.want {
			case "refused":
				if !errors.Is(err, ErrNoIsolation) || !strings.Contains(err.Error(), "no adequate isolation") ||
					!strings.Contains(err.Error(), "--via '") || !strings.Contains(err.Error(), "--allow-unsafe-host") {
					t.Errorf("error %v", err)
				}
			case "unknown":
				if !errors.As(err, &unknown) || unknown.Via != strings.TrimSpace(tt.via) || !strings.Contains(err.Error(), "this version") {
					t.Errorf("error %v", err)
				}
			default:
				if err != nil {
					t.Fatal(err)
				}
				d := box.Describe()
				if (d.Via == "none") != (tt.want == "none") || d.Proved {
					t.Errorf("description %+v", d)
				}
			}
			if err != nil && (box != nil || strings.Contains(err.Error(), "\n")) {
				t.Errorf("box %v, error %q", box, err)
			}
		})
	}
}

// A command line that cannot carry the command is refused before it runs.
func TestViaRefused(t *testing.T) {
	for via, want := range map[string]string{
		"docker run\nsh -c":              "one line",
		"docker run \r sh -c":            "one line",
		"a \x00 b":                       "one line",
		"sh -c # comment":                "comment",
		"sh -c ; true":                   "unquoted ;",
		"cd /x && sh -c":                 "unquoted &",
		"sh -c &":                        "unquoted &",
		"cat | sh -c":                    "unquoted |",
		"sh -c >/dev/null":               "unquoted >",
		"sh -c <<X":                      "unquoted <",
		"(sh -c":                         "unquoted (",
		"f() sh -c":                      "unquoted (",
		"sh -c )":                        "unquoted )",
		"sh -c 'x":                       "' quote is not closed",
		`sh -c "x`:                       `" quote is not closed`,
		`sh -c "x\"`:                     `" quote is not closed`,
		`sh -c \`:                        `\ at its end`,
		"sh -c $(id -u":                  "( is not closed",
		"sh -c `id -u":                   "` is not closed",
		"sh -c ${PWD":                    "{ is not closed",
		`docker run "$(echo ')' "x" IMG`: "not closed",
		`sh -c "$1"`:                     "is not $1",
		`sh -c $@`:                       "is not $1",
		`sh -c "${1}"`:                   "is not $1",
		`sh -c "${#1}"`:                  "is not $1",
		"FOO=bar docker run IMG sh -c":   "write env",
		"--rm docker run":                "option",
		`'' sh -c`:                       "no program",
	} {
		t.Run(via, func(t *testing.T) {
			box, err := New(via, Options{AllowUnsafeHost: true})
			var bad *ViaError
			if !errors.As(err, &bad) || box != nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("box %v, error %v; want %q", box, err, want)
			}
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Errorf("error %q is not one line", err)
			}
		})
	}
}

func TestViaAccepted(t *testing.T) {
	for via, want := range map[string][]string{
		`docker run -v "$PWD":/w -w /w IMG sh -c`:           {"docker", "run", "-v", "$PWD:/w", "-w", "/w", "IMG", "sh", "-c"},
		`a 'b  c' "d \" \$e" f\ g`:                          {"a", "b  c", `d " $e`, "f g"},
		"docker run -u $(id -u):\"$(id -g)\" IMG sh -c":     {"docker", "run", "-u", "$(id -u):$(id -g)", "IMG", "sh", "-c"},
		"a `echo ')'` $(echo $(echo '(' \")\") ) ${X:-}} b": {"a", "`echo ')'`", `$(echo $(echo '(' ")") )`, "${X:-}}", "b"},
		"a#b 'c#' d\\#": {"a#b", "c#", "d#"},
		"env A=B sh -c": {"env", "A=B", "sh", "-c"},
		`a '$1' \$1`:    {"a", "$1", "$1"},
		"a\t$":          {"a", "$"},
		`a "b\c" ~/x *`: {"a", `b\c`, "~/x", "*"},
	} {
		t.Run(via, func(t *testing.T) {
			words, err := splitVia(via)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range words {
				got = append(got, w.text)
			}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// The scanner ends on any text, and what it accepts has no open end.
func FuzzSplitVia(f *testing.F) {
	for _, via := range []string{"sh -c", `a "$(b 'c' ${d})" \e`, "`", "$((1+2))", "a $", `"\`, "'"} {
		f.Add(via)
	}
	f.Fuzz(func(t *testing.T, via string) {
		words, err := splitVia(via)
		if err != nil {
			return
		}
		if len(words) == 0 || words[0].text == "" {
			t.Fatalf("accepted %q", via)
		}
		for _, w := range words {
			if w.raw == "" || !strings.Contains(via, w.raw) {
				t.Fatalf("word %q of %q", w, via)
			}
		}
	})
}
