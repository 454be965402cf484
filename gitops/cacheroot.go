package gitops

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// CacheRoot is the folder for what patchvet can lose without harm:
// $XDG_CACHE_HOME/patchvet, or ~/.cache/patchvet where that variable is empty
// or, which the XDG Base Directory Specification tells to ignore, relative.
// On Windows and macOS it lies below os.UserCacheDir, unless XDG_CACHE_HOME
// is set. It makes nothing.
func CacheRoot() (string, error) {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "patchvet"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find the cache folder: %w", err)
		}
		return filepath.Join(dir, "patchvet"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w: set HOME or XDG_CACHE_HOME", err)
	}
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("find the cache folder: HOME is %q: it must be an absolute path", home)
	}
	return filepath.Join(home, ".cache", "patchvet"), nil
}
