package gitops

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/patchvet/patchvet/internal/testkit"
)

// manyFiles is a committed repository of n files in n/20 folders.
func manyFiles(b *testing.B, n int) *testkit.Repo {
	b.Helper()
	repo := testkit.NewRepo(b)
	for i := range n {
		repo.Write(fmt.Sprintf("d%d/e%d/f%d.txt", i%20, i/20%(n/400+1), i), fmt.Sprintf("content %d\n", i))
	}
	repo.Commit("base").Git("gc", "-q")
	return repo
}

func BenchmarkSnapshot20000(b *testing.B) {
	repo := manyFiles(b, 20_000).Write("d1/e1/new.txt", "new\n").Write("d0/e0/f0.txt", "changed\n")
	r := openAt(b, repo.Dir)
	root := b.TempDir()
	for i := 0; b.Loop(); i++ {
		s, err := NewScratch(root, fmt.Sprint(i))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Snapshot(b.Context(), s); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func BenchmarkClose20000(b *testing.B) {
	root := b.TempDir()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s, err := NewScratch(root, fmt.Sprint(i))
		if err != nil {
			b.Fatal(err)
		}
		for j := range 20_000 {
			path := s.Path(fmt.Sprintf("d%d", j%20), fmt.Sprintf("e%d", j%500), fmt.Sprint(j))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
