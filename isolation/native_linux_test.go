package isolation

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// nativeBox is a native box, or the test is skipped where the machine has none.
func nativeBox(t testing.TB, opt NativeOptions) *native {
	t.Helper()
	box, err := newNative(opt)
	if err != nil {
		t.Fatal(err)
	}
	n := box.(*native)
	job := nativeJob(t, "true")
	if r, err := n.Run(t.Context(), job); err != nil {
		t.Skipf("no native box here: %v", err)
	} else if r.Class != ClassPass {
		log, _ := os.ReadFile(job.Log)
		t.Fatalf("true gave %+v, log %q", r, log)
	}
	return n
}

// nativeJob is a job for a shell line in a room at /work.
func nativeJob(t testing.TB, line string) Job {
	t.Helper()
	room := filepath.Join(t.TempDir(), "room")
	if err := os.Mkdir(room, 0o755); err != nil {
		t.Fatal(err)
	}
	return Job{
		Role:    RoleVerify,
		Command: Command{Shell: line},
		Dir:     "/therepo",
		Mounts:  []Mount{{Source: room, Target: "/therepo"}},
		Env:     []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + nativeHome, "TMPDIR=" + nativeTmp},
		Log:     filepath.Join(t.TempDir(), "log"),
		Limits:  Limits{Timeout: testTimeout, Memory: 1 << 30},
	}
}

func TestNativeRuns(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	job := nativeJob(t, `id -u; pwd; echo written > file; echo again >> /dev/stdout; echo err >> /dev/stderr; ls -A / /patchvet; exit 3`)
	r, log := runJob(t, box, job)
	if r.Class != ClassTestFail || r.ExitCode != 3 || r.LogReset {
		t.Errorf("%+v", r)
	}
	if data, err := os.ReadFile(filepath.Join(job.Mounts[0].Source, "file")); err != nil || string(data) != "written\n" {
		t.Errorf("%q %v", data, err)
	}
	lines := strings.Split(log, "\n")
	if lines[0] == "0" || lines[1] != "/therepo" || lines[2] != "again" || lines[3] != "err" {
		t.Errorf("log %q", log)
	}
	for _, name := range []string{"root", "srv", "mnt", "boot"} {
		if slices.Contains(lines, name) {
			t.Errorf("/%s is there: %q", name, log)
		}
	}
}

// How a command ends is told as in any box.
func TestNativeClasses(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	for _, tt := range []struct {
		line  string
		argv  []string
		class Class
		code  int
	}{
		{line: "true", class: ClassPass},
		{line: "no-such-command-here", class: ClassNotFound, code: 127},
		{line: "/etc/passwd", class: ClassError, code: 126},
		{line: "kill -9 $$", class: ClassSignal, code: 137},
		{line: "kill -9 1; kill -TERM 1; true", class: ClassPass},
		{argv: []string{"sh", "-c", "exit 4"}, class: ClassTestFail, code: 4},
		{argv: []string{"no-such-command-here"}, class: ClassNotFound, code: 127},
		{argv: []string{"/etc/passwd"}, class: ClassError, code: 126},
	} {
		job := nativeJob(t, tt.line)
		job.Command.Argv = tt.argv
		r, log := runJob(t, box, job)
		if r.Class != tt.class || r.ExitCode != tt.code {
			t.Errorf("%q %q: %+v, log %q", tt.line, tt.argv, r, log)
		}
	}
	job := nativeJob(t, "sleep 1000 & sleep 1000")
	job.Limits.Timeout = 50 * time.Millisecond
	if r, _ := runJob(t, box, job); r.Class != ClassTimeout {
		t.Errorf("%+v", r)
	}
}

