package isolation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Only the three standard streams reach a command, whatever its ancestors
// left open.
func TestJobDescriptors(t *testing.T) {
	leak, err := os.Create(filepath.Join(t.TempDir(), "leak"))
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	if _, err := unix.FcntlInt(leak.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	eachBox(t, func(t *testing.T, box Box) {
		job := newJob(t, "ls -l /proc/self/fd")
		_, log := runJob(t, box, job)
		if strings.Contains(log, "leak") || strings.Contains(log, "socket") {
			t.Errorf("descriptors leaked:\n%s", log)
		}
		if !strings.Contains(log, "0 -> /dev/null") {
			t.Errorf("stdin is not /dev/null:\n%s", log)
		}
	})
}
