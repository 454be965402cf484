//go:build unix

package gitops

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lockWait takes the lock of a file, made where it is missing, and waits for
// it. Closing the file, or the end of the process, lets it go (flock(2)).
func lockWait(path string) (*os.File, error) { return lock(path, unix.LOCK_EX) }

// lockTry is lockWait without the wait: errLocked when it is held.
func lockTry(path string) (*os.File, error) { return lock(path, unix.LOCK_EX|unix.LOCK_NB) }

func lock(path string, how int) (*os.File, error) {
	// O_NOFOLLOW: the lock of a dead run lies in a folder that a candidate's
	// processes may have reached.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, errLocked
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// notALock says that an error of lockTry is about something in the place of
// the file that no run can hold: a folder or a symbolic link.
func notALock(err error) bool {
	return errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO)
}
