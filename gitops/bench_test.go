//go:build unix

package gitops

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/patchvet/patchvet/internal/testkit"
)

// The benchmarks take their size from the environment:
//
//	PATCHVET_BENCH_FILES=20000 PATCHVET_BENCH_MIB=200 go test -run '^$' -bench . -benchtime 3x ./gitops
func benchRepo(b *testing.B) *testkit.Repo {
	b.Helper()
	files, mib := benchSize(b, "PATCHVET_BENCH_FILES", 500), benchSize(b, "PATCHVET_BENCH_MIB", 5)
	repo := testkit.NewRepo(b).Config("gc.auto", "0")
	rnd := rand.New(rand.NewPCG(1, 2))
	size := mib << 20 / files
	for i := range files {
		var text []byte
		for len(text) < size {
			text = fmt.Appendf(text, "line %d of file %d: %x\n", len(text), i, rnd.Uint64N(1<<20))
		}
		repo.Write(fmt.Sprintf("d%d/s%d/f%d.txt", i%40, i/40%25, i), string(text[:size]))
	}
	repo.Commit("base")
	repo.Git("gc", "-q")
	return repo
}

func benchSize(b *testing.B, name string, otherwise int) int {
	value := os.Getenv(name)
	if value == "" {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		b.Fatalf("%s=%q is not a number above 0", name, value)
	}
	return n
}

// cpu reports the processor time of a benchmark and its git children: it says
// more than the clock on a machine that others use, too. It is called before
// the loop, and what it returns after; making and removing rooms outside of the
// clock is in it.
func cpu(b *testing.B) (report func()) {
	used := func() (sum time.Duration) {
		for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
			var u syscall.Rusage
			noError(b, syscall.Getrusage(who, &u))
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
		return sum
	}
	before := used()
	return func() { b.ReportMetric(float64((used()-before).Microseconds())/1e3/float64(b.N), "cpu-ms/op") }
}

// BenchmarkRoom compares a room with what git itself needs for a worktree.
func BenchmarkRoom(b *testing.B) {
	repo := benchRepo(b)
	s := sealHead(b, repo)
	b.Run("seal", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			sealHead(b, repo)
		}
	})
	b.Run("room", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			room := s.room("")
			b.StopTimer()
			noError(b, room.Close())
			b.StartTimer()
		}
	})
	b.Run("worktree-add", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			dir := filepath.Join(b.TempDir(), "tree")
			repo.Git("worktree", "add", "-q", "--detach", dir)
			b.StopTimer()
			repo.Git("worktree", "remove", "--force", dir)
			b.StartTimer()
		}
	})
	b.Run("close", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			b.StopTimer()
			room := s.room("")
			b.StartTimer()
			noError(b, room.Close())
		}
	})
}

// BenchmarkFreeze compares a freeze and a diff with `git status` in the room.
func BenchmarkFreeze(b *testing.B) {
	s := sealHead(b, benchRepo(b))
	room := s.room("")
	b.Run("first-status", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			b.StopTimer()
			fresh := s.room("")
			b.StartTimer()
			benchStatus(b, fresh.Room.Dir())
			b.StopTimer()
			noError(b, fresh.Close())
			b.StartTimer()
		}
	})
	b.Run("status", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			benchStatus(b, room.Room.Dir())
		}
	})
	room.Write("d0/s0/f0.txt", "changed\n").Write("new.txt", "new\n")
	b.Run("freeze", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			_, err := s.Freeze(b.Context(), room.Room, FreezeOptions{})
			noError(b, err)
		}
	})
	frozen, err := s.Freeze(b.Context(), room.Room, FreezeOptions{})
	noError(b, err)
	b.Run("diff", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			_, err := s.Diff(b.Context(), frozen.Tree)
			noError(b, err)
		}
	})
	b.Run("compare", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			_, err := room.Compare(b.Context(), nil)
			noError(b, err)
		}
	})
}

func benchStatus(b *testing.B, dir string) {
	cmd := exec.Command("git", "status", "--porcelain")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatal(err, string(out))
	}
}

// BenchmarkFreezeMany freezes a room in which many files changed.
func BenchmarkFreezeMany(b *testing.B) {
	for name, attrs := range map[string]string{"plain": "", "text-auto": "* text=auto\n"} {
		b.Run(name, func(b *testing.B) {
			repo := testkit.NewRepo(b).Config("gc.auto", "0").Write("x", "x\n").Write(".gitattributes", attrs).Commit("base")
			s := sealHead(b, repo)
			room := s.room("")
			for i := range 2000 {
				room.Write(fmt.Sprintf("d%d/f%d", i%20, i), fmt.Sprintf("file %d\n", i))
			}
			for b.Loop() {
				_, err := s.Freeze(b.Context(), room.Room, FreezeOptions{})
				noError(b, err)
			}
		})
	}
}
