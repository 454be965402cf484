package isolation

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/patchvet/patchvet/isolation/attempt"
)

// bait is what attempts are made on: a folder with a secret, a process with
// one in its environment, and servers, all on the machine.
type bait struct {
	token   string
	outside string
	victim  *exec.Cmd
	servers []server
}

type server struct {
	network string
	address string
	close   func() error
	reached *atomic.Bool
}

func setBait(place string) (*bait, error) {
	b := &bait{token: rand.Text(), outside: filepath.Join(place, "outside")}
	if err := os.Mkdir(b.outside, 0o777); err != nil {
		return nil, err
	}
	// Whoever could come here could also write.
	if err := os.Chmod(b.outside, 0o777); err != nil {
		return nil, err
	}
	secret := filepath.Join(b.outside, attempt.SecretFile)
	if err := os.WriteFile(secret, []byte(b.token), 0o666); err != nil {
		return nil, err
	}
	if err := os.Chmod(secret, 0o666); err != nil {
		return nil, err
	}
	b.victim = &exec.Cmd{Path: shellPath(), Args: []string{"sh", "-c", "read x"}, Env: []string{"PATCHVET_BAIT=" + b.token}}
	// It ends with this process: its input does.
	if _, err := b.victim.StdinPipe(); err != nil {
		return nil, err
	}
	b.victim.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := b.victim.Start(); err != nil {
		return nil, err
	}
	// Short: the path of a socket has about 100 bytes.
	sockets, err := os.MkdirTemp("", "pv")
	if err != nil {
		b.close()
		return nil, err
	}
	_ = os.Chmod(sockets, 0o755)
	b.servers = append(b.servers, server{close: func() error { return os.RemoveAll(sockets) }, reached: new(atomic.Bool)})
	for _, s := range []struct{ network, address string }{
		{"tcp", "127.0.0.1:0"},
		{"udp", "127.0.0.1:0"},
		{"unix", filepath.Join(sockets, "s")},
		{"unix", "@patchvet-" + rand.Text()},
	} {
		if err := b.serve(s.network, s.address); err != nil {
			b.close()
			return nil, fmt.Errorf("serve %s: %w", s.network, err)
		}
	}
	return b, nil
}

func (b *bait) serve(network, address string) error {
	s := server{network: network, reached: new(atomic.Bool)}
	if network == "udp" {
		conn, err := net.ListenPacket(network, address)
		if err != nil {
			return err
		}
		s.address, s.close = conn.LocalAddr().String(), conn.Close
		go func() {
			if n, _, err := conn.ReadFrom(make([]byte, 8)); err == nil && n > 0 {
				s.reached.Store(true)
			}
		}()
		b.servers = append(b.servers, s)
		return nil
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	s.address, s.close = l.Addr().String(), l.Close
	if network == "unix" && address[0] != '@' {
		_ = os.Chmod(address, 0o777)
	}
	go func() {
		if conn, err := l.Accept(); err == nil {
			s.reached.Store(true)
			conn.Close()
		}
	}()
	b.servers = append(b.servers, s)
	return nil
}

// plan is what is tried on the bait.
func (b *bait) plan(room string) attempt.Plan {
	p := attempt.Plan{
		Room: room, Tmp: nativeTmp, Outside: b.outside, Victim: b.victim.Process.Pid,
		Forks: probeForks, Memory: probeUse, Large: probeFile,
	}
	for _, s := range b.servers {
		switch {
		case s.network == "tcp":
			p.TCP = s.address
		case s.network == "udp":
			p.UDP = s.address
		case s.network == "unix" && s.address[0] == '@':
			p.Abstract = s.address
		case s.network == "unix":
			p.Unix = s.address
		}
	}
	return p
}

// changed says what was written outside, or "".
func (b *bait) changed() string {
	if _, err := os.Lstat(filepath.Join(b.outside, attempt.WrittenFile)); err == nil {
		return "a file was made in a folder outside"
	}
	data, err := os.ReadFile(filepath.Join(b.outside, attempt.SecretFile))
	if err != nil || string(data) != b.token {
		return "a file outside was changed"
	}
	return ""
}

// reached names the kinds of servers that somebody came to.
func (b *bait) reached() []string {
	var out []string
	for _, s := range b.servers {
		if !s.reached.Load() {
			continue
		}
		name := s.network
		if name == "unix" && s.address[0] == '@' {
			name = "abstract unix"
		}
		out = append(out, name)
	}
	return out
}

// victimLives says whether nobody ended the process.
func (b *bait) victimLives() bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, b.victim.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err == nil && info.Signo == 0
}

func (b *bait) close() {
	_ = b.victim.Process.Kill()
	_ = b.victim.Wait()
	for _, s := range b.servers {
		_ = s.close()
	}
}

// lockFree says whether nobody holds the lock of a file, in which case there is
// such a file, within the time.
func lockFree(path string, within time.Duration) bool {
	for deadline := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		if err != nil {
			return false
		}
		err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
		unix.Close(fd)
		if err == nil {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}
