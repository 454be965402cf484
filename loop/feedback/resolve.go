package feedback

import (
	"net/url"
	"path"
	"strings"
)

// maxPath is the longest path that is looked at (PATH_MAX on Linux).
const maxPath = 4096

// resolver maps what a log calls a file to a path of the tree.
type resolver struct {
	tree  *Tree
	roots []string          // absolute, each with a slash at its end
	cache map[string]string // "" for a name that is none
}

// cacheNames bounds the names that are remembered.
const cacheNames = 4096

func newResolver(opt Options) *resolver {
	r := &resolver{tree: opt.Tree, cache: map[string]string{}}
	for _, root := range []string{opt.Root, opt.UserRoot} {
		if root = path.Clean(root); path.IsAbs(root) && root != "/" {
			r.roots = append(r.roots, root+"/")
		}
	}
	return r
}

// resolveBytes does what resolve does; logs name the same few files again and
// again.
func (r *resolver) resolveBytes(name []byte) (string, bool) {
	if p, ok := r.cache[string(name)]; ok {
		return p, p != ""
	}
	if len(r.cache) >= cacheNames {
		clear(r.cache)
	}
	s := string(clip(name, maxPath+1))
	p, ok := r.resolve(s)
	r.cache[s] = p
	return p, ok
}

// resolve maps a file name: as it is, less a root, less "./", or by a suffix
// that only one path of the tree has.
func (r *resolver) resolve(name string) (string, bool) {
	name, ok := r.strip(name)
	if !ok {
		return "", false
	}
	if p, ok := r.tree.lookup(name); ok {
		return p, true
	}
	if path.IsAbs(name) {
		return r.elsewhere(name)
	}
	clean, climbs := relative(name)
	if p, ok := r.tree.lookup(clean); ok && !climbs {
		return p, true
	}
	if found := r.tree.under(clean, 1); len(found) == 1 {
		return found[0], true
	}
	return "", false
}

// exactly maps a file name without guessing by suffix.
func (r *resolver) exactly(name string) (string, bool) {
	name, ok := r.strip(name)
	if !ok {
		return "", false
	}
	return r.tree.lookup(path.Clean(name))
}

// within maps a file name that is relative to an unknown folder of the package
// pkg, a slash-separated import path: of the paths that end in name it takes
// the one whose folder is the longest tail of pkg.
func (r *resolver) within(name, pkg string) (string, bool) {
	if path.IsAbs(name) || pkg == "" {
		return r.resolve(name)
	}
	name, ok := r.strip(name)
	if !ok {
		return "", false
	}
	clean, _ := relative(name)
	best, size := "", -1
	for _, p := range r.tree.under(clean, 4096) {
		dir := path.Dir(p)
		switch {
		case dir == "." && size < 0:
			best, size = p, 0
		case len(dir) > size && (pkg == dir || strings.HasSuffix(pkg, "/"+dir)):
			best, size = p, len(dir)
		}
	}
	if size >= 0 {
		return best, true
	}
	return r.resolve(name)
}

// strip removes a file URL's scheme, a root and leading "./". It refuses what
// is no file name.
func (r *resolver) strip(name string) (string, bool) {
	if rest, ok := strings.CutPrefix(name, "file://"); ok {
		name = rest
		if strings.Contains(name, "%") {
			if u, err := url.PathUnescape(name); err == nil {
				name = u
			}
		}
	}
	if name == "" || len(name) > maxPath || strings.Contains(name, "://") {
		return "", false
	}
	for _, root := range r.roots {
		if rest, ok := strings.CutPrefix(name, root); ok {
			return path.Clean(rest), true
		}
	}
	for strings.HasPrefix(name, "./") {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name, name != ""
}

// relative cleans a relative name and drops leading "..", which count from a
// working folder that is not known. It tells whether there were any.
func relative(name string) (clean string, climbs bool) {
	clean = path.Clean(name)
	for strings.HasPrefix(clean, "../") {
		clean, climbs = clean[3:], true
	}
	return clean, climbs
}

// elsewhere maps an absolute path outside the known roots, as a wrapper prints
// it that mounts the room somewhere else: the longest tail that is a path of
// the tree. Paths that cannot be a mounted room are refused.
func (r *resolver) elsewhere(name string) (string, bool) {
	name = path.Clean(name)
	for _, prefix := range foreignRoots() {
		if strings.HasPrefix(name, prefix) {
			return "", false
		}
	}
	for _, part := range foreignParts() {
		if strings.Contains(name, part) {
			return "", false
		}
	}
	for {
		i := strings.IndexByte(name, '/')
		if i < 0 {
			return "", false
		}
		name = name[i+1:]
		if p, ok := r.tree.lookup(name); ok {
			return p, true
		}
	}
}

// foreignRoots are system and temporary folders (Filesystem Hierarchy Standard
// and the store of Nix): a room mounted there would be named by Options.Root.
func foreignRoots() []string {
	return []string{
		"/bin/", "/boot/", "/dev/", "/etc/", "/lib/", "/lib32/", "/lib64/", "/nix/", "/opt/",
		"/private/", "/proc/", "/run/", "/rustc/", "/sbin/", "/snap/", "/sys/", "/tmp/", "/usr/", "/var/",
	}
}

// foreignParts mark files of installed packages and caches.
func foreignParts() []string {
	return []string{
		"/site-packages/", "/dist-packages/", "/node_modules/", "/pkg/mod/", "/.cargo/", "/.rustup/",
		"/.cache/", "/go-build", "/lib/python", "/.m2/", "/.gradle/",
	}
}
