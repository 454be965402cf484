package launcher

import (
	"bytes"
	"io"
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
		var buf bytes.Buffer
		if _, err := want.WriteTo(&buf); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSpec(&buf)
		if err != nil || got.Path != want.Path || got.Dir != want.Dir ||
			!reflect.DeepEqual(got.Args, want.Args) || strings.Join(got.Env, "\n") != strings.Join(want.Env, "\n") {
			t.Fatalf("got %+v, %v; want %+v", got, err, want)
		}
	})
}

func TestReportRoundTrip(t *testing.T) {
	want := Report{Kind: Done, Leader: 1, Stage: StageExec, Errno: 2, Status: -3, Killed: 1, Survivors: 5, Left: 6}
	var buf bytes.Buffer
	if _, err := want.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReport(&buf)
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := ReadReport(&buf); err != io.EOF {
		t.Errorf("error %v at the end", err)
	}
}

// A malformed spec is an error, and takes no memory for what it only claims.
func FuzzReadSpec(f *testing.F) {
	var buf bytes.Buffer
	if _, err := (Spec{Path: "p", Dir: "d", Args: []string{"a"}, Env: []string{"e=1"}}).WriteTo(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte{8, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSpec(bytes.NewReader(data))
		if err == nil && len(s.Args) == 0 {
			t.Fatalf("no argv in %+v", s)
		}
	})
}
