package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// toolFolders are what of the user's home, and of other places that a box does
// not show by itself, its commands need: programs that PATH leads to, with
// what belongs to them, and what toolchains keep (ToolchainEnv). Never the home.
type toolFolders struct {
	dirs    []string // sorted; none lies in another
	secrets []string // files in them that hold a key or a password
}

// credentialFiles are where tools keep keys in folders that are shown, relative
// to the variable's value.
var credentialFiles = map[string][]string{
	"CARGO_HOME":       {"credentials", "credentials.toml"},
	"GRADLE_USER_HOME": {"gradle.properties", "init.gradle"},
	"PUB_CACHE":        {"credentials.json", "pub-credentials.json"},
	"HEX_HOME":         {"hex.config"},
	"STACK_ROOT":       {"upload/credentials.json"},
	"GEM_HOME":         {"credentials"},
	"PNPM_HOME":        {"rc"},
	"BUN_INSTALL":      {"bunfig.toml"},
}

// installMarks tell the folder of an installation from one that only happens to
// hold a bin: what programs of it load lies beside that.
var installMarks = []string{"lib", "libexec", "lib64", "pyvenv.cfg", "versions", "toolchains", "installs", "conf", "jre"}

// findTools looks for toolchains. home is the user's; environ the user's too.
func findTools(environ []string, home string) toolFolders {
	f := finder{home: filepath.Clean(home), found: map[string]bool{}}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		f.realHome = real
	}
	var tools toolFolders
	path := ""
	for _, entry := range append(slices.Clone(environ), ToolchainEnv(environ, home)...) {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" {
			path = value
		}
	}
	for _, entry := range ToolchainEnv(environ, home) {
		name, value, _ := strings.Cut(entry, "=")
		for _, dir := range filepath.SplitList(value) {
			f.install(dir)
			for _, file := range credentialFiles[name] {
				tools.secrets = append(tools.secrets, filepath.Join(dir, file))
			}
		}
	}
	for _, dir := range filepath.SplitList(path) {
		f.program(dir)
	}
	tools.dirs = f.outermost()
	tools.secrets = slices.DeleteFunc(tools.secrets, func(file string) bool { return !exists(file) })
	return tools
}

type finder struct {
	home, realHome string
	found          map[string]bool
}

// program takes a folder of PATH: itself, the installation that it belongs to,
// and those that links in it lead to.
func (f *finder) program(dir string) {
	if !filepath.IsAbs(dir) || !isFolder(dir) {
		return
	}
	dir = filepath.Clean(dir)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return
	}
	if !inSystem(real) {
		f.prefix(real)
	}
	if dir != real && !inSystem(dir) {
		f.add(dir)
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			continue
		}
		target := follow(filepath.Join(real, e.Name()))
		if inSystem(target) {
			continue
		}
		if target, err = filepath.EvalSymlinks(target); err == nil && !inSystem(target) {
			f.prefix(filepath.Dir(target))
		}
	}
}

// follow goes from link to link. It asks for nothing but the links themselves:
// a system's own folders hold hundreds.
func follow(path string) string {
	const most = 40 // as the kernel has it (path_resolution(7))
	for range most {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// prefix takes a folder of programs and, where it is part of an installation,
// all of that.
func (f *finder) prefix(dir string) {
	f.add(dir)
	parent := filepath.Dir(dir)
	if slices.Contains([]string{"bin", "sbin", "shims", "Scripts"}, filepath.Base(dir)) &&
		slices.ContainsFunc(installMarks, func(m string) bool { return exists(filepath.Join(parent, m)) }) {
		f.install(parent)
	}
}

// install takes a folder that belongs to a tool. Of ~/.local, which holds the
// user's own files too, only the parts for programs are taken.
func (f *finder) install(dir string) {
	if !filepath.IsAbs(dir) || !isFolder(dir) {
		return
	}
	dir = filepath.Clean(dir)
	for _, home := range []string{f.home, f.realHome} {
		if dir == filepath.Join(home, ".local") {
			f.add(filepath.Join(dir, "bin"))
			f.add(filepath.Join(dir, "lib"))
			return
		}
	}
	f.add(dir)
}

// add takes a folder that is neither part of the system, which is shown
// anyway, nor one that holds the home.
func (f *finder) add(dir string) {
	if inSystem(dir) || !isFolder(dir) || dir == "/" || f.holdsHome(dir) {
		return
	}
	f.found[dir] = true
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir && !inSystem(real) && !f.holdsHome(real) {
		f.found[real] = true
	}
}

func (f *finder) holdsHome(dir string) bool {
	return f.home != "." && within(f.home, dir) || f.realHome != "" && within(f.realHome, dir)
}

// outermost drops folders that lie in another one.
func (f *finder) outermost() []string {
	var out []string
	for dir := range f.found {
		covered := false
		for other := range f.found {
			covered = covered || other != dir && within(dir, other)
		}
		if !covered {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}

func inSystem(path string) bool {
	return slices.ContainsFunc(systemFolders, func(dir string) bool { return within(path, dir) })
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// outside are the mounts of the folders that do not lie in what a job mounts:
// there the job's own content is what counts, not that of the user's worktree.
func (t toolFolders) outside(jobs []Mount) []launcher.Mount {
	var out []launcher.Mount
	for _, dir := range t.dirs {
		if slices.ContainsFunc(jobs, func(m Mount) bool { return within(dir, m.Target) }) {
			continue
		}
		out = append(out, launcher.Mount{Kind: launcher.MountReadOnly, Source: dir, Target: dir})
	}
	return out
}
