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

// encode appends the form that decoder.box reads.
func (b *Box) encode(buf []byte) []byte {
	buf = appendNumber(appendNumber(buf, int(b.UID)), int(b.GID))
	buf = appendText(appendFlag(buf, b.Loopback), b.Hostname)
	buf = appendNumber(buf, len(b.Mounts))
	for _, m := range b.Mounts {
		buf = appendNumber(buf, int(m.Kind))
		for _, text := range []string{m.Source, m.Target, m.Options} {
			buf = appendText(buf, text)
		}
	}
	buf = appendNumber(buf, len(b.Limits))
	for _, l := range b.Limits {
		buf = appendNumber(buf, int(l.Resource))
		buf = appendNumber(appendNumber(buf, int(uint32(l.Value))), int(l.Value>>32))
	}
	buf = appendNumber(buf, len(b.Filters))
	for _, f := range b.Filters {
		buf = appendText(buf, string(f))
	}
	return buf
}

func (d *decoder) box() *Box {
	b := &Box{UID: d.number(), GID: d.number(), Loopback: d.flag(), Hostname: d.text()}
	for range d.count() {
		b.Mounts = append(b.Mounts, Mount{Kind: MountKind(d.number()), Source: d.text(), Target: d.text(), Options: d.text()})
	}
	for range d.count() {
		b.Limits = append(b.Limits, Rlimit{Resource: d.number(), Value: uint64(uint32(d.number())) | uint64(uint32(d.number()))<<32})
	}
	for range d.count() {
		b.Filters = append(b.Filters, []byte(d.text()))
	}
	return b
}

func appendText(buf []byte, text string) []byte { return append(appendNumber(buf, len(text)), text...) }

func appendFlag(buf []byte, on bool) []byte {
	if on {
		return appendNumber(buf, 1)
	}
	return appendNumber(buf, 0)
}

// count is the length of a list whose items take four bytes at least.
func (d *decoder) count() int {
	n := d.length()
	if n > len(d.rest)/4 {
		d.bad = true
	}
	if d.bad {
		return 0
	}
	return n
}

func (d *decoder) text() string {
	size := d.length()
	if d.bad || size > len(d.rest) {
		d.bad = true
		return ""
	}
	text := string(d.rest[:size])
	d.rest = d.rest[size:]
	return text
}

func (d *decoder) flag() bool {
	n := d.number()
	d.bad = d.bad || n != 0 && n != 1
	return n == 1
}

func (d *decoder) number() int32 {
	if d.bad || len(d.rest) < 4 {
		d.bad = true
		return 0
	}
	n := number(d.rest)
	d.rest = d.rest[4:]
	return n
}
