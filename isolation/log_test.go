package isolation

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var markerLine = regexp.MustCompile(`(?m)^\[patchvet: (\d+) bytes of output cut here\]\n`)

// splitLog parts a cut log at its marker.
func splitLog(t *testing.T, log string) (head string, cut int64, tail string) {
	t.Helper()
	at := markerLine.FindStringSubmatchIndex(log)
	if at == nil {
		t.Fatalf("no marker in a log of %d bytes", len(log))
	}
	cut, err := strconv.ParseInt(log[at[2]:at[3]], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return log[:at[0]], cut, log[at[1]:]
}

func TestOutputCap(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		job := newJob(t, `seq 1 200000; echo end`)
		job.Limits.MaxOutput = 100_000
		r, log := runJob(t, box, job)
		const written = 1_288_895 + 4 // of seq 1 200000, and "end\n"
		if r.Class != ClassPass || !r.Truncated || r.OutputBytes != written || r.LogReset {
			t.Errorf("result %+v", r)
		}
		head, cut, tail := splitLog(t, log)
		if int64(len(head)+len(tail))+cut != written || len(head)+len(tail) > 100_000 || len(head)+len(tail) < 99_000 {
			t.Errorf("head %d, cut %d, tail %d", len(head), cut, len(tail))
		}
		if !strings.HasPrefix(head, "1\n2\n") || !strings.HasSuffix(tail, "\n200000\nend\n") {
			t.Errorf("head %.20q, tail %q", head, tail[len(tail)-20:])
		}
		if !strings.HasSuffix(head, "\n") || strings.HasPrefix(tail, "\n") {
			t.Errorf("the cut parts a line: %q ... %.20q", head[len(head)-20:], tail)
		}
	})
}

// The command goes on only when the disk that its log takes has become small
// again, so the test hangs where the middle is not given back.
func TestOutputDiskUse(t *testing.T) {
	if !holesWork(t) {
		t.Skip("needs a file system with holes")
	}
	eachBox(t, func(t *testing.T, box Box) {
		job := newJob(t, `
			i=0
			while [ $i -lt 8 ]; do
				head -c 8388608 /dev/zero | tr '\0' x
				while [ "$(stat -L -c %b /proc/$$/fd/1)" -gt 6144 ]; do sleep 0.005; done
				i=$((i+1))
			done
			echo; echo end`)
		job.Limits.MaxOutput = 1 << 20
		r, log := runJob(t, box, job)
		if r.Class != ClassPass || !r.Truncated || r.OutputBytes != 64<<20+5 {
			t.Errorf("result %+v", r)
		}
		head, cut, tail := splitLog(t, log)
		if strings.Trim(head, "x\n") != "" || !strings.HasSuffix(tail, "x\nend\n") || strings.Contains(tail, "\x00") {
			t.Errorf("head %.20q, tail %.20q", head, tail)
		}
		// The marker starts a line of its own, for which head got a newline.
		if kept := int64(len(strings.TrimSuffix(head, "\n")) + len(tail)); kept+cut != r.OutputBytes || kept > 1<<20 {
			t.Errorf("kept %d, cut %d, written %d", kept, cut, r.OutputBytes)
		}
		info, err := os.Stat(job.Log)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 1<<20+100 {
			t.Errorf("the log is %d bytes long", info.Size())
		}
	})
}

func holesWork(t *testing.T) bool {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "holes"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 20); err != nil {
		t.Fatal(err)
	}
	return punchHole(f, 0, 1<<19) == nil
}

func TestOutputBudget(t *testing.T) {
	lines := map[string]string{
		"endless": `while :; do echo spam; done`,
		"quick":   `seq 1 200000`, // may end before it is seen
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			eachBox(t, func(t *testing.T, box Box) {
				job := newJob(t, line)
				job.Limits.OutputBudget = 50_000
				r, _ := runJob(t, box, job)
				if r.Class != ClassKilledOutput || r.OutputBytes <= 50_000 || !strings.Contains(r.Reason, "budget of 50000") {
					t.Errorf("result %+v", r)
				}
			})
		})
	}
}

