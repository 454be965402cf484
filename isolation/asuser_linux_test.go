package isolation

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// userVariable is set in the tests that TestAsUser runs.
const userVariable = "PATCHVET_TEST_AS_USER"

// testUser is nobody's: no account is needed for it.
const testUser = 54321

// The native box works for an ordinary user as it does for root: the same tests
// run again as one.
func TestAsUser(t *testing.T) {
	if os.Geteuid() != 0 || os.Getenv(userVariable) != "" {
		t.Skip("only root can become another user")
	}
	dir, err := os.MkdirTemp("", "patchvet-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program := filepath.Join(dir, "test")
	copyProgram(t, program)
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, home} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(home, testUser, testUser); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run", "^Test(Native|Prove|Battery|Suite|CheckNative|Unproved)", "-test.v")
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, userVariable + "=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: testUser, Gid: testUser}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v", testUser, err)
	}
	t.Logf("%s", out)
}

// copyProgram copies this test to where another user may execute it.
func copyProgram(t *testing.T, to string) {
	t.Helper()
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, from); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
