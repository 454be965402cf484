package gitops

import (
	"fmt"
	"testing"
)

func manyEntries(n int) []Entry {
	var base []Entry
	for i := range n {
		base = append(base, Entry{Path: fmt.Sprintf("src/pkg%d/sub%d/File%d.go", i%40, i%400, i), Mode: modeFile})
	}
	return base
}

func BenchmarkNewGuard20000(b *testing.B) {
	base := manyEntries(20_000)
	for b.Loop() {
		if _, err := NewGuard(Protection{Globs: []string{"**/*_test.go"}, Ratchet: true, Oracle: []string{"go test ./..."}}, base, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck1000(b *testing.B) {
	base := manyEntries(20_000)
	g, err := NewGuard(Protection{Globs: []string{"**/*_test.go"}, Ratchet: true, Oracle: []string{"go test ./..."}}, base, nil)
	if err != nil {
		b.Fatal(err)
	}
	var changes []Change
	for i := range 1000 {
		changes = append(changes, Change{Path: base[i].Path, Kind: Modified, OldMode: modeFile, NewMode: modeFile})
	}
	for b.Loop() {
		if v := g.Check(changes); len(v) > 0 {
			b.Fatal(v[0])
		}
	}
}

// The worst case: a folder with the whole base in it became a link.
func BenchmarkCheckReplacedFolder(b *testing.B) {
	g, err := NewGuard(Protection{Ratchet: true}, manyEntries(20_000), nil)
	if err != nil {
		b.Fatal(err)
	}
	changes := []Change{{Path: "src", Kind: Added, NewMode: modeLink}}
	for b.Loop() {
		if v := g.Check(changes); len(v) > 0 {
			b.Fatal(v[0])
		}
	}
}
