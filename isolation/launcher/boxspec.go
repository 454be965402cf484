package launcher

// Box is what the launcher makes of itself before it starts the command. A
// launcher that gets one was started in new namespaces and is their first
// process: when it ends, the kernel kills all others in them (pid_namespaces(7)).
type Box struct {
	UID, GID int32 // who the command is; a launcher that runs as root becomes that
	Hostname string
	Loopback bool    // the network namespace is a new one: bring its loopback device up
	Mounts   []Mount // in the order in which they are made; the root itself is not among them
	Limits   []Rlimit
	// Filters are seccomp programs: arrays of struct sock_filter in the
	// machine's byte order (seccomp(2)). All of them apply.
	Filters [][]byte
}

// MountKind says what a Mount puts at its target.
type MountKind int32

// The kinds of mounts.
const (
	MountReadOnly MountKind = iota + 1 // Source of the machine, with what is mounted below it
	MountWritable                      // the same, writable
	MountDevice                        // one device node of the machine
	MountTmpfs                         // an empty folder in memory; Options are those of tmpfs(5)
	MountLink                          // a symbolic link with the text Source
	MountPTS                           // terminals of its own (devpts)
	MountProc                          // the processes of the box, with what tunes the kernel read-only
	MountEmpty                         // an empty file over one that is there; nothing where there is none
	MountFolder                        // an empty folder of the root, read-only like that
)

// Mount is one thing that the box's root holds.
type Mount struct {
	Kind    MountKind
	Source  string
	Target  string // absolute, as the command sees it
	Options string
}

// Rlimit is one bound of setrlimit(2), for soft and hard.
type Rlimit struct {
	Resource int32
	Value    uint64
}

func (b *Box) append(e *encoder) {
	for _, n := range []int32{b.UID, b.GID, flag(b.Loopback)} {
		e.number(n)
	}
	e.text(b.Hostname)
	e.number(int32(len(b.Mounts)))
	for _, m := range b.Mounts {
		e.number(int32(m.Kind))
		e.text(m.Source)
		e.text(m.Target)
		e.text(m.Options)
	}
	e.number(int32(len(b.Limits)))
	for _, l := range b.Limits {
		e.number(l.Resource)
		e.long(l.Value)
	}
	e.number(int32(len(b.Filters)))
	for _, f := range b.Filters {
		e.text(string(f))
	}
}

func (d *decoder) box() *Box {
	b := &Box{UID: int32(d.number()), GID: int32(d.number()), Loopback: d.number() != 0, Hostname: d.text()}
	for range d.count() {
		b.Mounts = append(b.Mounts, Mount{Kind: MountKind(d.number()), Source: d.text(), Target: d.text(), Options: d.text()})
	}
	for range d.count() {
		b.Limits = append(b.Limits, Rlimit{Resource: int32(d.number()), Value: d.long()})
	}
	for range d.count() {
		b.Filters = append(b.Filters, []byte(d.text()))
	}
	return b
}

func flag(on bool) int32 {
	if on {
		return 1
	}
	return 0
}
