package gitops

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// lockWait takes the lock of a file, made where it is missing, and waits for
// it. Closing the file, or the end of the process, lets it go (LockFileEx).
func lockWait(path string) (*os.File, error) { return lock(path, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// lockTry is lockWait without the wait: errLocked when it is held.
func lockTry(path string) (*os.File, error) {
	return lock(path, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}

func lock(path string, how uint32) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return nil, errLocked
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// notALock says that an error of lockTry is about something in the place of
// the file that no run can hold: a folder.
func notALock(err error) bool { return errors.Is(err, syscall.EISDIR) }
