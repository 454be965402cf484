package isolation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// putEntry writes an entry as the go command does, and returns its name.
func putEntry(t *testing.T, dir, content, kind string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	name := hex.EncodeToString(sum[:]) + "-" + kind
	folder := filepath.Join(dir, name[:2])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := cacheEntries(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.name)
	}
	slices.Sort(out)
	return out
}

func TestBuildCache(t *testing.T) {
	cache := NewBuildCache(t.TempDir(), "/some/repository")
	dst := filepath.Join(t.TempDir(), "empty")
	if done, err := cache.Seed(t.Context(), dst); err != nil || done != (Seeded{}) {
		t.Fatalf("an empty cache seeds %+v, %v", done, err)
	}

	src := t.TempDir()
	var want []string
	for i := range 300 {
		want = append(want, putEntry(t, src, fmt.Sprint("output ", i), "d"), putEntry(t, src, fmt.Sprint("action ", i), "a"))
	}
	slices.Sort(want)
	old := time.Now().Add(-100 * time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(src, want[0][:2], want[0]), old, old); err != nil {
		t.Fatal(err)
	}
	// What is no entry stays out: a false output, a link, odd names, fuzz data.
	lie := strings.Repeat("ab", 32) + "-d"
	for path, content := range map[string]string{"ab/" + lie: "no", "ab/odd": "x", "trim.txt": "1", "fuzz/x": "x", "00/" + lie: "x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(src, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, path), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(src, "ab", strings.Repeat("ab", 32)+"-a")); err != nil {
		t.Fatal(err)
	}
	done, err := cache.Publish(t.Context(), src)
	if err != nil || done.Files != 600 || done.Refused != 1 || done.Trimmed != 0 {
		t.Fatalf("published %+v, %v", done, err)
	}
	if got := names(t, cache.Dir()); !slices.Equal(got, want) {
		t.Fatalf("the cache holds %d entries, want %d", len(got), len(want))
	}
	if done, err := cache.Publish(t.Context(), src); err != nil || done.Files != 0 {
		t.Fatalf("published again %+v, %v", done, err)
	}

	dst = filepath.Join(t.TempDir(), "room", "cache")
	seeded, err := cache.Seed(t.Context(), dst)
	if err != nil || seeded.Files != 600 || seeded.Skipped != "" {
		t.Fatalf("seeded %+v, %v", seeded, err)
	}
	if got := names(t, dst); !slices.Equal(got, want) {
		t.Fatalf("seeded %d entries, want %d", len(got), len(want))
	}
	info, err := os.Stat(filepath.Join(dst, want[0][:2], want[0]))
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("time of use %v, %v; want %v", info, err, old)
	}
	// A room's cache is its own.
	path := filepath.Join(want[1][:2], want[1])
	if err := os.WriteFile(filepath.Join(dst, path), []byte("poison"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(cache.Dir(), path)); err != nil || string(data) == "poison" {
		t.Errorf("the cache was written through: %q, %v", data, err)
	}
	if NewBuildCache("/c", "/a").Dir() == NewBuildCache("/c", "/b").Dir() || NewBuildCache("/c", "/a").Dir() != NewBuildCache("/c", "/a/").Dir() {
		t.Error("keys of repositories")
	}
}

func TestBuildCacheTooLarge(t *testing.T) {
	cache := NewBuildCache(t.TempDir(), "/r")
	src := t.TempDir()
	first := putEntry(t, src, "old", "d")
	putEntry(t, src, "new", "d")
	if _, err := cache.Publish(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	// A sparse file is large enough.
	if err := os.Truncate(filepath.Join(cache.Dir(), first[:2], first), MaxSeed+1); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(cache.Dir(), first[:2], first), old, old); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(cache.Dir(), first[:2], partPrefix+"1")
	if err := os.WriteFile(stale, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(stale, old.Add(-partAge), old.Add(-partAge)); err != nil {
		t.Fatal(err)
	}
	dst := t.TempDir()
	done, err := cache.Seed(t.Context(), dst)
	if err != nil || !strings.Contains(done.Skipped, "512 MiB") || len(names(t, dst)) != 0 {
		t.Fatalf("seeded %+v, %v", done, err)
	}
	published, err := cache.Publish(t.Context(), t.TempDir())
	if err != nil || published.Trimmed != 1 || len(names(t, cache.Dir())) != 1 {
		t.Fatalf("published %+v, %v", published, err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the part of a killed process is still there")
	}
}

// Many publish and seed at once; every entry is always whole.
func TestBuildCacheParallel(t *testing.T) {
	cache := NewBuildCache(t.TempDir(), "/r")
	var all sync.WaitGroup
	for worker := range 6 {
		src := t.TempDir()
		for i := range 60 {
			putEntry(t, src, strings.Repeat(fmt.Sprint(i+worker*20), 5000), "d")
		}
		dst := filepath.Join(t.TempDir(), "c")
		all.Go(func() {
			if _, err := cache.Publish(context.Background(), src); err != nil {
				t.Error(err)
			}
			if _, err := cache.Seed(context.Background(), dst); err != nil {
				t.Error(err)
			}
			for _, name := range namesOf(dst) {
				data, err := os.ReadFile(filepath.Join(dst, name[:2], name))
				if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:])+"-d" != name {
					t.Errorf("%s is not whole: %v", name, err)
				}
			}
		})
	}
	all.Wait()
}

func namesOf(dir string) []string {
	entries, err := cacheEntries(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.name)
	}
	return out
}

func TestBuildCacheCancelled(t *testing.T) {
	cache := NewBuildCache(t.TempDir(), "/r")
	src := t.TempDir()
	putEntry(t, src, "x", "d")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cache.Publish(ctx, src); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// What one run has compiled, the next one with a seeded cache does not.
func TestBuildCacheSavesCompiling(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs go")
	}
	build := func(dir string) (compiled bool) {
		cmd := exec.Command(tool, "build", "-x", "cmp")
		cmd.Env = append(os.Environ(), "GOCACHE="+dir, "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Contains(string(out), "/compile")
	}
	cache := NewBuildCache(t.TempDir(), "/r")
	first, second := filepath.Join(t.TempDir(), "c"), filepath.Join(t.TempDir(), "c")
	if _, err := cache.Seed(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if !build(first) {
		t.Fatal("an empty cache is not empty")
	}
	if done, err := cache.Publish(t.Context(), first); err != nil || done.Files == 0 || done.Refused != 0 {
		t.Fatalf("published %+v, %v", done, err)
	}
	if _, err := cache.Seed(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if build(second) {
		t.Error("compiled again")
	}
}
