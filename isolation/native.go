package isolation

import "errors"

// ErrNotLinux says that this system has no native box.
var ErrNotLinux = errors.New("native isolation needs the namespaces of Linux: give a wrapper's command line, such as --via 'docker run ... sh -c'")

// Where a native box has its own folders. They are no part of any system's
// layout, so that no repository lies there.
const (
	nativeHome = "/patchvet/home"
	nativeTmp  = "/tmp"

	// NativeCache is a place in a native box that is free for a mount of a
	// build cache.
	NativeCache = "/patchvet/cache"
)

// What a native box is bounded by when a job says nothing.
const (
	defaultPIDs = 1024
	leastMemory = int64(2) << 30 // or half of the machine's, where that is more
	largestFile = uint64(1) << 30
	homeSize    = "512m"
	tmpSize     = "2g"
	sharedSize  = "512m"
	nobody      = 65534 // the user that owns nothing, on all common systems
	viaNative   = "native"
)

// systemFolders are shown read-only where they exist. What lies elsewhere is
// not there for a command, but what a job mounts and toolchains.
var systemFolders = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix",
	"/sys/devices/system/cpu",
}

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
