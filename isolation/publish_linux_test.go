package isolation

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A publisher that is killed at any moment leaves whole entries alone.
func TestPublishKilled(t *testing.T) {
	const place = "PATCHVET_TEST_PUBLISH"
	if root := os.Getenv(place); root != "" {
		src := t.TempDir()
		for i := range 2000 {
			putEntry(t, src, strings.Repeat(strconv.Itoa(i), 3000), "d")
		}
		if _, err := NewBuildCache(root, "/r").Publish(t.Context(), src); err != nil {
			t.Fatal(err)
		}
		t.Skip("ended before it was killed") // only the parent judges
	}
	t.Parallel()
	root := t.TempDir()
	cache := NewBuildCache(root, "/r")
	child := exec.Command("/proc/self/exe", "-test.run=^TestPublishKilled$")
	child.Env = append(os.Environ(), place+"="+root, "TMPDIR="+t.TempDir())
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "something is published", func() bool { return len(namesOf(cache.Dir())) > 20 })
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	dst := filepath.Join(t.TempDir(), "c")
	done, err := cache.Seed(t.Context(), dst)
	if err != nil || done.Files < 20 {
		t.Fatalf("seeded %+v, %v", done, err)
	}
	// Publish refuses outputs that are not whole.
	again, err := NewBuildCache(t.TempDir(), "/r").Publish(t.Context(), dst)
	if err != nil || again.Files != done.Files || again.Refused != 0 {
		t.Errorf("published %+v, %v", again, err)
	}
}
