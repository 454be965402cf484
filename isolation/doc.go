// Package isolation runs commands in boxes and says what a box can prove.
//
// New gives the Box that a --via names. Box.Run executes one Job: a command in
// a folder, with an environment that is complete and inherits nothing, bounded
// in time and output. It returns when the command and every process that it
// started are dead, with a Result whose Class says how it ended. What says
// nothing about the command is an error that wraps ErrNotStarted, so that
// infrastructure trouble is never taken for a failing test.
//
// Three back-ends exist. "native" is a box of Linux namespaces with a root of its
// own; Prove makes real attempts to get out of it and says which capabilities
// held. "none" starts plain processes and isolates nothing. A wrapper hands the
// command to a command line of the user's; ProbeWrapper proves that it arrives,
// and nothing else. WrapperNames recognises a wrapper that would run in the
// user's own worktree. Check says in the words of older tools what a --via is
// worth.
//
// On Linux every command has a launcher, see package launcher: nothing
// survives a command, nor the death of the process that called Run. Programs
// call RunLauncher first thing in main. On other systems the command's process
// group is killed, and what left the group is not found.
//
// Environ, ToolchainEnv and BuildCache prepare what a job needs under a private
// HOME.
package isolation
