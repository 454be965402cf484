package isolation

import "errors"

// ErrNotLinux says that this system has no native box.
var ErrNotLinux = errors.New("native isolation needs the namespaces of Linux: give a wrapper's command line, such as --via 'docker run ... sh -c'")

// viaNative is how --via spells it.
const viaNative = "native"

// NativeCache is a place in a native box that is free for a mount of a build
// cache.
const NativeCache = "/patchvet/cache"

// NativeOptions is what a native box is made for.
type NativeOptions struct {
	// Root is the user's repository. As root, commands run as the user who
	// started sudo, else as its owner, and never as the machine's root.
	Root string
	// Environ and Home are the user's: where toolchains lie that commands need.
	Environ []string
	Home    string
	// Hide are folders that no command sees, also where they lie in one that it does.
	Hide []string
	// ReadOnly and Writable are further paths that are shown where they are: the
	// first to every command, the others to hooks alone, as what a hook could
	// write a verifier must not read. Their owners stay.
	ReadOnly, Writable []string
	// Network are the roles whose commands reach the network of the machine.
	// All others have a loopback device of their own and nothing else.
	Network []Role
}
