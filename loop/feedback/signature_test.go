package feedback

import (
	"strings"
	"testing"
)

func TestSignature(t *testing.T) {
	t.Parallel()
	tree := NewTree([]string{"x_test.go", "y_test.go", "calc.py"})
	opt := Options{Tree: tree, Root: "/tmp/rooms/1/room", UserRoot: "/home/ann/shop"}
	sign := func(log string, opt Options) string { return localize(t, log, opt).Signature }
	fail := func(test, text string) string {
		return "--- FAIL: " + test + " (0.00s)\n    x_test.go:5: " + text + "\nFAIL\nFAIL\tp\t0.1s\n"
	}
	base := fail("TestA", "got 3, want 5")
	same := map[string]string{
		"line moved":    strings.Replace(base, ":5:", ":9:", 1),
		"durations":     strings.ReplaceAll(strings.ReplaceAll(base, "0.00s", "1.25s"), "0.1s", "3.0s"),
		"more text":     "downloading 17 things\n" + base,
		"number":        fail("TestA", "got 4, want 5"),
		"failing twice": base + base,
	}
	want := sign(base, opt)
	if len(want) != 64 {
		t.Fatalf("signature %q", want)
	}
	for name, log := range same {
		if got := sign(log, opt); got != want {
			t.Errorf("%s: another signature", name)
		}
	}
	for name, log := range map[string]string{
		"test":    fail("TestB", "got 3, want 5"),
		"text":    fail("TestA", "got 3, wanted 5"),
		"two":     base + fail("TestB", "got 3, want 5"),
		"file":    strings.Replace(base, "x_test.go", "y_test.go", 1),
		"nothing": "",
	} {
		if got := sign(log, opt); got == want {
			t.Errorf("%s: the same signature", name)
		}
	}

	for name, pair := range map[string][2]string{
		"addresses":  {"object at 0x7f7ca028e910", "object at 0x7f02301c77d0"},
		"temp paths": {"open /tmp/TestX123/001/a.txt: no such file", "open /tmp/TestX77/002/a.txt: no such file"},
		"rooms":      {"cannot read /tmp/rooms/1/room/x.txt", "cannot read /home/ann/shop/x.txt"},
		"pids":       {"process 4711 exited", "process 12 exited"},
		"durations":  {"took 1m3.5s, limit 200ms", "took 59s, limit 3s"},
		"dates":      {"at Mon, Jan 2 15:04:05", "at Tue, Nov 30 09:00:01"},
		"ISO dates":  {"2026-01-02T03:04:05Z expired", "2025-12-31T23:59:59Z expired"},
		"ids":        {"job 123e4567-e89b-12d3-a456-426614174000 lost", "job 00000000-e89b-12d3-a456-426614174fff lost"},
	} {
		if a, b := sign(fail("TestA", pair[0]), opt), sign(fail("TestA", pair[1]), opt); a != b {
			t.Errorf("%s: %q and %q differ", name, pair[0], pair[1])
		}
	}

	// Tests in parallel end in any order.
	if sign(fail("TestA", "a")+fail("TestB", "b"), opt) != sign(fail("TestB", "b")+fail("TestA", "a"), opt) {
		t.Error("the order of failures matters")
	}
}

func TestSignatureOfUnknownRunners(t *testing.T) {
	t.Parallel()
	sign := func(log string) string { return localize(t, log, Options{}).Signature }
	if sign("comparing a\nabout 3 differ\n") != sign("comparing a\nabout 4 differ\n") {
		t.Error("numbers matter")
	}
	if sign("comparing a\nabout 3 differ\n") == sign("comparing b\nabout 3 differ\n") {
		t.Error("words do not matter")
	}
	if got := sign("\n\n  \n"); got != "" {
		t.Errorf("a log without text has the signature %q", got)
	}
}
