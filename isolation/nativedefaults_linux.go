package isolation

// Where a native box has its own folders. The first is no part of any system's
// layout, so that no repository lies there.
const (
	nativeHome = "/patchvet/home"
	nativeTmp  = "/tmp"
)

// What a native box is bounded by when a job says nothing. Sizes are those of
// folders in memory (tmpfs(5)).
const (
	defaultPIDs = 1024
	leastMemory = int64(2) << 30 // or half of the machine's, where that is more
	largestFile = uint64(1) << 30
	homeSize    = "512m"
	tmpSize     = "2g"
	sharedSize  = "512m"
)

// nobody is the user that owns nothing, on all common systems.
const nobody = 65534

// systemFolders are shown read-only where they exist. What lies elsewhere is
// not there for a command, but what a job mounts and toolchains.
var systemFolders = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix",
	"/sys/devices/system/cpu",
}
