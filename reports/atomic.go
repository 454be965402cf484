package reports

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// writeAtomic puts data at a name in the root: a reader sees the old file or
// the whole new one, also after a crash. A symlink at the name is replaced,
// not followed.
func writeAtomic(root *os.Root, name string, data []byte) error {
	temp := fmt.Sprintf(".%s.%s.tmp", name, rand.Text())
	if err := writeSynced(root, temp, data); err != nil {
		return errors.Join(err, removeIfThere(root, temp))
	}
	if err := root.Rename(temp, name); err != nil {
		return errors.Join(err, removeIfThere(root, temp))
	}
	return nil
}

func writeSynced(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func removeIfThere(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncRoot makes the renames survive a crash. Windows cannot sync a folder and
// needs no such call.
func syncRoot(root *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("sync the run folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync the run folder: %w", err)
	}
	return nil
}
