// Package launcher is the small process between patchvet and a command that it
// runs on Linux. The binary executes itself again under another name; that
// process starts the command, waits for it, kills everything that the command
// left behind and only then reports.
//
// A process of its own is needed for three things. It is the reaper of
// orphans (PR_SET_CHILD_SUBREAPER, prctl(2)), so a daemon that forks twice,
// starts a session and clears its environment is still found as its
// descendant. It sees its control socket end when patchvet is killed, and
// kills the command then. And it knows the descendants of one command from
// those of another.
//
// The launcher takes over while this package is initialised, before the
// packages of the rest of the program are: starting those takes several times
// as long as the launcher itself. Go initialises packages in the order of
// their import paths once their imports are done, so the package imports
// nothing that is initialised late: neither os nor time, and no module. A test
// holds it to that.
package launcher

// Name is argv[0] of a launcher.
const Name = "patchvet: launcher"

// ControlFD is the launcher's end of the control socket. The parent writes one
// Spec. Any later byte, and the end of the stream, mean: kill everything.
const ControlFD = 3
