package gitops

import (
	"path"
	"strings"
)

// Limits of a search through the oracle's own programs. What lies beyond them
// is not guarded by the rule oracle-program.
const (
	maxPrograms    = 200     // files of which the text is read
	maxProgramSize = 1 << 20 // bytes of such a file
	maxCommands    = 20_000  // simple commands that are looked at
	maxNesting     = 12      // files and quoted scripts inside each other
)

// oracle is the search for the tracked files that the oracle's command lines
// execute. A word of a command counts only where it is what runs: the first
// word if it has a slash, the script of an interpreter, the configuration or
// the test files of a test runner, also behind env, timeout, xvfb-run and the
// like (the tables in program_*.go). So `grep -q fixed file.txt` guards nothing, and
// `python3 check.py file.txt` guards check.py. The search goes on in shell
// scripts, makefile recipes and package.json scripts that are run. A file
// that is named but missing counts too: who adds it decides what runs.
//
// What a test runs is most often the program under repair, which a hook must
// be free to edit. So a program counts only where its exit code does, not
// where another command looks at its output (test "$(./greet)" = hello,
// ./greet | grep -q hello), nor where a script that is run as a file runs it;
// unless its path says that it judges (check.sh, ci/env.sh, run-tests.py).
type oracle struct {
	root    string          // worktree root as the commands see it, or ""
	tracked map[string]bool // paths of files and links
	links   map[string]bool // those that are symbolic links
	read    func(path string) ([]byte, error)

	table    map[string]program
	programs map[string]string // path: the command or file that runs it
	tools    map[string]bool   // names of all programs that are run
	absent   map[string]string // folded path that nothing may appear at: why
	includes []glob            // new files that these describe would be read by make
	python   map[string]bool   // folders from which Python loads modules first
	pytest   bool              // a runner was seen, so that it is known which folders of tests count
	names    map[string]bool   // folded paths of the base and of their folders, see taken
	commands int
	opened   map[string]bool
}

// stand is where a command stands while it is looked at.
type stand struct {
	dirs  []string // folders that may be the working directory, "" is the root
	by    string   // what runs the command, for the reason
	depth int
	// subject says that what is run here may be the program under repair.
	subject bool
}

func newOracle(root string, base []Entry, read func(string) ([]byte, error)) *oracle {
	o := &oracle{
		root: root, read: read, table: programTable(), tracked: map[string]bool{}, links: map[string]bool{},
		programs: map[string]string{}, tools: map[string]bool{}, opened: map[string]bool{},
		absent: map[string]string{}, python: map[string]bool{},
	}
	for _, e := range base {
		if e.Mode != modeGitlink {
			o.tracked[e.Path] = true
		}
		if e.Mode == modeLink {
			o.links[e.Path] = true
		}
	}
	return o
}

// line looks at one of the oracle's command lines.
func (o *oracle) line(text string) {
	o.script(text, stand{dirs: []string{""}, by: "the oracle command " + printable(strings.TrimSpace(text))})
}

// script looks at all commands of a shell text.
func (o *oracle) script(text string, at stand) {
	if at.depth > maxNesting {
		return
	}
	at.dirs = append([]string(nil), at.dirs...)
	for _, c := range parseShell(text) {
		if o.commands++; o.commands > maxCommands {
			return
		}
		subject := at.subject
		at.subject = subject || c.observed
		o.command(c, &at)
		at.subject = subject
	}
}

// paths are the files that a word can mean: those of the base, or, where the
// word is exact and there is none, the names that it would have.
func (o *oracle) paths(w word, dirs []string) (found []string) {
	text := w.text
	if w.exact && strings.HasPrefix(text, "/") {
		below, ok := strings.CutPrefix(text, strings.TrimRight(o.root, "/")+"/")
		if o.root == "" || !ok {
			return nil
		}
		text, dirs = below, []string{""}
	}
	if !w.exact {
		return o.endingIn(text)
	}
	var missing []string
	for _, dir := range dirs {
		p := path.Join(dir, text)
		switch {
		case p == "" || p == "." || p == ".." || strings.HasPrefix(p, "../"):
		case w.glob:
			found = append(found, o.matching(p)...)
		case o.tracked[p]:
			found = append(found, p)
		default:
			missing = append(missing, p)
		}
	}
	if len(found) == 0 {
		return missing
	}
	return found
}

