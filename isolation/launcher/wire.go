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
	Box  *Box     // nil: the command runs on the machine as it is
}

// maxSpec bounds a Spec on the wire. The kernel takes no argument list above
// 6 MiB (execve(2), limits on size of arguments and environment).
const maxSpec = 16 << 20

var errSpec = errors.New("malformed command on the control socket")

// WriteTo writes the spec in the form that ReadSpec reads.
func (s Spec) WriteTo(w io.Writer) (int64, error) {
	var e encoder
	e.text(s.Path)
	e.text(s.Dir)
	e.list(s.Args)
	e.list(s.Env)
	e.number(flag(s.Box != nil))
	if s.Box != nil {
		s.Box.append(&e)
	}
	if len(e.body) > maxSpec {
		return 0, errSpec
	}
	n, err := w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(e.body))), e.body...))
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
	s := Spec{Path: d.text(), Dir: d.text(), Args: d.list(), Env: d.list()}
	if d.number() != 0 {
		s.Box = d.box()
	}
	if d.bad || len(d.rest) > 0 || len(s.Args) == 0 {
		return Spec{}, errSpec
	}
	return s, nil
}

type encoder struct{ body []byte }

func (e *encoder) number(n int32) { e.body = binary.LittleEndian.AppendUint32(e.body, uint32(n)) }
func (e *encoder) long(n uint64)  { e.body = binary.LittleEndian.AppendUint64(e.body, n) }

func (e *encoder) text(s string) {
	e.number(int32(len(s)))
	e.body = append(e.body, s...)
}

func (e *encoder) list(items []string) {
	e.number(int32(len(items)))
	for _, item := range items {
		e.text(item)
	}
}

type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) list() []string {
	n := d.count()
	out := make([]string, 0, n)
	for range n {
		out = append(out, d.text())
	}
	return out
}

// count is the length of a list. Every item takes four bytes at least, so a
// false count is seen before memory is taken for it.
func (d *decoder) count() int {
	n := d.number()
	if n > len(d.rest)/4 {
		d.bad = true
	}
	if d.bad {
		return 0
	}
	return n
}

func (d *decoder) text() string {
	size := d.number()
	if d.bad || size > len(d.rest) {
		d.bad = true
		return ""
	}
	s := string(d.rest[:size])
	d.rest = d.rest[size:]
	return s
}

// number is zero when the spec is malformed, and never negative.
func (d *decoder) number() int {
	if d.bad || len(d.rest) < 4 {
		d.bad = true
		return 0
	}
	n := binary.LittleEndian.Uint32(d.rest)
	d.rest = d.rest[4:]
	if n > 1<<31-1 {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) long() uint64 {
	if d.bad || len(d.rest) < 8 {
		d.bad = true
		return 0
	}
	n := binary.LittleEndian.Uint64(d.rest)
	d.rest = d.rest[8:]
	return n
}
