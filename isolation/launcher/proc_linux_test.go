package launcher

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

func TestParseStat(t *testing.T) {
	const rest = " S 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 3 0 12345 1000 10"
	for line, want := range map[string]Stat{
		"42 (sh)" + rest:               {PID: 42, Parent: 7, Session: 9, State: 'S', Threads: 3, Start: 12345},
		"42 (a) b (c) d)" + rest:       {PID: 42, Parent: 7, Session: 9, State: 'S', Threads: 3, Start: 12345},
		"42 (x\n1 (y) Z 1 1 1)" + rest: {PID: 42, Parent: 7, Session: 9, State: 'S', Threads: 3, Start: 12345},
	} {
		if got, ok := parseStat([]byte(line)); !ok || got != want {
			t.Errorf("%q: got %+v %v", line, got, ok)
		}
	}
	for _, line := range []string{"", "42", "42 (sh)", "42 (sh) S 1 2", "x (sh)" + rest, ")(", "42 (sh) S x 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 3 0 12345"} {
		if got, ok := parseStat([]byte(line)); ok {
			t.Errorf("%q: got %+v", line, got)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("42 (sh) S 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 3 0 12345 1000 10"))
	f.Fuzz(func(_ *testing.T, line []byte) { parseStat(line) })
}

func TestDead(t *testing.T) {
	for s, want := range map[Stat]bool{
		{State: 'S', Threads: 1}: false,
		{State: 'Z', Threads: 1}: true,
		{State: 'Z', Threads: 2}: false, // its first thread has ended, others run
		{State: 'X', Threads: 0}: true,
	} {
		if s.Dead() != want {
			t.Errorf("%+v", s)
		}
	}
}

// Both ways to list children find the same.
func TestChildren(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	for name, list := range map[string]func(int) []int{"children": Children, "scan": childrenByScan} {
		if got := list(os.Getpid()); !slices.Contains(got, cmd.Process.Pid) {
			t.Errorf("%s: %v lacks %d", name, got, cmd.Process.Pid)
		}
	}
	if !Alive(cmd.Process.Pid) {
		t.Error("not alive")
	}
}
