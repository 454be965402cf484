package attempt

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// dialTime is enough for a server on the same machine.
const dialTime = 300 * time.Millisecond

// writeOutside tries to change what lies outside of the room, and to read it.
func (p Plan) writeOutside() {
	secret := filepath.Join(p.Outside, SecretFile)
	_ = os.WriteFile(filepath.Join(p.Outside, WrittenFile), []byte("x"), 0o666)
	if f, err := os.OpenFile(secret, os.O_WRONLY|os.O_APPEND, 0); err == nil {
		_, _ = f.WriteString("x")
		f.Close()
	}
	// By a link, and by the root of the first process.
	link := filepath.Join(p.Room, "link")
	_ = os.Symlink(p.Outside, link)
	_ = os.WriteFile(filepath.Join(link, WrittenFile), []byte("x"), 0o666)
	around := "/proc/1/root" + p.Outside
	_ = os.WriteFile(filepath.Join(around, WrittenFile), []byte("x"), 0o666)
	_ = os.Link(secret, filepath.Join(p.Room, "hardlink"))
	for _, path := range []string{secret, filepath.Join(link, SecretFile), filepath.Join(around, SecretFile)} {
		if data, err := os.ReadFile(path); err == nil {
			fmt.Printf("read %s\n", data)
		}
	}
}

// dial tries to reach servers on the machine. They tell whether it worked.
func (p Plan) dial() {
	for _, to := range []struct{ network, address string }{
		{"tcp", p.TCP}, {"udp", p.UDP}, {"unix", p.Unix}, {"unix", p.Abstract},
	} {
		if to.address == "" {
			continue
		}
		conn, err := net.DialTimeout(to.network, to.address, dialTime)
		if err != nil {
			continue
		}
		_, _ = conn.Write([]byte("x"))
		conn.Close()
	}
}

// lookAround writes down what it can see of variables and of other processes,
// and tries to end one of those.
func (p Plan) lookAround() {
	own := strings.Join(os.Environ(), "\n") + "\n"
	if data, err := os.ReadFile("/proc/1/environ"); err == nil {
		own += string(bytes.ReplaceAll(data, []byte{0}, []byte{'\n'}))
	}
	_ = os.WriteFile(filepath.Join(p.Room, EnvironFile), []byte(own), 0o644)
	var seen []byte
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		for _, name := range []string{"cmdline", "environ"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				seen = append(append(seen, data...), '\n')
			}
		}
	}
	_ = os.WriteFile(filepath.Join(p.Room, ProcessFile), seen, 0o644)
	if p.Victim > 0 {
		_ = syscall.Kill(p.Victim, syscall.SIGKILL)
	}
}
