package isolation

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func groupFolder(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Groups are made below the own one in version 1, and in version 2 in the
// nearest folder whose children have the controllers.
func TestReadGroups(t *testing.T) {
	at := t.TempDir()
	groupFolder(t, at+"/memory/own", nil)
	groupFolder(t, at+"/pids", nil)
	groupFolder(t, at+"/v2/user/session", map[string]string{"cgroup.subtree_control": "", "cgroup.procs": ""})
	groupFolder(t, at+"/v2/user", map[string]string{"cgroup.subtree_control": "cpu memory pids\n", "cgroup.procs": ""})
	yes := func(string) bool { return true }
	no := func(string) bool { return false }
	v1 := "30 20 0:1 / " + at + "/memory rw - cgroup cgroup rw,memory\n31 20 0:2 / " + at + "/pids rw - cgroup cgroup rw,pids\n"
	v2 := "32 20 0:3 / " + at + "/v2 rw - cgroup2 cgroup2 rw\n"
	own := "4:memory:/own\n3:pids:/gone\n0::/user/session\n"
	if r := readGroups(v1+v2, own, yes); r.memory != at+"/memory/own" || r.pids != at+"/pids" || r.unified {
		t.Errorf("version 1: %q %q %v", r.memory, r.pids, r.unified)
	}
	if r := readGroups(v2, own, yes); r.memory != at+"/v2/user" || !r.unified {
		t.Errorf("version 2: %q %v", r.memory, r.unified)
	}
	for _, text := range []string{v1, v2, "", "nonsense\n- - -"} {
		if r := readGroups(text, own, no); r.memory != "" || r.pids != "" {
			t.Errorf("%q: %+v", text, r)
		}
	}
}

// What a killed patchvet left is removed, and no other group.
func TestSweepGroups(t *testing.T) {
	at := t.TempDir()
	live := groupName(os.Getpid())
	for _, name := range []string{live, "patchvet-1-999-1", "patchvet-999999999-5-1", "patchvet-x", "other"} {
		groupFolder(t, filepath.Join(at, name), nil)
	}
	(&groupRoot{memory: at}).sweep()
	found, err := os.ReadDir(at)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range found {
		got = append(got, e.Name())
	}
	if len(got) != 3 {
		t.Errorf("left: %q", got)
	}
}

// A box leaves no group behind.
func TestNativeGroups(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	if box.groups.memory == "" {
		t.Skip("no control group can be made here")
	}
	runJob(t, box, nativeJob(t, "true"))
	left, err := filepath.Glob(filepath.Join(box.groups.memory, fmt.Sprintf("%s%d-*", groupPrefix, os.Getpid())))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	// Nor does a probe, whose second patchvet is killed.
	pids := map[string]bool{}
	for _, dir := range groupsOf(t, box) {
		pids[dir] = true
	}
	if _, _, err := Prove(t.Context(), box, t.TempDir(), RequiredCapabilities(), StartUp); err != nil {
		t.Fatal(err)
	}
	for _, dir := range groupsOf(t, box) {
		name := strings.TrimPrefix(filepath.Base(dir), groupPrefix)
		pid, err := strconv.Atoi(strings.SplitN(name, "-", 2)[0])
		if err == nil && !pids[dir] && startOf(pid) == 0 {
			t.Errorf("left: %s", dir)
		}
	}
}

func groupsOf(t *testing.T, box *native) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(box.groups.memory, groupPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
