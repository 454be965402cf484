package isolation

import (
	"context"
	"errors"
	"time"
)

// Box runs commands behind one isolation back-end. A Box is safe for
// concurrent use.
type Box interface {
	// Run executes one job and returns when the command has ended and every
	// process that it started is dead.
	//
	// The error is nil whenever the command was started and its end was seen,
	// however it ended: the Result's class says how. It wraps ErrNotStarted
	// when nothing was executed or the end could not be observed (class
	// ClassInfra), and is ctx.Err() when ctx ended first; also then every
	// process is dead and the log is complete up to the kill.
	Run(ctx context.Context, job Job) (Result, error)

	// Describe says which back-end this is and what is known about it.
	Describe() Description
}

// ErrNotStarted is wrapped by errors of Box.Run that say nothing about the
// command: the back-end could not start it or lost sight of it.
var ErrNotStarted = errors.New("command could not be run")

// Role is what a command is run for; network, secrets and mounts differ by role.
type Role string

// The roles.
const (
	RoleHook    Role = "hook"
	RoleVerify  Role = "verify"
	RoleHoldout Role = "holdout"
	RoleJudge   Role = "judge"
	RoleLint    Role = "lint"
)

// Roles are all roles.
func Roles() []Role { return []Role{RoleHook, RoleVerify, RoleHoldout, RoleJudge, RoleLint} }

// Command is either a shell line, which runs through sh -c, or an argv that
// runs as it is. Exactly one of the two is set.
type Command struct {
	Shell string
	Argv  []string
}

// Job is one confined execution of a command.
type Job struct {
	Role    Role
	Command Command
	Dir     string   // absolute; the command's working directory, as the command sees it
	Named   bool     // the command line is the user's own: a box with a root of its own shows the paths that it names
	Mounts  []Mount  // what of the machine a box shows that has a root of its own (Description.Mounts); others ignore it
	Env     []string // the complete environment, NAME=value; nothing is inherited
	Limits  Limits
	Log     string // absolute path of the file that takes stdout and stderr; it must not exist yet
}

// Mount shows a folder or file of the machine under the name Target.
type Mount struct {
	Source   string // absolute, on this machine
	Target   string // absolute, as the command sees it
	ReadOnly bool
	// Keep leaves the owner of Source as it is. Otherwise a box that runs
	// commands as another user than the caller's gives the folder to that one.
	Keep bool
}

// Limits bounds one job. The zero value of a field means no bound.
type Limits struct {
	Timeout      time.Duration // wall clock; class ClassTimeout
	MaxOutput    int64         // bytes of log kept: beyond it the middle is cut and the command goes on
	OutputBudget int64         // bytes of output after which the command is killed; class ClassKilledOutput
	// Memory is bytes of all processes together, and of what they keep in the
	// box's folders in memory; class ClassKilledMemory. 0: the back-end's own
	// default. A back-end that cannot bound it does not, and its probe says so.
	Memory int64
	PIDs   int64 // processes and threads at once; 0: the back-end's own default
}

// Class says how a command ended.
type Class string

// The classes of a result. A back-end reports all but ClassBuildFail, which
// takes knowledge of the runner's output and is assigned by loop/feedback.
const (
	ClassPass         Class = "pass"          // exit 0
	ClassTestFail     Class = "test-fail"     // a plain non-zero exit other than 126 and 127
	ClassError        Class = "error"         // exit 126: found but not executable
	ClassBuildFail    Class = "build-fail"    // the tests were never reached: compile, collection or import failure
	ClassNotFound     Class = "not-found"     // exit 127: command not found
	ClassSignal       Class = "signal"        // ended by a signal, directly or as a shell reports it (128+n)
	ClassTimeout      Class = "timeout"       // killed when Limits.Timeout ran out
	ClassKilledOutput Class = "killed-output" // killed when Limits.OutputBudget ran out
	ClassKilledMemory Class = "killed-memory" // killed by the kernel at Limits.Memory
	ClassInfra        Class = "infra"         // nothing can be said about the command
)

// Result is what one job left.
type Result struct {
	Class       Class
	ExitCode    int           // the command's own; 128+n for signal n; -1 when there is none
	Signal      string        // "SIGKILL" and so on; empty when no signal ended it
	Duration    time.Duration // wall clock from start to the death of the last process
	OutputBytes int64         // all that was written, also what was cut from the log
	Truncated   bool          // the log lacks its middle
	LogReset    bool          // the command was seen to truncate its own log: what it wrote before is gone and OutputBytes is a lower bound
	Survivors   int           // processes that outlived the command and were killed
	Reason      string        // one sentence for ClassInfra and the killed classes
}

// Adopt gives a folder, and all in it, to the user that a box runs commands as,
// where that is another one than the caller: a native box of root's. It changes
// nothing but owners, so a caller that notes what files are like does so after
// it. A box adopts what a job mounts writable by itself.
func Adopt(box Box, dir string) error {
	if b, ok := box.(interface{ Adopt(dir string) error }); ok {
		return b.Adopt(dir)
	}
	return nil
}

// Description says what is known about a back-end.
type Description struct {
	Via    string // as the user spelled it: "none", or the wrapper's command line
	Tier   Tier   // from the words of Via; decides nothing
	Proved bool   // a start-up probe saw its capabilities hold on this machine
	// Mounts says that commands see a root of its own, with what Job.Mounts
	// names in it and with a private HOME and TMPDIR at the places below, which
	// the back-end makes. Otherwise they see the machine's folders where they are.
	Mounts bool
	Home   string
	Tmp    string
}
