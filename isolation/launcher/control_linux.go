package launcher

import "syscall"

// control is the launcher's end of the control socket, read and written with
// plain blocking system calls.
type control int

// readSpec reads the one command. False when the parent is gone.
func (c control) readSpec() (Spec, bool) {
	var size [4]byte
	if !c.readFull(size[:]) {
		return Spec{}, false
	}
	n := number(size[:])
	if n < 0 || n > MaxSpec {
		return Spec{}, false
	}
	body := make([]byte, n)
	if !c.readFull(body) {
		return Spec{}, false
	}
	return DecodeSpec(body)
}

// order waits for the order to kill, or the parent's death.
func (c control) order() { c.readFull(make([]byte, 1)) }

func (c control) readFull(p []byte) bool {
	for len(p) > 0 {
		n, err := syscall.Read(int(c), p)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return false
		}
		p = p[n:]
	}
	return true
}

// send writes a report. Nobody is there to hear of a failure.
func (c control) send(r Report) {
	for p := r.Encode(); len(p) > 0; {
		n, err := syscall.Write(int(c), p)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return
		}
		p = p[n:]
	}
}

func (c control) fail(stage Stage, err error) {
	errno, _ := err.(syscall.Errno)
	c.send(Report{Kind: Failed, Stage: stage, Errno: int32(errno)})
}
