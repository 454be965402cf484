package gitops

import (
	"path"
	"regexp"
	"strings"
)

// pythonFolder notes a folder from which Python loads modules before its own:
// the folder of a script, the working folder with -m, -c and standard input
// (sys.path[0]), PYTHONPATH, and what test runners put in front.
func (o *oracle) pythonFolder(dir string) {
	dir = path.Clean(dir)
	switch {
	case dir == ".":
		o.python[""] = true
	case dir != ".." && !strings.HasPrefix(dir, "../") && !strings.HasPrefix(dir, "/"):
		o.python[dir] = true
	}
}

func (o *oracle) pythonFolders(dirs []string) {
	for _, dir := range dirs {
		o.pythonFolder(dir)
	}
}

// pythonBelow notes the folders that a word can mean.
func (o *oracle) pythonBelow(w word, at *stand) (folders []string) {
	if below, ok := strings.CutPrefix(w.text, strings.TrimRight(o.root, "/")+"/"); ok && o.root != "" && w.exact {
		o.pythonFolder(below)
		return []string{path.Clean(below)}
	}
	for _, dir := range at.dirs {
		text := w.text
		if !w.exact { // "$ROOT/sub": from any of them
			text = strings.TrimLeft(text, "/")
		}
		folders = append(folders, path.Join(dir, text))
	}
	o.pythonFolders(folders)
	return folders
}

// pythonScript notes the folder of a script, or the folder that is run as one.
func (o *oracle) pythonScript(w word, at *stand) {
	for _, p := range o.paths(w, at.dirs) {
		if o.tracked[path.Join(p, "__main__.py")] {
			o.pythonFolder(p)
		} else {
			o.pythonFolder(path.Dir(p))
		}
	}
}

// pythonPath reads a word PYTHONPATH=..., of env, export or before a command.
func (o *oracle) pythonPath(w word, at *stand) {
	list, ok := strings.CutPrefix(w.start(), "PYTHONPATH=")
	if !ok {
		return
	}
	parts := strings.Split(list, ":")
	if !w.exact {
		parts = append(parts, strings.Split(w.text, ":")...)
	}
	for _, part := range parts {
		if part != "" {
			o.pythonBelow(word{text: part, exact: w.exact}, at)
		}
	}
}

var pytestPythonPath = regexp.MustCompile(`(?m)^[ \t]*pythonpath[ \t]*=[ \t]*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)`)

// pytestFolders are those of a test runner that puts the folders of the test
// files in front: the first one upward from each that is no package (pytest,
// import mode prepend). Its own working folder counts too, and what its
// configuration names.
func (o *oracle) pytestFolders(args []word, at *stand) {
	o.pytest = true
	o.pythonFolders(at.dirs)
	var below []string
	for i := 0; i < len(args); i++ {
		if strings.HasPrefix(args[i].start(), "-") {
			if contains(o.table["pytest"].values, args[i].start()) {
				i++
			}
			continue
		}
		name, _, _ := strings.Cut(args[i].text, "::")
		for _, dir := range at.dirs {
			below = append(below, path.Join(dir, name))
		}
		for _, p := range o.paths(word{text: name, exact: args[i].exact, glob: args[i].glob}, at.dirs) {
			if o.tracked[p] {
				o.testFolder(p)
			}
		}
	}
	o.testFolders(below)
	for _, dir := range at.dirs {
		for _, name := range words("pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg pytest.toml .pytest.toml") {
			p := path.Join(dir, name)
			if !o.tracked[p] {
				continue
			}
			text, err := o.content(p)
			if err != nil {
				continue
			}
			if m := pytestPythonPath.FindSubmatch(text); m != nil {
				for _, part := range strings.FieldsFunc(string(m[1]), func(r rune) bool { return strings.ContainsRune(" \t\r\n,[]'\"", r) }) {
					o.pythonFolder(path.Join(dir, part))
				}
			}
		}
	}
}

// testFolders notes the folders of the test files of the base below some
// folders, of all without one.
func (o *oracle) testFolders(below []string) {
	for p := range o.tracked {
		if name := path.Base(p); !isPythonTest(name) && name != "conftest.py" {
			continue
		}
		inside := len(below) == 0
		for _, dir := range below {
			inside = inside || dir == "." || strings.HasPrefix(p, dir+"/")
		}
		if inside {
			o.testFolder(p)
		}
	}
}

// testFolder is the folder that a test file's module name begins from.
func (o *oracle) testFolder(p string) {
	dir := path.Dir(p)
	for dir != "." && o.tracked[dir+"/__init__.py"] {
		dir = path.Dir(dir)
	}
	o.pythonFolder(dir)
}

// unittestFolders are those of unittest, which puts the start folder of its
// discovery, or the one after -t, in front.
func (o *oracle) unittestFolders(args []word, at *stand) {
	o.pytest = true
	o.pythonFolders(at.dirs)
	discover := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		flag, value, has := strings.Cut(w.start(), "=")
		switch {
		case contains(words("-s -t --start-directory --top-level-directory"), flag):
			if has {
				o.pythonBelow(word{text: value, exact: w.exact}, at)
			} else if i++; i < len(args) {
				o.pythonBelow(args[i], at)
			}
		case contains(words("-p -k --pattern"), flag):
			i++
		case len(flag) > 2 && (flag[:2] == "-s" || flag[:2] == "-t"):
			o.pythonBelow(word{text: w.start()[2:], exact: w.exact}, at)
		case strings.HasPrefix(flag, "-"):
		case !discover:
			discover = w.text == "discover"
			if !discover {
				return // names of tests
			}
		default:
			o.pythonBelow(w, at)
		}
	}
}

// isPythonTest reports a name that pytest takes for a test file's.
func isPythonTest(name string) bool {
	stem, ok := strings.CutSuffix(name, ".py")
	return ok && (strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test"))
}

// otherLanguages reports commands that start no Python, as far as their names
// tell.
func (o *oracle) otherLanguages() bool {
	plain := words("go gofmt gotestsum cargo rustc javac mvn mvnw gradle gradlew dotnet swift zig " +
		"cd test [ export set true echo printf grep diff cmp cat env exec time timeout nice mkdir rm cp")
	for name := range o.tools {
		if !contains(plain, name) {
			return false
		}
	}
	return true
}

// pythonEnd is called when all commands were seen. Where no runner of tests
// was, a program may start one: then all test files count, and the root.
func (o *oracle) pythonEnd() {
	if o.pytest || len(o.python) == 0 && o.otherLanguages() {
		return
	}
	o.testFolders(nil)
	if len(o.python) > 0 {
		o.python[""] = true
	}
}
