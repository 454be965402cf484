package isolation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rowTarget is what a row of the battery is told: places outside, whose state
// decides.
type rowTarget struct {
	Outside string // folder of the machine, everybody may write in it
	Victim  int    // process of the machine
	TCP     string
	UDP     string
	Unix    string
	Name    string // abstract socket
	Room    string
}

func (r rowTarget) path(elem ...string) string {
	return filepath.Join(append([]string{r.Outside}, elem...)...)
}

// row is one attempt. It prints "WORKED" when only the inside can tell that it
// worked, which a row whose effect is seen outside does not need.
type row func(r rowTarget)

func worked(ok bool) {
	if ok {
		fmt.Println("WORKED")
	}
}

func write(path string) { _ = os.WriteFile(path, []byte("written"), 0o666) }

// show prints what could be read; the judge looks for the token.
func show(path string) {
	if data, err := os.ReadFile(path); err == nil {
		fmt.Printf("%s\n", data)
	}
}

func errnoCall(number uintptr, args ...uintptr) bool {
	var a [6]uintptr
	copy(a[:], args)
	_, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	return errno != unix.EPERM && errno != unix.ENOSYS && errno != unix.EACCES
}

// rows are the attempts by name.
func rows() map[string]row {
	return map[string]row{
		"write home":        func(r rowTarget) { write(r.path("home", "planted")) },
		"write tmp":         func(r rowTarget) { write(r.path("planted")) },
		"write worktree":    func(r rowTarget) { write(r.path("repo", "planted")) },
		"write git config":  func(r rowTarget) { write(r.path("repo", ".git", "config")) },
		"write git hook":    func(r rowTarget) { write(r.path("repo", ".git", "hooks", "post-checkout")) },
		"write git ref":     func(r rowTarget) { write(r.path("repo", ".git", "refs", "planted")) },
		"write by symlink":  writeBySymlink,
		"write by hardlink": writeByHardlink,
		"write by bind":     writeByBind,
		"write by proc root": func(r rowTarget) {
			write("/proc/1/root" + r.path("planted"))
			write("/proc/self/root" + r.path("planted"))
		},
		"write process memory": writeMemory,
		"write sysfs":          writeSysfs,
		"write shared memory":  func(r rowTarget) { write(sharedFile(r.Outside)) },
		"write runner file":    func(r rowTarget) { write(os.Getenv("GITHUB_ENV")); write(r.path("runner", "env")) },
		"read ssh key":         func(r rowTarget) { show(r.path("home", ".ssh", "id")) },
		"read netrc":           func(r rowTarget) { show(r.path("home", ".netrc")) },
		"read run folder":      func(r rowTarget) { show(r.path("repo", ".patchvet", "runs", "1", "journal.jsonl")) },
		"read other room":      func(r rowTarget) { show(r.path("rooms", "2", "file")) },
		"read environments":    func(rowTarget) { showAll("/proc/[0-9]*/environ") },
		"read command lines":   func(rowTarget) { showAll("/proc/[0-9]*/cmdline") },
		"read shadow":          func(rowTarget) { data, err := os.ReadFile("/etc/shadow"); worked(err == nil && len(data) > 0) },
		"dial tcp":             func(r rowTarget) { dial("tcp", r.TCP) },
		"dial udp":             func(r rowTarget) { dial("udp", r.UDP) },
		"dial unix":            func(r rowTarget) { dial("unix", r.Unix) },
		"dial abstract":        func(r rowTarget) { dial("unix", r.Name) },
		"dial multipath":       dialMultipath,
		"raw socket": func(rowTarget) {
			_, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
			worked(err == nil)
		},
		"packet socket":      func(rowTarget) { _, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); worked(err == nil) },
		"vsock":              func(rowTarget) { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); worked(err == nil) },
		"kill a process":     func(r rowTarget) { _ = unix.Kill(r.Victim, unix.SIGKILL); _ = unix.Kill(-1, unix.SIGCONT) },
		"trace a process":    func(r rowTarget) { worked(unix.PtraceAttach(r.Victim) == nil) },
		"trace the launcher": func(rowTarget) { worked(unix.PtraceAttach(1) == nil) },
		"inherited files":    inherited,
		"type at a terminal": typeAtTerminal,
		"user namespace":     func(rowTarget) { worked(unix.Unshare(unix.CLONE_NEWUSER) == nil) },
		"user namespace clone": func(rowTarget) {
			pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
			exitChild(pid, errno)
			worked(errno == 0)
		},
		"clone3":          func(rowTarget) { worked(errnoCall(unix.SYS_CLONE3, 0, 0)) },
		"mount":           func(rowTarget) { worked(unix.Mount("none", "/tmp", "tmpfs", 0, "") == nil) },
		"new mount calls": func(rowTarget) { worked(errnoCall(unix.SYS_FSOPEN, 0, 0) || errnoCall(unix.SYS_OPEN_TREE, 0, 0, 0)) },
		"remount":         func(rowTarget) { worked(unix.Mount("", "/usr", "", unix.MS_REMOUNT|unix.MS_BIND, "") == nil) },
		"keyctl":          func(rowTarget) { worked(errnoCall(unix.SYS_KEYCTL, 0, 0, 0)) },
		"bpf":             func(rowTarget) { worked(errnoCall(unix.SYS_BPF, 0, 0, 0)) },
		"userfaultfd":     func(rowTarget) { worked(errnoCall(unix.SYS_USERFAULTFD, 0)) },
		"io_uring":        func(rowTarget) { worked(errnoCall(unix.SYS_IO_URING_SETUP, 1, 0)) },
		"perf_event_open": func(rowTarget) { worked(errnoCall(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, 0, 0)) },
		"load a module":   func(rowTarget) { worked(errnoCall(unix.SYS_INIT_MODULE, 0, 0, 0)) },
		"kexec":           func(rowTarget) { worked(errnoCall(unix.SYS_KEXEC_LOAD, 0, 0, 0, 0)) },
		"setns":           func(rowTarget) { worked(errnoCall(unix.SYS_SETNS, 0, 0)) },
		"become root":     func(rowTarget) { _, _, errno := unix.RawSyscall(unix.SYS_SETUID, 0, 0, 0); worked(errno == 0) },
		"fork bomb":       forkBomb,
		"memory bomb":     memoryBomb,
		"spin": func(rowTarget) {
			for {
				_ = time.Now()
			}
		},
		"large file":           func(r rowTarget) { worked(unix.Truncate(makeFile(filepath.Join(r.Room, "large")), 2<<30) == nil) },
		"fill tmp":             fillTmp,
		"x32 call":             func(rowTarget) { worked(errnoCall(0x40000000 + 39)) },
		"ioctl with high bits": ioctlHighBits,
		"box in a box":         boxInBox,
	}
}

