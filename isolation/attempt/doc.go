// Package attempt is the program that tries to get out of a box. A box runs it
// like any command; whoever started it judges by what happened outside, as a
// return code inside can lie.
//
// Like package launcher it takes over before main, so that it starts quickly
// and a test binary has it too.
package attempt

// Name is argv[1] of the program, whatever it is called; argv[2] is a Plan as
// JSON.
const Name = "patchvet: attempt"

// Plan says what to try and where. Nothing in it is a secret: what must not be
// found is never told.
type Plan struct {
	Linger bool // hold the lock of Room/LingerFile until killed, and nothing else

	Room     string // may be written
	Tmp      string // may be written
	Outside  string // folder on the machine with SecretFile in it, which the box must not show
	Victim   int    // process on the machine
	TCP      string // address of a server on the machine
	UDP      string
	Unix     string // path of a socket
	Abstract string // name of an abstract socket, with its @
	Forks    int    // processes to start at once; 0: do not try
	Memory   int    // bytes to use; 0: do not try
	Large    int64  // bytes of a file to make (no disk is used); 0: do not try
}

// Names in the folders of a Plan.
const (
	SecretFile   = "secret"
	WrittenFile  = "written"
	ControlFile  = "control"
	LingerFile   = "linger"
	LargeFile    = "large"
	EnvironFile  = "environ"  // in Room: every variable that was seen
	ProcessFile  = "process"  // in Room: command lines and environments that were seen
	FindingsFile = "findings" // in Room: JSON of Findings
)

// Findings are what only the inside can tell.
type Findings struct {
	Ended     bool              // the program came to its end
	Started   int               // processes that could be started, of Plan.Forks
	Memory    string            // how the process that used Plan.Memory ended: "killed", "lived"
	Large     bool              // the large file could be made
	Status    map[string]string // of /proc/self/status: NoNewPrivs, CapEff, CapBnd ...
	Root      bool              // it runs as user 0
	Calls     map[string]bool   // system calls that must fail, by name: true when one worked
	Controls  map[string]string // what must work: "" when it did, else the error
	Lingering bool              // a process was left behind
}
