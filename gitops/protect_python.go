package gitops

import (
	"path"
	"strings"
)

const rulePythonShadow = "python-shadow"

// pythonModules knows which new modules would be loaded instead of those that
// the oracle means. Python looks in the folders of a script, of the working
// place, of PYTHONPATH and of the tests before it looks among its own modules
// (sys.path). Only in these folders a name means something: inside a package
// it is as good as any.
type pythonModules struct {
	folders map[string]bool // "" is the root
	known   map[string]bool // modules of Python and of test runners
	base    *pathIndex
}

// newPythonModules is nil where no folder counts.
func newPythonModules(folders map[string]bool, base *pathIndex) *pythonModules {
	if len(folders) == 0 {
		return nil
	}
	m := &pythonModules{folders: folders, known: map[string]bool{}, base: base}
	for name := range strings.FieldsSeq(pythonLibrary + pythonRunners) {
		m.known[name] = true
	}
	return m
}

// shadow says what a new file at this path would hide, as the end of "it is
// ...".
func (m *pythonModules) shadow(p string) (string, bool) {
	if m == nil || !loadable(p) {
		return "", false
	}
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		if m.folders[dir] {
			if what, ok := m.hides(dir, strings.TrimPrefix(p[len(dir):], "/")); ok {
				return what, true
			}
		}
		if dir == "" {
			return "", false
		}
	}
}

// hides looks at a path inside one of the folders.
func (m *pythonModules) hides(dir, rest string) (string, bool) {
	name, inside, folder := strings.Cut(rest, "/")
	if !folder {
		name, _, _ = strings.Cut(name, ".")
	}
	if m.has(dir, name, false) {
		return "", false // the base itself means this one
	}
	if m.known[name] {
		return "a module in the place of Python's or the test runner's own " + printable(name), true
	}
	if folder && !strings.HasPrefix(inside, "__init__.") {
		return "", false // a folder without it comes last
	}
	switch {
	case contains(words("__init__ __main__ conftest setup test tests"), name), isPythonTest(name + ".py"):
		return "", false // there may be one in every folder
	}
	if dir == "" && m.base.exact["src/"+name+"/__init__.py"] {
		return "a module in the place of " + printable("src/"+name), true
	}
	if dir != "" && m.has("", name, true) {
		return "a module in the place of " + printable(name) + " at the root", true
	}
	for other := range m.folders {
		if other != dir && m.has(other, name, true) {
			return "a module in the place of the one of the same name that the base has in another folder", true
		}
	}
	return "", false
}

// has says whether the base has a module of this name in the folder, perhaps
// as a folder without __init__.py.
func (m *pythonModules) has(dir, name string, bare bool) bool {
	p := path.Join(dir, name)
	for _, end := range words(".py /__init__.py .pyc .so .pyd") {
		if m.base.exact[p+end] {
			return true
		}
	}
	found := false
	if bare {
		m.base.below(p, func(below string) bool {
			found = loadable(below) && path.Dir(below) == p
			return found
		})
	}
	return found
}

// loadable reports a file that Python loads as a module.
func loadable(p string) bool { return contains(words(".py .pyc .pyd .so"), path.Ext(p)) }
