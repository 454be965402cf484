package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// errNotRegular says that a name in the run folder is no plain file.
var errNotRegular = errors.New("not a regular file")

// openFolder opens a run folder. os.OpenRoot alone would wait for ever where
// the name is that of a FIFO.
func openFolder(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: not a directory", dir)
	}
	return os.OpenRoot(dir)
}

// openRegular opens a file of a run folder that nobody vouches for. It never
// leaves the folder and never waits: a FIFO that nobody writes to is refused,
// not waited for.
func openRegular(root *os.Root, name string, limit int64) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s: %w", name, errNotRegular)
	case info.Size() > limit:
		err = fmt.Errorf("%s has %d bytes, at most %d are read", name, info.Size(), limit)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

// readRegular reads such a file whole. A file that grows meanwhile is cut at
// the limit.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := openRegular(root, name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}
