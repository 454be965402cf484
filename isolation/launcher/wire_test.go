package launcher

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSpecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		want := Spec{
			Path: text.Draw(t, "path"),
			Dir:  text.Draw(t, "dir"),
			Args: rapid.SliceOfN(text, 1, 5).Draw(t, "args"),
			Env:  rapid.SliceOfN(text, 0, 5).Draw(t, "env"),
		}
		data := want.Encode()
		if int(number(data)) != len(data)-4 {
			t.Fatalf("length %d of %d", number(data), len(data))
		}
		got, ok := DecodeSpec(data[4:])
		if !ok || got.Path != want.Path || got.Dir != want.Dir ||
			!reflect.DeepEqual(got.Args, want.Args) || strings.Join(got.Env, "\n") != strings.Join(want.Env, "\n") {
			t.Fatalf("got %+v, %v; want %+v", got, ok, want)
		}
	})
}

func TestReportRoundTrip(t *testing.T) {
	want := Report{Kind: Done, Leader: 1, Stage: StageExec, Errno: 2, Status: -3, Killed: 1, Survivors: 5, Left: 6}
	got := DecodeReport([ReportSize]byte(want.Encode()))
	if got != want {
		t.Errorf("got %+v", got)
	}
}

// A malformed spec is an error, and takes no memory for what it only claims.
func FuzzDecodeSpec(f *testing.F) {
	f.Add(Spec{Path: "p", Dir: "d", Args: []string{"a"}, Env: []string{"e=1"}}.Encode()[4:])
	f.Add([]byte{255, 255, 255, 0, 0, 0, 0, 0})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, ok := DecodeSpec(data)
		if ok && string(s.Encode()[4:]) != string(data) {
			t.Fatalf("%+v is another form of %q", s, data)
		}
	})
}