// A place that the box needs for itself is refused, with what to do.
func TestNativePlaces(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	for _, target := range []string{"/", "/usr", "/tmp", "/proc", "/patchvet", "relative"} {
		job := nativeJob(t, "true")
		job.Mounts[0].Target = target
		_, err := box.Run(t.Context(), job)
		if !errors.Is(err, ErrNotStarted) {
			t.Errorf("%s: %v", target, err)
		}
		if target != "relative" && !is[*PlaceError](err) {
			t.Errorf("%s: %v", target, err)
		}
	}
	// Below a system folder, in /tmp and at a path that is not there, it works.
	for _, target := range []string{"/tmp/a/b", "/no/such/place", "/home/someone/work"} {
		job := nativeJob(t, "echo x > file; pwd")
		job.Mounts[0].Target, job.Dir = target, target
		if r, log := runJob(t, box, job); r.Class != ClassPass || log != target+"\n" {
			t.Errorf("%s: %+v %q", target, r, log)
		}
	}
}

// A read-only mount cannot be written, and a hidden folder is empty.
func TestNativeMounts(t *testing.T) {
	box := nativeBox(t, NativeOptions{Hide: []string{"/usr/share", "/no/such", "/usr/lib/git-core"}})
	job := nativeJob(t, "ls /usr/share; ls /usr/lib/git-core > /dev/null; touch /usr/lib/git-core/in-the-room; touch /extra/file")
	job.Mounts = append(job.Mounts, Mount{Source: t.TempDir(), Target: "/usr/lib/git-core"})
	job.Mounts = append(job.Mounts, Mount{Source: t.TempDir(), Target: "/extra", ReadOnly: true})
	r, log := runJob(t, box, job)
	// The job's own is shown also where the machine's is hidden.
	if found, err := os.ReadDir(job.Mounts[1].Source); err != nil || len(found) != 1 {
		t.Errorf("%v %v", found, err)
	}
	if r.Class != ClassTestFail || strings.Count(log, "\n") != 1 || !strings.Contains(log, "Read-only") {
		t.Errorf("%+v %q", r, log)
	}
}

// A role that may reaches a server of the machine; no other does.
func TestNativeNetwork(t *testing.T) {
	box := nativeBox(t, NativeOptions{Network: []Role{RoleHook}})
	for role, want := range map[Role]bool{RoleHook: true, RoleVerify: false} {
		b := newBattery(t)
		job := b.job(t, "dial tcp")
		job.Role = role
		if _, err := box.Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(time.Second)
		for want && len(b.bait.reached()) == 0 && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
		if got := len(b.bait.reached()) > 0; got != want {
			t.Errorf("%s reached it: %v", role, got)
		}
	}
}

// BenchmarkNative measures what a native box adds to plain fork and exec; see
// BenchmarkBox for that.
func BenchmarkNative(b *testing.B) {
	box := nativeBox(b, NativeOptions{})
	job := nativeJob(b, "")
	job.Command = Command{Argv: []string{"/bin/true"}}
	logs := b.TempDir()
	for i := 0; b.Loop(); i++ {
		job.Log = filepath.Join(logs, strconv.Itoa(i))
		if r, err := box.Run(b.Context(), job); err != nil || r.Class != ClassPass {
			b.Fatal(r, err)
		}
	}
}

// Only paths that are not there anyway are shown, and none that would show what
// is hidden.
func TestNativeNamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"hook.sh", "secret/key", "repo/.git/config"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	box := nativeBox(t, NativeOptions{Hide: []string{dir + "/secret"}})
	job := nativeJob(t, "sh "+dir+"/hook.sh "+dir+" /tmp /dev/null /usr/bin/env --x="+dir+"/repo/.git/config / /proc no/path "+dir+"/gone")
	job.Named = true
	spec, err := box.plan(job)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range spec.Mounts {
		if strings.HasPrefix(m.Source, dir) && m.Target != "/therepo" {
			got = append(got, strings.TrimPrefix(m.Target, dir))
		}
	}
	if !slices.Equal(got, []string{"/hook.sh", "/repo/.git/config"}) {
		t.Errorf("shown %q", got)
	}
}
