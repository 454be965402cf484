package isolation

import (
	"errors"
	"fmt"
)

// program is a command as the operating system takes it.
type program struct {
	path string   // absolute, or relative to dir
	args []string // with argv[0]
	env  []string
	dir  string
	own  bool // path is the command itself, not a shell that is to run it
	box  *boxed
}

// ending is how a program ended. Every process of it is dead.
type ending struct {
	code      int  // exit code; -1 when a signal ended it
	signal    int  // number of that signal; 0 for none
	killed    bool // ended by order, before an end of its own was seen
	survivors int
	memory    bool // the kernel killed one of its processes at the bound of memory
}

// startError says that a program could not be executed and whose fault it is.
type startError struct {
	path     string
	notFound bool // no such program, or no such interpreter
	refused  bool // there, but not executable
	err      error
}

func (e *startError) Error() string { return fmt.Sprintf("execute %s: %v", e.path, e.err) }

func (e *startError) Unwrap() error { return e.err }

// errLost says that the end of a program was not seen.
var errLost = errors.New("its end was not seen")