// runRow is the program of the battery: one attempt, by name.
func runRow(name, target string) {
	var r rowTarget
	if err := json.Unmarshal([]byte(target), &r); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	attempt, ok := rows()[name]
	if !ok {
		fmt.Println("no such row")
		os.Exit(2)
	}
	attempt(r)
	fmt.Println("DONE")
}

// sharedFile is a name in the machine's shared memory for one battery.
func sharedFile(outside string) string {
	return "/dev/shm/patchvet" + strings.ReplaceAll(outside, "/", "_")
}

func makeFile(path string) string {
	write(path)
	return path
}

func showAll(pattern string) {
	found, _ := filepath.Glob(pattern)
	for _, path := range found {
		show(path)
	}
}

func dial(network, address string) {
	conn, err := net.DialTimeout(network, address, 300*time.Millisecond)
	if err != nil {
		return
	}
	_, _ = conn.Write([]byte("x"))
	conn.Close()
}

func writeBySymlink(r rowTarget) {
	link := filepath.Join(r.Room, "link")
	_ = os.Symlink(r.Outside, link)
	write(filepath.Join(link, "planted"))
}

func writeByHardlink(r rowTarget) {
	link := filepath.Join(r.Room, "hardlink")
	if os.Link(r.path("home", ".netrc"), link) == nil {
		write(link)
	}
}

func writeByBind(r rowTarget) {
	_ = unix.Mount(r.Outside, r.Room, "", unix.MS_BIND, "")
	write(filepath.Join(r.Room, "planted"))
}

func writeMemory(r rowTarget) {
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", r.Victim), os.O_RDWR, 0)
	worked(err == nil)
	if err == nil {
		f.Close()
	}
}

func writeSysfs(rowTarget) {
	for _, path := range []string{"/sys/kernel/uevent_helper", "/sys/devices/system/cpu/cpu1/online", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"} {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		worked(err == nil)
		if err == nil {
			f.Close()
		}
	}
}

func dialMultipath(r rowTarget) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, multipathTCP)
	worked(err == nil)
	if err == nil {
		unix.Close(fd)
	}
	_ = r
}

// boxInBox says why it cannot make one.
func boxInBox(r rowTarget) {
	box, err := newNative(NativeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = Prove(context.Background(), box, r.Room, RequiredCapabilities(), StartUp)
	fmt.Println(err)
	fmt.Println("is ErrNoIsolation", errors.Is(err, ErrNoIsolation))
	worked(err == nil)
}

// inherited looks for open files beyond the three streams and those of the Go
// runtime, which are sockets of its poller.
func inherited(rowTarget) {
	found, _ := filepath.Glob("/proc/self/fd/*")
	for _, path := range found {
		to, err := os.Readlink(path)
		if err == nil && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "/proc/") && to != "/dev/null" && filepath.Base(to) != "log" {
			worked(true)
		}
	}
}

func typeAtTerminal(rowTarget) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return
	}
	c := byte('x')
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCSTI, uintptr(unsafe.Pointer(&c)))
	worked(errno == 0)
	tty, err := unix.Open("/dev/tty", unix.O_RDWR, 0)
	worked(err == nil)
	if err == nil {
		unix.Close(tty)
	}
}

func ioctlHighBits(rowTarget) {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, 1, unix.TIOCSTI|1<<32, 0)
	worked(errno != unix.EPERM)
	_, _, errno = unix.Syscall(unix.SYS_SOCKET, unix.AF_ALG|1<<32, unix.SOCK_SEQPACKET, 0)
	worked(errno != unix.EPERM)
}

//go:norace
func exitChild(pid uintptr, errno syscall.Errno) {
	if errno == 0 && pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
}

func forkBomb(rowTarget) {
	for range 3000 {
		if _, err := os.StartProcess("/bin/sleep", []string{"sleep", "60"}, &os.ProcAttr{}); err != nil {
			return
		}
	}
	worked(true)
}

func memoryBomb(rowTarget) {
	var all [][]byte
	for range 64 {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		all = append(all, b)
	}
	worked(len(all) == 64)
}

// fillTmp writes more than /tmp may hold, in small files.
func fillTmp(rowTarget) {
	block := make([]byte, 64<<20)
	for i := range 40 {
		if os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprint(i)), block, 0o600) != nil {
			return
		}
	}
	worked(true)
}
