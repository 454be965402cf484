package loop

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestQuotePath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ path, want string }{
		{"", ""},
		{"a/b.go", "a/b.go"},
		{"with space", "with space"},
		{`back\slash`, `back\slash`},
		{`in"side`, `in"side`},
		{"ä/日本", "ä/日本"},
		{"\ufffd", "\ufffd"},
		{`"quoted"`, `"\"quoted\""`},
		{"a\xe4", `"a\344"`},
		{"tab\there", `"tab\there"`},
		{"line\nfeed", `"line\nfeed"`},
		{"\a\b\v\f\r", `"\a\b\v\f\r"`},
		{"esc\x1b[31m", `"esc\033[31m"`},
		{"del\x7f", `"del\177"`},
		{"ä\n\\", `"\303\244\n\\"`},
		{"c1\u0085", `"c1\302\205"`},
		{"rtl\u202egp.exe", `"rtl\342\200\256gp.exe"`},
		{"ls\u2028", `"ls\342\200\250"`},
	} {
		if got := QuotePath(tc.path); got != tc.want {
			t.Errorf("QuotePath(%q) = %s, want %s", tc.path, got, tc.want)
		}
	}
}

// Guards the claim that a quoted path reads as git writes it.
func TestQuotePathAgreesWithGit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems refuse these names or change them")
	}
	dir := t.TempDir()
	names := []string{"a\xe4", "tab\there", "line\nfeed", "esc\x1b[31m", "del\x7f", "ä\n\\\"", "\a\b\v\f\r\x01", `"quoted"`}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "core.quotePath=true"}, args...)...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("init", "-q")
	listed := map[string]bool{}
	for line := range strings.Lines(git("ls-files", "--others")) {
		listed[strings.TrimSuffix(line, "\n")] = true
	}
	for _, name := range names {
		if quoted := QuotePath(name); !listed[quoted] {
			t.Errorf("git does not list %q as %s; it lists %v", name, quoted, listed)
		}
	}
}

func TestUnquotePathRefuses(t *testing.T) {
	t.Parallel()
	for _, quoted := range []string{`"`, `"a`, `"a"b`, `"a\"`, `"\`, `"\q"`, `"\8"`, `"\400"`, `"\03"`, `"\0a0"`} {
		if got, err := UnquotePath(quoted); err == nil {
			t.Errorf("UnquotePath(%s) = %q, want an error", quoted, got)
		}
	}
}

func TestUnquotePathIsInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := string(rapid.SliceOf(rapid.Byte()).Draw(t, "path"))
		got, err := UnquotePath(QuotePath(path))
		if err != nil || got != path {
			t.Fatalf("%q came back as %q, %v", path, got, err)
		}
	})
}

func FuzzUnquotePath(f *testing.F) {
	for _, seed := range []string{"plain", `"a\344"`, `"\n"`, `"`, `"\"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, quoted string) {
		path, err := UnquotePath(quoted)
		if err != nil {
			return
		}
		again, err := UnquotePath(QuotePath(path))
		if err != nil || again != path {
			t.Fatalf("%q reads as %q, which comes back as %q, %v", quoted, path, again, err)
		}
	})
}
