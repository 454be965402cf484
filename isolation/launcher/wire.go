package launcher

import (
	"encoding/binary"
	"errors"
	"io"
)

// Spec is one command to start. Strings hold no NUL byte.
type Spec struct {
	Path string   // of the program; relative to Dir when it is not absolute
	Args []string // argv, with argv[0]
	Env  []string // the complete environment
	Dir  string   // absolute
}

// maxSpec bounds a Spec on the wire. The kernel takes no argument list above
// 6 MiB (execve(2), limits on size of arguments and environment).
const maxSpec = 16 << 20

var errSpec = errors.New("malformed command on the control socket")

// WriteTo writes the spec in the form that ReadSpec reads.
func (s Spec) WriteTo(w io.Writer) (int64, error) {
	var body []byte
	for _, list := range [][]string{{s.Path, s.Dir}, s.Args, s.Env} {
		body = binary.LittleEndian.AppendUint32(body, uint32(len(list)))
		for _, item := range list {
			body = binary.LittleEndian.AppendUint32(body, uint32(len(item)))
			body = append(body, item...)
		}
	}
	if len(body) > maxSpec {
		return 0, errSpec
	}
	n, err := w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...))
	return int64(n), err
}

// ReadSpec reads one spec.
func ReadSpec(r io.Reader) (Spec, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return Spec{}, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxSpec {
		return Spec{}, errSpec
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return Spec{}, err
	}
	d := decoder{rest: body}
	place, args, env := d.list(), d.list(), d.list()
	if d.bad || len(d.rest) > 0 || len(place) != 2 || len(args) == 0 {
		return Spec{}, errSpec
	}
	return Spec{Path: place[0], Dir: place[1], Args: args, Env: env}, nil
}

type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) list() []string {
	n := d.number()
	// Every item takes four bytes at least, so a false count is seen before
	// memory is taken for it.
	if d.bad || n > len(d.rest)/4 {
		d.bad = true
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		size := d.number()
		if d.bad || size > len(d.rest) {
			d.bad = true
			return nil
		}
		out = append(out, string(d.rest[:size]))
		d.rest = d.rest[size:]
	}
	return out
}

func (d *decoder) number() int {
	if d.bad || len(d.rest) < 4 {
		d.bad = true
		return 0
	}
	n := binary.LittleEndian.Uint32(d.rest)
	d.rest = d.rest[4:]
	if n > maxSpec {
		d.bad = true
		return 0
	}
	return int(n)
}
