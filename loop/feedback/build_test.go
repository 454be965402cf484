package feedback

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/patchvet/patchvet/isolation"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	got := Build(Attempt{
		Number: 2, Phase: PhaseReproduction, Class: isolation.ClassTestFail, ExitCode: 1, Flaky: true,
		FullLog: ".patchvet-io/full-log.txt", Rejected: []string{"bad\xff.go"},
	}, Report{
		Failing: []string{"--- FAIL: TestA", "ghp_" + strings.Repeat("a", 36)}, Loci: []string{"a.go:3"}, TestName: []string{"TestA"},
		Assertion: []string{"got 1\nwant 2"}, OutputTail: "x\ny\n",
	})
	want := Feedback{
		ContractVersion: "1.0", Attempt: 2, Phase: PhaseReproduction, ExitCode: 1, Flaky: true,
		Failing: "--- FAIL: TestA\n[redacted]", Loci: []string{"a.go:3"}, TestName: []string{"TestA"}, Assertion: []string{"got 1\nwant 2"},
		FullLog: ".patchvet-io/full-log.txt", OutputTail: "x\ny\n", Class: "test-fail", RejectedPaths: []string{"bad\uFFFD.go"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBuildOfNothing(t *testing.T) {
	t.Parallel()
	f := Build(Attempt{Phase: PhaseJudge}, Report{})
	if f.Loci == nil || f.TestName == nil || f.Assertion == nil || f.RejectedPaths == nil || f.Truncated {
		t.Errorf("%+v", f)
	}
	if err := f.check(); err != nil {
		t.Error(err)
	}
}

func TestBuildKeepsTruncated(t *testing.T) {
	t.Parallel()
	if !Build(Attempt{Truncated: true}, Report{}).Truncated || !Build(Attempt{}, Report{Truncated: true}).Truncated {
		t.Error("a log that lacks its middle is not told")
	}
}

// TestBuildCutsTheLeastUsefulFirst: a large failure keeps its places and the
// first failing lines.
func TestBuildCutsTheLeastUsefulFirst(t *testing.T) {
	t.Parallel()
	var r Report
	for i := range 30 {
		r.Failing = append(r.Failing, fmt.Sprintf("failing %d %s", i, strings.Repeat("f", 900)))
		r.Loci = append(r.Loci, fmt.Sprintf("path/%d.go:1", i))
		r.Assertion = append(r.Assertion, fmt.Sprintf("assertion %d %s", i, strings.Repeat("a", 900)))
		r.OutputTail += fmt.Sprintf("tail %d %s\n", i, strings.Repeat("\"", 200))
	}
	f := Build(Attempt{Phase: PhaseTests}, r)
	if n := encodedSize(f); n > DefaultMaxBytes || n < DefaultMaxBytes*2/3 {
		t.Errorf("%d bytes", n)
	}
	if !f.Truncated || len(f.Loci) != 30 || !strings.HasPrefix(f.Failing, "failing 0 ") || !strings.HasSuffix(f.OutputTail, "\n") || len(f.Assertion) < 5 {
		t.Errorf("%+v", f)
	}
}

func TestBuildFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringN(0, 300, -1), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 200), func(b []byte) string { return string(b) }))
		list := rapid.SliceOfN(text, 0, 40)
		r := Report{
			Failing: list.Draw(t, "failing"), Loci: list.Draw(t, "loci"), TestName: list.Draw(t, "tests"),
			Assertion: list.Draw(t, "assertions"), OutputTail: strings.Join(list.Draw(t, "tail"), "\n"),
		}
		max := rapid.IntRange(600, 20000).Draw(t, "max")
		f := Build(Attempt{Phase: PhaseTests, Rejected: list.Draw(t, "rejected"), MaxBytes: max}, r)
		data, err := encode(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > max {
			t.Fatalf("%d bytes, the cap is %d", len(data), max)
		}
		again, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
