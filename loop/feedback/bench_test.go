package feedback

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// repeated reads the same text over and over, up to a size.
type repeated struct {
	text []byte
	at   int
	left int64
}

func repeat(text string, size int64) *repeated { return &repeated{text: []byte(text), left: size} }

func (r *repeated) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), r.left)], r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.left -= int64(n)
	return n, nil
}

// benchLogs are logs as long suites write them.
func benchLogs(tb testing.TB) map[string]string {
	var goVerbose, server, dots strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&goVerbose, "=== RUN   TestCase%d\n    case_test.go:%d: checking value %d against the table\n--- PASS: TestCase%d (0.0%ds)\n", i, i+1, i*7, i, i%10)
		fmt.Fprintf(&server, "2026-01-02T03:04:%02d.123Z INFO  handler.go:%d request served path=/api/v1/items/%d status=200 duration=%dms peer=10.0.0.%d:5%03d\n", i%60, i%300+1, i, i%90, i%250, i%1000)
		fmt.Fprintf(&dots, "\x1b[32m.\x1b[0m  %d%%\r\x1b[32m..\x1b[0m %d%%\rcompiling módulo %d of 2000\n", i%100, (i+1)%100, i)
	}
	pytest, err := os.ReadFile("testdata/pytest/fail/log")
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]string{
		"go-verbose": goVerbose.String(),
		"server":     server.String(),
		"ansi-cr":    dots.String(),
		"pytest":     string(pytest),
		"long-lines": strings.Repeat(strings.Repeat("x=1;", 1<<18)+"\n", 2),
	}
}

func benchOptions() Options {
	paths := []string{"src/handler.go", "case_test.go", "calc.py", "tests/test_calc.py"}
	for i := range 20000 {
		paths = append(paths, fmt.Sprintf("pkg/p%03d/sub%d/file%d.go", i%500, i%7, i))
	}
	return Options{Tree: NewTree(paths), Root: "/room"}
}

// BenchmarkLocalize prints MB/s for each kind of log, by the clock and by
// processor time.
func BenchmarkLocalize(b *testing.B) {
	opt := benchOptions()
	for name, text := range benchLogs(b) {
		b.Run(name, func(b *testing.B) {
			const size = 16 << 20
			b.SetBytes(size)
			b.ReportAllocs()
			start := cpuTime(b)
			for b.Loop() {
				if _, err := Localize(context.Background(), repeat(text, size), opt); err != nil {
					b.Fatal(err)
				}
			}
			if used := cpuTime(b) - start; used > 0 {
				b.ReportMetric(float64(size)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
			}
		})
	}
}

// BenchmarkBuild measures one feedback document of a large failure.
func BenchmarkBuild(b *testing.B) {
	log := strings.Repeat("--- FAIL: TestX (0.00s)\n    x_test.go:1: "+strings.Repeat("long ", 300)+"\nFAIL\nFAIL\tp\t0.1s\n", 100)
	rep, err := Localize(context.Background(), bytes.NewReader([]byte(log)), Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Build(Attempt{Phase: PhaseTests}, rep)
	}
}
