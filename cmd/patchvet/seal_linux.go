package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// holdoutFlag takes the sealed command; holdoutFDFlag is where it is read from
// after the process replaced itself.
const (
	holdoutFlag   = "--holdout"
	holdoutFDFlag = "--holdout-fd"
)

// sealArguments keeps the holdout out of this process's command line, which
// every process of the same user can read: the value moves to an anonymous
// file and the process replaces itself under arguments that name its
// descriptor. Without a holdout nothing happens.
func sealArguments(args []string) error {
	sealed := append([]string(nil), args...)
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		value, rest := "", 0
		switch {
		case args[i] == holdoutFlag && i+1 < len(args):
			value, rest = args[i+1], i+2
		case strings.HasPrefix(args[i], holdoutFlag+"="):
			value, rest = strings.TrimPrefix(args[i], holdoutFlag+"="), i+1
		default:
			continue
		}
		fd, err := anonymousFile(value)
		if err != nil {
			return fmt.Errorf("seal the holdout: %w", err)
		}
		sealed = append(append(append([]string(nil), args[:i]...), holdoutFDFlag, strconv.Itoa(fd)), args[rest:]...)
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("seal the holdout: %w", err)
		}
		if err := unix.Exec(self, sealed, os.Environ()); err != nil {
			return fmt.Errorf("seal the holdout: replace the process: %w", err)
		}
	}
	return nil
}

// anonymousFile holds a value in memory under a descriptor that survives exec.
func anonymousFile(value string) (int, error) {
	fd, err := unix.MemfdCreate("patchvet", 0)
	if err != nil {
		return 0, err
	}
	if _, err := unix.Write(fd, []byte(value)); err != nil {
		return 0, err
	}
	_, err = unix.Seek(fd, 0, io.SeekStart)
	return fd, err
}
