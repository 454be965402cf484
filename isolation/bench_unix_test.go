//go:build unix

package isolation

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// BenchmarkBox measures what a box adds to plain fork and exec of /bin/true.
func BenchmarkBox(b *testing.B) {
	b.Run("forkexec", func(b *testing.B) {
		for b.Loop() {
			pid, err := syscall.ForkExec("/bin/true", []string{"true"}, &syscall.ProcAttr{Files: []uintptr{0, 1, 2}})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("exec.Cmd", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("exec.Cmd sh", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/sh", "-c", "/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, via := range map[string]string{"none": "none", "wrapper": "sh -c"} {
		box, err := New(via, Options{AllowUnsafeHost: true})
		if err != nil {
			b.Fatal(err)
		}
		for kind, command := range map[string]Command{"argv": {Argv: []string{"/bin/true"}}, "shell": {Shell: "/bin/true"}} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				dir := b.TempDir()
				for i := 0; b.Loop(); i++ {
					job := Job{
						Role: RoleVerify, Command: command, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"},
						Log:    filepath.Join(dir, strconv.Itoa(i)),
						Limits: Limits{Timeout: 1 << 36, MaxOutput: 1 << 30},
					}
					if r, err := box.Run(b.Context(), job); err != nil || r.Class != ClassPass {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}
