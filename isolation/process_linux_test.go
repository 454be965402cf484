package isolation

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// living returns those processes named in a file of ids, one a line, that are
// not dead.
func living(t *testing.T, box Box, file string) []int {
	t.Helper()
	if box.Describe().Mounts {
		// The ids are those of the box's own namespace, which the kernel empties
		// (pid_namespaces(7)). TestNativeDaemon looks from outside.
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, line := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatalf("process id %q", line)
		}
		if launcher.Alive(pid) {
			out = append(out, pid)
		}
	}
	return out
}

// waitFor polls until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
	}
}

// Each line leaves processes behind, notes them in the file pids, and exits 0
// once they run.
func TestNothingSurvives(t *testing.T) {
	lines := map[string]string{
		"background":   `sleep 1000 & echo $! >>pids`,
		"nohup":        `nohup sleep 1000 >/dev/null 2>&1 & echo $! >>pids`,
		"stdout held":  `(exec sleep 1000) & echo $! >>pids; echo done`,
		"setsid":       `setsid sh -c 'echo $$ >>pids; exec sleep 1000' & ` + untilPids(1),
		"double fork":  `(setsid sh -c '(trap "" TERM HUP INT; echo $$ >>pids; env -i setsid sh -c "echo \$\$ >>pids; exec sleep 1000" </dev/null >/dev/null 2>&1) & exit') & ` + untilPids(2),
		"stopped":      `sh -c 'echo $$ >>pids; kill -STOP $$' & ` + untilPids(1),
		"deep":         `sh -c 'echo $$ >>pids; sh -c "echo \$\$ >>pids; sleep 1000; true"; true' & ` + untilPids(2),
		"signals":      `sh -c 'trap "" TERM INT HUP QUIT; echo $$ >>pids; while :; do sleep 1000; done' & ` + untilPids(1),
		"signalled us": `kill -TERM $PPID; kill -HUP $PPID; kill -INT $PPID; sleep 1000 & echo $! >>pids`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			eachBox(t, func(t *testing.T, box Box) {
				job := newJob(t, line)
				r, log := runJob(t, box, job)
				if r.Class != ClassPass {
					t.Errorf("class %s, log %q", r.Class, log)
				}
				if r.Survivors < 1 {
					t.Errorf("survivors %d", r.Survivors)
				}
				if left := living(t, box, filepath.Join(job.Dir, "pids")); len(left) > 0 {
					t.Errorf("still alive: %v", left)
				}
			})
		})
	}
}

