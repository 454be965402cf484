package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/patchvet/patchvet/internal/testkit"
)

// BenchmarkLoop compares one loop (red gate, one fix, k=2) with the same five
// commands run by hand in the same repository. It reports the ratio, and the
// milliseconds that the loop adds.
func BenchmarkLoop(b *testing.B) {
	bin := buildBinary(b)
	testkit.Home(b)
	repo := testkit.NewRepo(b).Write("a.txt", "0\n").Stage().Commit("base")
	const test, fix = "grep -q 1 a.txt", "echo 1 >> a.txt"
	var hand, tool time.Duration
	for b.Loop() {
		hand += timed(b, repo.Dir, "sh", "-c", "sh -c '"+test+"'; sh -c '"+test+"'; cp a.txt /dev/null; sh -c '"+fix+"'; sh -c '"+test+"' && sh -c '"+test+"'; git checkout -q a.txt")
		tool += timed(b, repo.Dir, bin, "loop", "--quiet", "--allow-unsafe-host", "--require-red", "--tests", test, "--fix-hook", fix)
	}
	n := float64(b.N)
	b.ReportMetric(float64(tool)/float64(hand), "x-by-hand")
	b.ReportMetric(float64((tool-hand).Milliseconds())/n, "ms-added/op")
}

func buildBinary(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "patchvet")
	cmd := exec.Command("go", "build", "-o", bin, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

func timed(b *testing.B, dir, name string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, out)
	}
	return time.Since(begin)
}
