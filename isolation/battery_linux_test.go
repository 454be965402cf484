package isolation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// rowArgument makes the test binary a row of the battery.
const rowArgument = "patchvet-battery-row"

// TestBattery makes every attempt in a native box, each in one of its own, and
// judges it by what it did outside.
func TestBattery(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	names := []string{}
	for name := range rows() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why := notHere(box, name); why != "" {
				t.Skip(why)
			}
			b := newBattery(t)
			job := b.job(t, name)
			r, err := box.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			log := readLog(t, job)
			if saw := b.effects(log); len(saw) > 0 {
				t.Errorf("%v; class %s, log %q", saw, r.Class, log)
			}
			switch name {
			case "fill tmp":
				// Its size bounds it, or the memory that it takes does.
			case "spin":
				if r.Class != ClassTimeout {
					t.Errorf("class %s", r.Class)
				}
			case "memory bomb":
				if r.Class != ClassKilledMemory {
					t.Errorf("class %s, log %q", r.Class, log)
				}
			default:
				if !strings.HasSuffix(log, "DONE\n") || r.Class != ClassPass {
					t.Errorf("the attempt did not end: %+v, log %q", r, log)
				}
			}
		})
	}
}

// notHere says why a row cannot be tried.
func notHere(box *native, name string) string {
	if name == "memory bomb" && box.groups.memory == "" {
		return "no control group can be made here: memory is not bounded"
	}
	return ""
}

// battery is what the rows are aimed at.
type battery struct {
	bait  *bait
	token string
	state map[string]string
	file  string // in the machine's /dev/shm
}

func newBattery(t *testing.T) *battery {
	t.Helper()
	dir := t.TempDir()
	bait, err := setBait(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bait.close)
	b := &battery{bait: bait, token: bait.token, file: sharedFile(bait.outside)}
	for path, text := range map[string]string{
		"home/.ssh/id": bait.token, "home/.netrc": bait.token, "repo/.git/config": "[core]\n", "repo/.git/hooks/x": "",
		"repo/.git/refs/x": "", "repo/.patchvet/runs/1/journal.jsonl": bait.token, "rooms/2/file": bait.token, "runner/env": "",
	} {
		path = filepath.Join(bait.outside, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for at := path; at != bait.outside; at = filepath.Dir(at) {
			_ = os.Chmod(at, 0o777)
		}
	}
	b.state = b.snapshot()
	return b
}

// snapshot is the content of everything outside.
func (b *battery) snapshot() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(b.bait.outside, func(path string, _ os.DirEntry, err error) error {
		data, _ := os.ReadFile(path)
		out[path] = fmt.Sprint(string(data), err)
		return nil
	})
	return out
}

func (b *battery) job(t *testing.T, name string) Job {
	t.Helper()
	job := nativeJob(t, "")
	plan := b.bait.plan("/therepo")
	target, err := json.Marshal(rowTarget{
		Outside: b.bait.outside, Victim: plan.Victim, TCP: plan.TCP, UDP: plan.UDP, Unix: plan.Unix, Name: plan.Abstract, Room: "/therepo",
	})
	if err != nil {
		t.Fatal(err)
	}
	self := ownProgram(t)
	job.Command = Command{Argv: []string{probeProgram, rowArgument, name, string(target)}}
	job.Mounts = append(job.Mounts, Mount{Source: self, Target: probeProgram, ReadOnly: true})
	job.Limits.Memory = 512 << 20
	if name == "spin" {
		job.Limits.Timeout = 300 * time.Millisecond
	}
	return job
}

func ownProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// The attempts are real ones: without isolation they work.
func TestBatteryWithoutBox(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"write home", "write tmp", "write worktree", "write git config", "write git hook", "write git ref", "write by symlink",
		"write by hardlink", "write by proc root", "write shared memory", "write runner file", "read ssh key", "read netrc", "read run folder",
		"read other room", "read environments", "dial tcp", "dial udp", "dial unix", "dial abstract", "kill a process",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBattery(t)
			defer os.Remove(b.file)
			job := b.job(t, name)
			room := job.Mounts[0].Source
			job.Command.Argv[0], job.Dir = ownProgram(t), room
			job.Command.Argv[3] = strings.ReplaceAll(job.Command.Argv[3], `"/therepo"`, fmt.Sprintf("%q", room))
			if _, err := (none{}).Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			// A server notes a visit, and a process dies, a moment later.
			for deadline := time.Now().Add(testTimeout); len(b.effects(readLog(t, job))) == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("it did nothing, log %q", readLog(t, job))
				}
			}
		})
	}
}

// effects are what happened outside.
func (b *battery) effects(log string) []string {
	var out []string
	for path, text := range b.snapshot() {
		if b.state[path] != text {
			out = append(out, "changed "+path)
		}
	}
	if exists(b.file) {
		out = append(out, "wrote "+b.file)
	}
	if strings.Contains(log, b.token) {
		out = append(out, "read a secret")
	}
	if strings.Contains(log, "WORKED") {
		out = append(out, "worked")
	}
	if !b.bait.victimLives() {
		out = append(out, "ended a process")
	}
	for _, kind := range b.bait.reached() {
		out = append(out, "reached "+kind)
	}
	return out
}

// A process that leaves its session, forks twice and clears its environment is
// dead when the command has ended.
func TestNativeDaemon(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	job := nativeJob(t, `setsid sh -c 'env -i sleep 54321 & echo $! > /therepo/pid' & while ! test -s /therepo/pid; do sleep 0.01; done`)
	r, _ := runJob(t, box, job)
	if r.Class != ClassPass || r.Survivors == 0 {
		t.Errorf("%+v", r)
	}
	for _, s := range launcher.Processes() {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.PID)); err == nil && strings.Contains(string(line), "54321") && !s.Dead() {
			t.Errorf("process %d lives", s.PID)
		}
	}
}

// What the caller's ancestors left open does not reach a command.
func TestNativeDescriptors(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	leak, err := os.Create(filepath.Join(t.TempDir(), "leak"))
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	if _, err := unix.FcntlInt(leak.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	_, log := runJob(t, box, nativeJob(t, "ls -l /proc/self/fd"))
	if strings.Contains(log, "leak") || strings.Contains(log, "socket") || !strings.Contains(log, "0 -> /dev/null") {
		t.Errorf("descriptors: %s", log)
	}
}