// endingIn are the tracked files whose path ends in the literal tail of a
// word ("$DIR/check.sh"); a tail that is no whole name says nothing.
func (o *oracle) endingIn(tail string) (found []string) {
	tail = path.Clean(tail)
	if !strings.HasPrefix(tail, "/") || tail == "/" || strings.Contains(tail, "..") {
		return nil
	}
	for p := range o.tracked {
		if strings.HasSuffix("/"+p, tail) {
			found = append(found, p)
		}
	}
	return found
}

func (o *oracle) matching(pattern string) (found []string) {
	g, err := compileGlob("/" + pattern)
	if err != nil {
		return nil
	}
	for p := range o.tracked {
		if g.match(newPathNames(p)) {
			found = append(found, p)
		}
	}
	return found
}

// run notes that the files a word means are executed, with what they lead to,
// and goes on inside those that are shell scripts.
func (o *oracle) run(w word, at *stand, shell bool) {
	for _, p := range o.paths(w, at.dirs) {
		if o.tracked[p] && path.Ext(p) == ".py" {
			o.pythonFolder(path.Dir(p))
		}
		if at.subject && !judgesByName(p) {
			continue
		}
		o.note(p, at.by)
		for hops := 0; o.links[p] && hops < 8; hops++ {
			target, err := o.content(p)
			if err != nil || strings.HasPrefix(string(target), "/") {
				break
			}
			p = path.Join(path.Dir(p), string(target))
			o.note(p, at.by)
			if path.Ext(p) == ".py" { // Python resolves the link (sys.path)
				o.pythonFolder(path.Dir(p))
			}
		}
		if !o.tracked[p] || o.links[p] || o.opened[p] {
			continue
		}
		text, err := o.open(p)
		if err == nil && strings.Contains(interpreterLine(text), "python") {
			o.pythonFolder(path.Dir(p))
		}
		if err == nil && (shell || isShellScript(p, text)) {
			o.script(string(text), stand{dirs: append(at.dirs, path.Dir(p)), by: printable(p), depth: at.depth + 1, subject: true})
		}
	}
}

// note adds a path once, with the first that runs it.
func (o *oracle) note(p, by string) {
	if _, ok := o.programs[p]; !ok && !strings.HasPrefix(p, "../") {
		o.programs[p] = by
	}
}

// open reads a tracked file, each once.
func (o *oracle) open(p string) ([]byte, error) {
	if o.opened[p] || len(o.opened) >= maxPrograms {
		return nil, nil
	}
	o.opened[p] = true
	return o.content(p)
}

func (o *oracle) content(p string) ([]byte, error) {
	if o.read == nil {
		return nil, nil
	}
	text, err := o.read(p)
	return text[:min(len(text), maxProgramSize)], err
}

// interpreterLine is what stands after #! in the first line, "" without one.
func interpreterLine(text []byte) string {
	first, _, _ := strings.Cut(string(text[:min(len(text), 200)]), "\n")
	interpreter, _ := strings.CutPrefix(first, "#!")
	if interpreter == first {
		return ""
	}
	return interpreter
}

// isShellScript tells by the interpreter line, or else by the name.
func isShellScript(p string, text []byte) bool {
	if interpreter := interpreterLine(text); interpreter != "" {
		for _, w := range strings.Fields(interpreter) {
			switch programName(w) {
			case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh":
				return true
			}
		}
		return false
	}
	switch path.Ext(p) {
	case ".sh", ".bash", ".zsh", ".ksh":
		return true
	}
	return false
}
