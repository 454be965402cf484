//go:build unix

package reports

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A FIFO without a writer would block a plain open for ever. The test hangs,
// and so fails, where one is waited for.
func TestReplayDoesNotWaitForAFIFO(t *testing.T) {
	t.Parallel()
	for _, name := range []string{LedgerFile, EnvelopeFile, JournalFile} {
		dir := runFolder(t, goldenCase{script: passedScript()})
		remove(t, dir, name)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := Replay(dir)
		text := res.IntegrityDetail
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, "not a regular file") || res.Integrity == Verified || (name == LedgerFile) != (err != nil) {
			t.Errorf("%s: %s (%s), %v", name, res.Integrity, res.IntegrityDetail, err)
		}
	}
	dir := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(dir, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Replay(dir); err == nil {
		t.Error("a FIFO in place of the folder was read")
	}
}
