package gitops

import (
	"slices"
	"strings"
	"testing"
)

const zeroID, someID = "0000000000000000000000000000000000000000", "3b18e512dba79e4c8300dd08aeb37f8e728b8dad"

func TestParseIndexList(t *testing.T) {
	t.Parallel()
	got, err := parseIndexList([]byte("H 100644 " + someID + " 0\ta\tb\n\x00" + "S 100644 " + someID + " 0\tskip\x00" +
		"h 100644 " + someID + " 0\tassumed\x00" + "M 100644 " + someID + " 2\tconflict\x00" + "M 100644 " + someID + " 3\tconflict\x00" +
		"H 160000 " + someID + " 0\tz\x00" + "S 160000 " + someID + " 0\tsub\x00"))
	if err != nil || !slices.Equal(got.unmerged, []string{"conflict"}) || !slices.Equal(got.gitlinks, []string{"sub", "z"}) || !slices.Equal(got.flagged, []string{"skip", "assumed"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x\x00", "H 100644 1\ta\x00", "H 100644 1 0\t\x00", " 100644 1 0\ta\x00"} {
		if _, err := parseIndexList([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestParseRaw(t *testing.T) {
	t.Parallel()
	line := func(old, new, oldID, status, path string) string {
		return ":" + old + " " + new + " " + oldID + " " + zeroID + " " + status + "\x00" + path + "\x00"
	}
	var l worktreeList
	err := l.addRaw([]byte(line("100644", "100755", someID, "M", "m\nx") + line("100644", "000000", someID, "D", "d") +
		line("000000", "100644", zeroID, "A", "ita") + line("120000", "100644", someID, "T", ":t") +
		line("160000", "160000", someID, "M", "moved") + line("160000", "000000", someID, "D", "gone") +
		line("100644", "160000", someID, "T", "nested") + line("160000", "100644", someID, "T", "file now")))
	if err != nil || !slices.Equal(l.write, []string{"m\nx", "ita", ":t", "file now"}) || !slices.Equal(l.remove, []string{"d", "nested"}) ||
		!slices.Equal(l.old, []string{someID}) || !slices.Equal(l.moved, []string{"moved", "gone"}) || !slices.Equal(l.nested, []string{"nested"}) {
		t.Errorf("%+v, %v", l, err)
	}
	for _, bad := range []string{"x", ":1 2 3 4 M\x00a", ":1 2 3 M\x00a\x00", ":1 2 3 4 M\x00\x00", ":1 2 3 4 \x00a\x00", "1 2 3 4 M\x00a\x00"} {
		if err := (&worktreeList{}).addRaw([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func FuzzParseIndexList(f *testing.F) {
	f.Add([]byte("H 100644 " + someID + " 0\ta\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		list, err := parseIndexList(out)
		if err != nil {
			return
		}
		if n := len(list.unmerged) + len(list.gitlinks) + len(list.flagged); n > strings.Count(string(out), "\x00")+1 {
			t.Errorf("%q: %+v", out, list)
		}
	})
}

func FuzzParseRaw(f *testing.F) {
	f.Add([]byte(":100644 100755 " + someID + " " + zeroID + " M\x00a\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		l := &worktreeList{}
		if l.addRaw(out) == nil {
			l.addOthers(out, []string{runsFolder})
		}
		for _, p := range slices.Concat(l.write, l.remove, l.nested, l.moved) {
			if p == "" || strings.Contains(p, "\x00") {
				t.Errorf("%q: path %q", out, p)
			}
		}
	})
}

func FuzzGitlinks(f *testing.F) {
	f.Add([]byte("160000 commit " + someID + "\ta\nb\x00100644 blob " + someID + "\tc\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, p := range gitlinks(out) {
			if strings.Contains(p, "\x00") {
				t.Errorf("%q: path %q", out, p)
			}
		}
	})
}
