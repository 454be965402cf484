package isolation

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// punchHole frees the blocks of a range, which then reads as zeros. The size of
// the file stays (fallocate(2)). errors.ErrUnsupported where the file system
// has no holes.
func punchHole(f *os.File, from, length int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, from, length)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}

// diskUse is how many bytes of disk a file takes.
func diskUse(f *os.File) int64 {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return 0
	}
	return st.Blocks * 512
}
