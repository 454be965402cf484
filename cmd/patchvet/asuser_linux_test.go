package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestScriptAsUser runs the scripts of native isolation again as an ordinary
// user, whose boxes are made in another way than root's.
func TestScriptAsUser(t *testing.T) {
	const user, variable = 54322, "PATCHVET_TEST_AS_USER"
	if os.Geteuid() != 0 || os.Getenv(variable) != "" {
		t.Skip("only root can become another user")
	}
	// Not t.TempDir: the folder above that is root's alone.
	dir, err := os.MkdirTemp("", "patchvet-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program := filepath.Join(dir, "test")
	data, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	scripts := filepath.Join(home, "testdata", "script")
	if err := os.CopyFS(scripts, os.DirFS(filepath.Join("testdata", "script"))); err != nil {
		t.Fatal(err)
	}
	for path := scripts; path != dir; path = filepath.Dir(path) {
		if err := os.Chown(path, user, user); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run", "TestScript$/native", "-test.v")
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, variable + "=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v", user, err)
	}
	t.Logf("%s", out)
}
