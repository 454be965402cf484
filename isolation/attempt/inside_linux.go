package attempt

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// privileges notes who the program is, and tries calls that give more.
func (f *Findings) privileges() {
	f.Root = os.Getuid() == 0 || os.Geteuid() == 0
	f.Status = map[string]string{}
	if data, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && (strings.HasPrefix(name, "Cap") || name == "NoNewPrivs" || name == "Seccomp") {
				f.Status[name] = strings.TrimSpace(value)
			}
		}
	}
	f.Calls["unshare"] = unix.Unshare(unix.CLONE_NEWUSER) == nil
	f.Calls["mount"] = unix.Mount("none", "/tmp", "tmpfs", 0, "") == nil
	_, _, errno := unix.RawSyscall(unix.SYS_SETUID, 0, 0, 0)
	f.Calls["setuid"] = errno == 0 && !f.Root
	_, err := unix.KeyctlInt(unix.KEYCTL_GET_KEYRING_ID, unix.KEY_SPEC_SESSION_KEYRING, 1, 0, 0)
	f.Calls["keyctl"] = err == nil
	_, _, errno = unix.Syscall(unix.SYS_BPF, 0, 0, 0)
	f.Calls["bpf"] = errno != unix.EPERM && errno != unix.ENOSYS
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
	f.Calls["raw socket"] = err == nil
	if err == nil {
		unix.Close(fd)
	}
}

// controls does what tests do. A box that denies everything is of no use.
func (p Plan) controls(f *Findings) {
	note := func(name string, err error) {
		f.Controls[name] = ""
		if err != nil {
			f.Controls[name] = err.Error()
		}
	}
	note("write in the room", os.WriteFile(filepath.Join(p.Room, ControlFile), []byte("written"), 0o644))
	note("write in /tmp", os.WriteFile(filepath.Join(p.Tmp, ControlFile), []byte("written"), 0o644))
	note("own loopback server", serveAndDial("tcp", "127.0.0.1:0"))
	note("own unix socket", serveAndDial("unix", filepath.Join(p.Tmp, "s")))
	note("run git", exec.Command("git", "--version").Run())
}

func serveAndDial(network, address string) error {
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	defer l.Close()
	conn, err := net.DialTimeout(network, l.Addr().String(), dialTime)
	if err != nil {
		return err
	}
	return conn.Close()
}

// leave starts a process in a session of its own and waits until it holds the
// lock. Nobody waits for that process.
func (p Plan) leave() bool {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return false
	}
	r, w, err := os.Pipe()
	if err != nil {
		return false
	}
	defer r.Close()
	_, err = os.StartProcess(self, []string{self, Name, fmt.Sprintf(`{"Linger":true,"Room":%q}`, p.Room)}, &os.ProcAttr{
		Env: os.Environ(), Files: []*os.File{nil, w, nil}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	w.Close()
	if err != nil {
		return false
	}
	n, _ := r.Read(make([]byte, 8))
	return n > 0
}

// resources uses more than the box may give.
func (p Plan) resources(f *Findings) {
	if p.Large > 0 {
		f.Large = makeLarge(filepath.Join(p.Room, LargeFile), p.Large)
	}
	var started []int
	for range p.Forks {
		pid, errno := fork(0)
		if errno != 0 {
			break
		}
		started = append(started, pid)
	}
	f.Started = len(started)
	for _, pid := range started {
		_ = unix.Kill(pid, unix.SIGKILL)
		_, _ = unix.Wait4(pid, nil, 0, nil)
	}
	if p.Memory > 0 {
		pid, errno := fork(uintptr(p.Memory))
		if errno != 0 {
			return
		}
		var status unix.WaitStatus
		_, _ = unix.Wait4(pid, &status, 0, nil)
		f.Memory = "lived"
		if status.Signaled() && status.Signal() == unix.SIGKILL {
			f.Memory = "killed"
		}
	}
}

// makeLarge grows a file without using disk.
func makeLarge(path string, size int64) bool {
	fd, err := unix.Open(path, unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	defer func() { _ = unix.Unlink(path) }()
	return unix.Ftruncate(fd, size) == nil
}

// fork makes a bare copy of this process: no runtime runs in it, so it only
// makes system calls. It uses memory bytes and ends, or sleeps when that is 0.
//
//go:norace
//go:nosplit
func fork(memory uintptr) (int, unix.Errno) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 || pid != 0 {
		return int(pid), errno
	}
	if memory > 0 {
		// MAP_POPULATE uses it at once (mmap(2)).
		unix.RawSyscall6(unix.SYS_MMAP, 0, memory, unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_POPULATE, ^uintptr(0), 0)
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	for {
		var forever [2]int64
		forever[0] = 1 << 30
		unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&forever)), 0, 0)
	}
}
