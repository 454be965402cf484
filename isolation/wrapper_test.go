package isolation

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// showArgs is a wrapper that writes its arguments to a file, each ended by NUL.
func showArgs(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "show args")
	script := "#!/bin/sh\nprintf '%s\\0' \"$@\" >args\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return quote(path)
}

func wrapped(t *testing.T, via string, job Job) []string {
	t.Helper()
	box, err := New(via, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, log := runJob(t, box, job)
	if r.Class != ClassPass {
		t.Fatalf("class %s, log %q", r.Class, log)
	}
	data, err := os.ReadFile(filepath.Join(job.Dir, "args"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// The command arrives as one argument, byte for byte.
func TestWrapperArgument(t *testing.T) {
	show := showArgs(t, t.TempDir())
	var every strings.Builder
	for b := 1; b < 256; b++ {
		every.WriteByte(byte(b))
	}
	for _, line := range []string{
		"true",
		"echo 'a' \"b\" `c` $(d) $1 \\ ; # e",
		"line one\nline two\n\n",
		" \t leading and trailing \t ",
		"-n",
		"*",
		"\xff\xfe not UTF-8 \x80",
		"'",
		every.String(),
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			got := wrapped(t, show+` first "$PWD" '$PWD' "two words" *`, newJob(t, line))
			if len(got) != 6 || got[5] != line || got[2] != "$PWD" || got[3] != "two words" || got[4] != "*" {
				t.Errorf("got %q, want %q last", got, line)
			}
		})
	}
}

// $PWD in a wrapper is the job's folder, whatever its name.
func TestWrapperFolder(t *testing.T) {
	show := showArgs(t, t.TempDir())
	job := newJob(t, "true")
	job.Dir = filepath.Join(job.Dir, "a folder, \"quoted\" \n* \xff")
	if err := os.Mkdir(job.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	got := wrapped(t, show+` -v "$PWD":/w`, job)
	dir, err := filepath.EvalSymlinks(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[1] != dir+":/w" {
		t.Errorf("got %q", got)
	}
}

// An argv survives the way through two shells.
func TestWrapperArgv(t *testing.T) {
	dir := t.TempDir()
	show := strings.Trim(showArgs(t, dir), "'")
	job := newJob(t, "")
	job.Command.Argv = []string{show, "", "a b", "'", `"`, "$HOME", "`x`", "\n", "\\", "*", "-n", "\xff"}
	got := wrapped(t, "sh -c", job)
	if strings.Join(got, "|") != strings.Join(job.Command.Argv[1:], "|") {
		t.Errorf("got %q", got)
	}
}

func TestQuoteProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		argv := rapid.SliceOfN(rapid.StringMatching(`[^\x00]{0,20}`), 1, 5).Draw(t, "argv")
		line := quoteArgv(append([]string{"printf", `%s\0`}, argv...))
		out, err := exec.Command("/bin/sh", "-c", line).Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != strings.Join(argv, "\x00")+"\x00" {
			t.Fatalf("%q gave %q", line, out)
		}
	})
}

// An engine that fails says nothing about the command.
func TestContainerEngineFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "docker")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho engine is down\nexit 125\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	box, err := New(quote(path)+" run IMG sh -c", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := runJob(t, box, newJob(t, "true"))
	if r.Class != ClassInfra || r.ExitCode != 125 || !strings.Contains(r.Reason, "engine") {
		t.Errorf("result %+v", r)
	}
}
