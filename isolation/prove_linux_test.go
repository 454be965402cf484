package isolation

import (
	"errors"
	"strings"
	"testing"
)

// What a native box must hold, it holds, and the table says why.
func TestProveNative(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	proved, table, err := Prove(t.Context(), box, t.TempDir(), RequiredCapabilities(), All)
	for _, f := range table {
		t.Logf("%-18s %-9s %s", f.Capability, f.Held, f.Why)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !proved.Describe().Proved || box.Describe().Proved {
		t.Error("proved is not what it should be")
	}
	for _, c := range []Capability{ReadsConfined, ParentHidden, PIDsContained, PIDsBounded, SecretsAbsent, NoNewPrivileges} {
		if f := table.Of(c); f.Held != Held {
			t.Errorf("%+v", f)
		}
	}
}

func BenchmarkProve(b *testing.B) {
	box := nativeBox(b, NativeOptions{})
	for b.Loop() {
		if _, _, err := Prove(b.Context(), box, b.TempDir(), RequiredCapabilities(), StartUp); err != nil {
			b.Fatal(err)
		}
	}
}

// check says ok of what proved itself, and refuses everything else.
func TestCheckNative(t *testing.T) {
	nativeBox(t, NativeOptions{})
	v := Check(t.Context(), "native", Options{}, t.TempDir(), nil)
	if v.Verdict != VerdictOK || v.Tier != TierNative || !v.AdequateForUntrusted || len(v.Capabilities) != len(Capabilities()) {
		t.Errorf("%+v", v)
	}
}

// A capability that does not hold makes a box one in which nothing runs.
func TestUnproved(t *testing.T) {
	box := nativeBox(t, NativeOptions{})
	got, table, err := Prove(t.Context(), box, t.TempDir(), []Capability{DiskBounded}, StartUp)
	if !errors.Is(err, ErrNoIsolation) || !is[*UnprovedError](err) || got != nil || len(table) == 0 || !strings.Contains(err.Error(), "disk-bounded") {
		t.Errorf("box %v, error %v", got, err)
	}
}
