package launcher

// Spec is one command to start. Strings hold no NUL byte.
type Spec struct {
	Path string   // of the program; relative to Dir when it is not absolute
	Args []string // argv, with argv[0]
	Env  []string // the complete environment
	Dir  string   // absolute
	Box  *Box     // nil: the command runs on the machine as it is
}

// MaxSpec bounds the encoded form of a Spec in bytes. The kernel takes no
// argument list above 6 MiB (execve(2), limits on size of arguments and
// environment).
const MaxSpec = 16 << 20

// Encode gives the form that goes over the control socket: its length in four
// bytes, and that many bytes for DecodeSpec.
func (s Spec) Encode() []byte {
	buf := make([]byte, 4)
	for _, list := range [][]string{{s.Path, s.Dir}, s.Args, s.Env} {
		buf = appendNumber(buf, len(list))
		for _, item := range list {
			buf = append(appendNumber(buf, len(item)), item...)
		}
	}
	buf = appendFlag(buf, s.Box != nil)
	if s.Box != nil {
		buf = s.Box.encode(buf)
	}
	appendNumber(buf[:0], len(buf)-4)
	return buf
}

// DecodeSpec reads what Encode gave, without the length.
func DecodeSpec(body []byte) (Spec, bool) {
	d := decoder{rest: body}
	place, args, env := d.list(), d.list(), d.list()
	var box *Box
	if d.flag() {
		box = d.box()
	}
	if d.bad || len(d.rest) > 0 || len(place) != 2 || len(args) == 0 {
		return Spec{}, false
	}
	return Spec{Path: place[0], Dir: place[1], Args: args, Env: env, Box: box}, true
}

func appendNumber(buf []byte, n int) []byte {
	return append(buf, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

func number(buf []byte) int32 {
	return int32(uint32(buf[0]) | uint32(buf[1])<<8 | uint32(buf[2])<<16 | uint32(buf[3])<<24)
}

type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) list() []string {
	n := d.length()
	// Every item takes four bytes at least, so a false count is seen before
	// memory is taken for it.
	if d.bad || n > len(d.rest)/4 {
		d.bad = true
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		size := d.length()
		if d.bad || size > len(d.rest) {
			d.bad = true
			return nil
		}
		out = append(out, string(d.rest[:size]))
		d.rest = d.rest[size:]
	}
	return out
}

func (d *decoder) length() int {
	if d.bad || len(d.rest) < 4 {
		d.bad = true
		return 0
	}
	n := int(number(d.rest))
	d.rest = d.rest[4:]
	d.bad = n < 0 || n > MaxSpec
	return n
}
