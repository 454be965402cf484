package isolation

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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
		Dir:     "/work",
		Mounts:  []Mount{{Source: room, Target: "/work"}},
		Env:     []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + nativeHome, "TMPDIR=" + nativeTmp},
		Log:     filepath.Join(t.TempDir(), "log"),
		Limits:  Limits{Timeout: testTimeout, Memory: 1 << 30},
	}
}

func TestNativeRuns(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	job := nativeJob(t, `id -u; pwd; echo "$HOME"; ls -A / /patchvet /proc/1/root 2>&1; echo written > file; echo again > /dev/stdout; cat /proc/self/status | grep -E 'Cap|NoNew|Secc'; cat /proc/self/cgroup; ls /sys /run /dev; cat /proc/self/mounts`)
	r, log := runJob(t, box, job)
	fmt.Println(log)
	if r.Class != ClassPass {
		t.Errorf("%+v", r)
	}
	if data, err := os.ReadFile(filepath.Join(job.Mounts[0].Source, "file")); err != nil || string(data) != "written\n" {
		t.Errorf("%q %v", data, err)
	}
	if strings.HasPrefix(log, "0\n") {
		t.Error("runs as root")
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
