package main

import (
	"fmt"
	"io"
	"os"
	"slices"
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
	at, words, value := findHoldout(args)
	if words == 0 {
		return nil
	}
	fd, err := anonymousFile(value)
	if err != nil {
		return fmt.Errorf("seal the holdout: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("seal the holdout: %w", err)
	}
	sealed := slices.Concat(args[:at], []string{holdoutFDFlag, strconv.Itoa(fd)}, args[at+words:])
	if err := unix.Exec(self, sealed, os.Environ()); err != nil {
		return fmt.Errorf("seal the holdout: replace the process: %w", err)
	}
	return nil
}

// findHoldout returns where the flag stands, how many words it takes and its
// value; no words where it is not given.
func findHoldout(args []string) (at, words int, value string) {
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		if args[i] == holdoutFlag && i+1 < len(args) {
			return i, 2, args[i+1]
		}
		if value, ok := strings.CutPrefix(args[i], holdoutFlag+"="); ok {
			return i, 1, value
		}
	}
	return 0, 0, ""
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