// A command starts with the signals that its caller ignores and no others.
func TestJobSignals(t *testing.T) {
	own, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^Sig(Blk|Ign):.*\n`).FindAllString(string(own), -1)
	eachBox(t, func(t *testing.T, box Box) {
		_, log := runJob(t, box, newJob(t, "exec grep -E '^Sig(Blk|Ign)' /proc/self/status"))
		if log != strings.Join(want, "") {
			t.Errorf("got %q, want %q", log, want)
		}
	})
}

// untilPids waits until a file of ids has that many lines.
func untilPids(n int) string {
	return `until [ "$(cat pids 2>/dev/null | wc -l)" -ge ` + strconv.Itoa(n) + ` ]; do sleep 0.01; done`
}

// Children that fork on while they are being killed.
func TestForkStorm(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		// 20 processes; each replaces itself by a child again and again, out of
		// its session, until it has done so 100,000 times.
		const storm = `
import os, sys
def run(n):
    while n:
        if os.fork():
            os._exit(0)
        os.setsid()
        n -= 1
    os._exit(0)
for _ in range(20):
    if os.fork() == 0:
        run(100000)
`
		const python = "/usr/bin/python3" // what every box shows
		if _, err := os.Stat(python); err != nil {
			t.Skip("needs " + python)
		}
		job := newJob(t, "")
		marker := job.Dir
		job.Command = Command{Argv: []string{python, "-c", storm, marker}}
		r, log := runJob(t, box, job)
		if r.Class != ClassPass || r.Survivors == 0 {
			t.Errorf("result %+v, log %q", r, log)
		}
		if left := withArgument(marker); len(left) > 0 {
			t.Errorf("still alive: %v", left)
		}
	})
}

// 200 children that stay.
func TestManyChildren(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		job := newJob(t, `i=0; while [ $i -lt 200 ]; do sleep 1000 & echo $! >>pids; i=$((i+1)); done`)
		r, _ := runJob(t, box, job)
		if r.Survivors != 200 {
			t.Errorf("survivors %d, want 200", r.Survivors)
		}
		if left := living(t, box, filepath.Join(job.Dir, "pids")); len(left) > 0 {
			t.Errorf("still alive: %v", left)
		}
	})
}

// withArgument finds living processes by an argument of theirs.
func withArgument(marker string) []int {
	var out []int
	for _, s := range launcher.Processes() {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(s.PID) + "/cmdline")
		if err == nil && strings.Contains(string(line), marker) && !s.Dead() {
			out = append(out, s.PID)
		}
	}
	return out
}

func TestTimeout(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		job := newJob(t, `echo before; trap '' TERM; setsid sh -c 'echo $$ >>pids; exec sleep 1000' & echo $$ >>pids; wait`)
		job.Limits.Timeout = 500 * time.Millisecond
		r, log := runJob(t, box, job)
		if r.Class != ClassTimeout || r.ExitCode != -1 || r.Reason == "" || r.Duration < job.Limits.Timeout {
			t.Errorf("result %+v", r)
		}
		if log != "before\n" {
			t.Errorf("log %q", log)
		}
		if left := living(t, box, filepath.Join(job.Dir, "pids")); len(left) > 0 {
			t.Errorf("still alive: %v", left)
		}
	})
}

func TestCancel(t *testing.T) {
	eachBox(t, func(t *testing.T, box Box) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		job := newJob(t, `echo before; setsid sh -c 'echo $$ >>pids; exec sleep 1000' & echo $$ >>pids; wait`)
		pids := filepath.Join(job.Dir, "pids")
		go func() {
			for ctx.Err() == nil {
				if data, _ := os.ReadFile(pids); strings.Count(string(data), "\n") == 2 {
					cancel()
				}
				time.Sleep(time.Millisecond)
			}
		}()
		r, err := box.Run(ctx, job)
		if !errors.Is(err, context.Canceled) || errors.Is(err, ErrNotStarted) || r.Class != ClassInfra {
			t.Errorf("result %+v, error %v", r, err)
		}
		if left := living(t, box, pids); len(left) > 0 {
			t.Errorf("still alive: %v", left)
		}
		if log := readLog(t, job); log != "before\n" {
			t.Errorf("log %q", log)
		}
	})
}

// A command that kills its launcher is infrastructure trouble, never a result,
// and what it left dies all the same.
func TestLauncherKilled(t *testing.T) {
	const find = `l=$$; while [ "$(tr -d '\0' </proc/$l/cmdline)" != "patchvet: launcher" ]; do l=$(awk '/^PPid:/ {print $2}' /proc/$l/status); done; `
	lines := map[string]string{
		"killed":        find + `sleep 1000 & echo $! >>pids; setsid env -i /bin/sh -c 'echo $$ >>pids; exec sleep 1000' </dev/null >/dev/null 2>&1 & ` + untilPids(2) + `; kill -KILL $l; sleep 1000`,
		"killed, gone":  find + `sleep 1000 & echo $! >>pids; kill -KILL $l; exit 0`,
		"killed, child": find + `setsid sh -c "echo \$\$ >>pids; sleep 0.1; kill -KILL $l; exec sleep 1000" & sleep 1000`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			eachBox(t, func(t *testing.T, box Box) {
				if box.Describe().Mounts {
					t.Skip("it is the first process of a namespace, which nothing inside can kill (pid_namespaces(7))")
				}
				job := newJob(t, line)
				r, err := box.Run(t.Context(), job)
				if !errors.Is(err, ErrNotStarted) || r.Class != ClassInfra || !strings.Contains(r.Reason, "killed") {
					t.Errorf("result %+v, error %v, log %q", r, err, readLog(t, job))
				}
				if left := living(t, box, filepath.Join(job.Dir, "pids")); len(left) > 0 {
					t.Errorf("still alive: %v", left)
				}
			})
		})
	}
}

// A launcher that the command has stopped obeys all the same.
func TestLauncherStopped(t *testing.T) {
	box, err := New("none", Options{AllowUnsafeHost: true})
	if err != nil {
		t.Fatal(err)
	}
	job := newJob(t, `kill -STOP $PPID; echo $$ >pids; sleep 1000`)
	job.Limits.Timeout = 500 * time.Millisecond
	r, log := runJob(t, box, job)
	if r.Class != ClassTimeout {
		t.Errorf("result %+v, log %q", r, log)
	}
	if left := living(t, none{}, filepath.Join(job.Dir, "pids")); len(left) > 0 {
		t.Errorf("still alive: %v", left)
	}
}

// TestMasterKilled kills the process that called Run. The test runs itself
// again for that.
func TestMasterKilled(t *testing.T) {
	const place = "PATCHVET_TEST_MASTER"
	if dir := os.Getenv(place); dir != "" {
		job := newJob(t, `setsid env -i /bin/sh -c 'echo $$ >>pids; exec sleep 1000' & sleep 1000 & echo $! $$ >>pids; wait`)
		job.Dir = dir
		box, err := New("none", Options{AllowUnsafeHost: true})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = box.Run(t.Context(), job)
		t.Fatal("was not killed")
	}
	t.Parallel()
	dir := t.TempDir()
	master := exec.Command("/proc/self/exe", "-test.run=^TestMasterKilled$")
	master.Env = append(os.Environ(), place+"="+dir, "TMPDIR="+t.TempDir())
	if err := master.Start(); err != nil {
		t.Fatal(err)
	}
	pids := filepath.Join(dir, "pids")
	waitFor(t, "the command runs", func() bool {
		data, _ := os.ReadFile(pids)
		return len(strings.Fields(string(data))) == 3
	})
	if err := master.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = master.Wait()
	waitFor(t, "everything is dead", func() bool { return len(living(t, none{}, pids)) == 0 })
}

// Jobs in parallel do not touch each other's processes.
func TestParallelJobs(t *testing.T) {
	box, err := New("none", Options{AllowUnsafeHost: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			job := newJob(t, `sleep 1000 & sleep 0.2; kill -0 $! && echo intact`)
			r, log := runJob(t, box, job)
			if r.Class != ClassPass || r.Survivors != 1 || log != "intact\n" {
				t.Errorf("result %+v, log %q", r, log)
			}
		})
	}
}
