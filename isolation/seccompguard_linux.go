package isolation

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Places in struct seccomp_data (seccomp(2)).
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

// x32Bit marks the calls of the x32 ABI, which share the architecture of
// x86-64 and have numbers of their own (syscall(2)).
const x32Bit = 0x40000000

// multipathTCP is a protocol that passes rules made for TCP. Go asks for it
// first and falls back.
const multipathTCP = 262

// tiocLinux lets a program type on a virtual console (ioctl_console(2)).
const tiocLinux = 0x541C

// deniedFamilies are kinds of sockets that reach beyond the box's network
// namespace or are seldom used parts of the kernel.
var deniedFamilies = []uint32{
	unix.AF_VSOCK, unix.AF_ALG, unix.AF_PACKET, unix.AF_KEY, unix.AF_XDP, unix.AF_TIPC, unix.AF_RDS,
	unix.AF_CAN, unix.AF_BLUETOOTH, unix.AF_RXRPC, unix.AF_KCM, unix.AF_SMC,
}

// guardProgram denies what a list of call names cannot: calls of a foreign
// architecture, which such a list takes for others or lets through, and
// arguments. The kernel takes the low 32 bits of these, so no more is compared:
// TIOCSTI | 1<<32 is TIOCSTI.
func guardProgram(goarch string) ([]bpf.Instruction, error) {
	var arch uint32
	switch goarch {
	case "amd64":
		arch = unix.AUDIT_ARCH_X86_64
	case "arm64":
		arch = unix.AUDIT_ARCH_AARCH64
	default:
		return nil, &UnsupportedMachineError{Arch: goarch}
	}
	deny := bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	allow := bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		deny,
		bpf.LoadAbsolute{Off: offsetNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: x32Bit, SkipFalse: 1},
		deny,
	}
	const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
		unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	for _, c := range []struct {
		call  uint32
		arg   uint32
		test  bpf.JumpTest
		value []uint32
	}{
		{unix.SYS_IOCTL, 1, bpf.JumpEqual, []uint32{unix.TIOCSTI, tiocLinux}},
		{unix.SYS_CLONE, 0, bpf.JumpBitsSet, []uint32{namespaces}},
		{unix.SYS_SOCKET, 0, bpf.JumpEqual, deniedFamilies},
		{unix.SYS_SOCKET, 2, bpf.JumpEqual, []uint32{multipathTCP}},
		{unix.SYS_SOCKETPAIR, 0, bpf.JumpEqual, deniedFamilies},
	} {
		// Not this call: over the load, a test and a denial a value, and the
		// load that brings the number back.
		skip := uint8(2 + 2*len(c.value))
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: c.call, SkipFalse: skip},
			bpf.LoadAbsolute{Off: offsetArgs + 8*c.arg, Size: 4}, // both machines are little-endian
		)
		for _, v := range c.value {
			program = append(program, bpf.JumpIf{Cond: c.test, Val: v, SkipFalse: 1}, deny)
		}
		program = append(program, bpf.LoadAbsolute{Off: offsetNumber, Size: 4})
	}
	return append(program, allow), nil
}
