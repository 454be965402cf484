package isolation

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// deniedCalls give EPERM in a native box. They change the machine, the box
// itself, or are large parts of the kernel that tests do without and escapes
// have come through. ptrace and process_vm_* are not among them: debuggers and
// sanitizers need them, and the pid namespace keeps them inside.
var deniedCalls = []string{
	"acct", "add_key", "bpf", "chroot", "clock_adjtime", "clock_settime", "delete_module", "fanotify_init",
	"finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "init_module", "io_uring_enter",
	"io_uring_register", "io_uring_setup", "ioperm", "iopl", "kcmp", "kexec_file_load", "kexec_load", "keyctl",
	"lookup_dcookie", "mount", "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at",
	"open_tree", "perf_event_open", "pidfd_getfd", "pivot_root", "quotactl", "quotactl_fd", "reboot",
	"request_key", "setns", "settimeofday", "swapoff", "swapon", "syslog", "umount2", "unshare",
	"userfaultfd", "vhangup",
}

// onlyAMD64 are those of deniedCalls that other machines do not have.
var onlyAMD64 = []string{"ioperm", "iopl", "kexec_file_load", "lookup_dcookie"}

// UnsupportedMachineError says that there are no filters for a processor.
type UnsupportedMachineError struct{ Arch string }

func (e *UnsupportedMachineError) Error() string {
	return fmt.Sprintf("native isolation knows no system call filter for %s: use --via with a wrapper that isolates", e.Arch)
}

// seccompFilters are the programs of a native box, built once.
var seccompFilters = sync.OnceValues(func() ([][]byte, error) {
	guard, err := guardProgram(runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	names := slices.Clone(deniedCalls)
	if runtime.GOARCH != "amd64" {
		names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(onlyAMD64, n) })
	}
	deny := seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls: []seccomp.SyscallGroup{
			{Names: names, Action: seccomp.ActionErrno | seccomp.Action(unix.EPERM)},
			// Its flags are behind a pointer, where no filter can look. C
			// libraries fall back to clone(2) when there is no such call.
			{Names: []string{"clone3"}, Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
		},
	}
	program, err := deny.Assemble()
	if err != nil {
		return nil, fmt.Errorf("build the system call filter: %w", err)
	}
	var out [][]byte
	for _, p := range [][]bpf.Instruction{guard, program} {
		raw, err := assemble(p)
		if err != nil {
			return nil, fmt.Errorf("build the system call filter: %w", err)
		}
		out = append(out, raw)
	}
	return out, nil
})

// assemble gives an array of struct sock_filter (socket(7), SO_ATTACH_FILTER).
func assemble(program []bpf.Instruction) ([]byte, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, r := range raw {
		out = binary.NativeEndian.AppendUint16(out, r.Op)
		out = append(out, r.Jt, r.Jf)
		out = binary.NativeEndian.AppendUint32(out, r.K)
	}
	return out, nil
}