// Where the middle of a file cannot be freed, a budget of its own applies.
func TestSolidFileSystem(t *testing.T) {
	l := logFile{limits: Limits{MaxOutput: 1000}, solid: true, total: 5000}
	if l.budget() != 4000 {
		t.Errorf("budget %d", l.budget())
	}
	if got := l.budgetReason(); !strings.Contains(got, "cannot free") {
		t.Errorf("reason %q", got)
	}
	l.limits.OutputBudget = 3000
	if got := l.budgetReason(); l.budget() != 3000 || strings.Contains(got, "cannot free") {
		t.Errorf("budget %d, reason %q", l.budget(), got)
	}
}

// What a command does to its own log through its descriptor is its own loss.
func TestLogAbused(t *testing.T) {
	lines := map[string]string{
		"truncated":          `seq 1 100000; : >/proc/self/fd/1; echo end`,
		"truncated by half":  `seq 1 100000; sleep 0.05; truncate -s 300000 /proc/self/fd/1; sleep 0.05; echo end`,
		"truncated and more": `seq 1 100000; sleep 0.05; : >/proc/self/fd/1; seq 1 100000; echo end`,
		"sparse":             `echo start; truncate -s 1T /proc/self/fd/1; echo end`,
		"written in place":   `seq 1 100000; printf XXXX 1<>/proc/self/fd/2; echo end`,
		"hole by hand":       `seq 1 100000; fallocate -p -o 0 -l 65536 /proc/self/fd/1; echo end`,
		"removed":            `seq 1 100000; rm -f "$(readlink /proc/self/fd/1)"; echo end`,
		"replaced by a pipe": `f=$(readlink /proc/self/fd/1); rm -f "$f"; mkfifo "$f"; echo end`,
		"mode":               `chmod 0 /proc/self/fd/1; seq 1 100000; echo end`,
	}
	for name, line := range lines {
		for _, limit := range []int64{0, 64 << 10, 400 << 10} {
			t.Run(fmt.Sprintf("%s/%d", name, limit), func(t *testing.T) {
				eachBox(t, func(t *testing.T, box Box) {
					job := newJob(t, line)
					job.Limits.MaxOutput = limit
					r, err := box.Run(t.Context(), job)
					if err != nil || r.Class != ClassPass {
						t.Fatalf("result %+v, error %v", r, err)
					}
					info, err := os.Lstat(job.Log)
					if err != nil || !info.Mode().IsRegular() {
						return // the command took the file away
					}
					if limit > 0 && info.Size() > limit+200 {
						t.Errorf("%d bytes are left, %+v", info.Size(), r)
					}
					if limit == 0 {
						return // a sparse file may be of any size
					}
					if err := os.Chmod(job.Log, 0o600); err != nil {
						t.Fatal(err)
					}
					if log := readLog(t, job); !strings.HasSuffix(log, "end\n") {
						t.Errorf("the log ends in %q", log[max(0, len(log)-20):])
					}
				})
			})
		}
	}
}

// A cut keeps both ends, tells its size exactly and never parts what fits.
func TestCutProperty(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		content := rapid.SliceOfN(rapid.SampledFrom([]byte("ab\n\x00")), 0, 20_000).Draw(rt, "content")
		limit := rapid.Int64Range(1, 20_000).Draw(rt, "limit")
		path := filepath.Join(dir, "log")
		defer os.Remove(path)
		l, err := openLog(path, Limits{MaxOutput: limit})
		if err != nil {
			rt.Fatal(err)
		}
		defer l.close()
		if _, err := l.sink.Write(content); err != nil {
			rt.Fatal(err)
		}
		var r Result
		l.finish(&r)
		got, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		if r.OutputBytes != int64(len(content)) || r.Truncated != (int64(len(content)) > limit) {
			rt.Fatalf("result %+v for %d bytes", r, len(content))
		}
		if !r.Truncated {
			if !bytes.Equal(got, content) {
				rt.Fatalf("changed: %q", got)
			}
			return
		}
		at := markerLine.FindSubmatchIndex(got)
		if at == nil {
			rt.Fatalf("no marker in %q", got)
		}
		cut, _ := strconv.Atoi(string(got[at[2]:at[3]]))
		head, tail := got[:at[0]], got[at[1]:]
		if !bytes.HasSuffix(content, tail) {
			rt.Fatalf("tail %q", tail)
		}
		kept := len(content) - cut - len(tail)
		if !bytes.HasPrefix(content, head[:kept]) || len(head)-kept > 1 || int64(kept+len(tail)) > limit {
			rt.Fatalf("head %q, kept %d, tail %d, cut %d", head, kept, len(tail), cut)
		}
	})
}
