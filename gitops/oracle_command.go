package gitops

import (
	"path"
	"slices"
	"strings"
)

// command looks at one simple command. A change of folder counts for what
// follows; since whether it happens is not known, the old folder stays too.
func (o *oracle) command(c command, at *stand) {
	if len(c.words) == 0 {
		return
	}
	first := c.words[0]
	name := programName(first.text)
	o.tools[name] = true
	for _, w := range c.words {
		o.pythonPath(w, at)
	}
	if strings.Contains(first.text, "/") {
		o.run(first, at, false)
	}
	switch name {
	case "cd", "pushd":
		o.enter(c.words[1:], at)
		return
	case "eval":
		o.script(joined(c.words[1:]), at.inside())
		o.contents(c.words[1:], at, true)
		return
	}
	p, ok := o.table[name]
	if !ok {
		return
	}
	if p.special != nil {
		given := c.words[1:]
		defer func() { p.special(o, given, at) }()
	}
	args := c.words[1:]
	if len(p.subs) > 0 {
		if rest, ok := p.afterSub(args); ok {
			args = rest
		} else if !p.subsOptional {
			return
		}
	}
	c.words = args
	if o.arguments(p, c, at) {
		return
	}
	if p.then == thenScript {
		o.standardInput(p, c, at)
	}
}

// standardInput is for an interpreter without a script, which reads its
// standard input.
func (o *oracle) standardInput(p program, c command, at *stand) {
	if p.python {
		o.pythonFolders(at.dirs)
	}
	for _, w := range c.input {
		o.run(w, at, p.shell)
	}
	for _, w := range c.piped {
		if o.has(w, at) {
			o.run(w, at, p.shell)
		}
	}
	switch {
	case p.shell:
		o.script(c.heredoc, at.inside())
	default:
		o.code(c.heredoc, at)
	}
}

// contents are files whose text the words hold ("$(cat x)") where it is run.
func (o *oracle) contents(ws []word, at *stand, shell bool) {
	for _, w := range ws {
		for _, file := range w.from {
			o.run(file, at, shell)
		}
	}
}

// has reports a word that means a file of the base.
func (o *oracle) has(w word, at *stand) bool {
	return slices.ContainsFunc(o.paths(w, at.dirs), func(p string) bool { return o.tracked[p] })
}

// inside is the stand of a text that a command of this one holds.
func (s *stand) inside() stand {
	return stand{dirs: s.dirs, by: s.by, depth: s.depth + 1, subject: s.subject}
}

// enter adds a folder, seen from each of the known ones.
func (o *oracle) enter(args []word, at *stand) {
	for _, w := range args {
		if strings.HasPrefix(w.text, "-") && len(w.text) > 1 {
			continue
		}
		dirs := at.dirs
		for _, dir := range dirs {
			to := path.Join(dir, w.text)
			if !w.exact { // "$ROOT/sub": from the root
				to = strings.TrimPrefix(path.Clean("/"+w.text), "/")
			}
			if to != ".." && !strings.HasPrefix(to, "../") && !strings.HasPrefix(to, "/") && len(at.dirs) < 32 {
				at.dirs = append(at.dirs, strings.TrimPrefix(to, "."))
			}
		}
		return
	}
}

// arguments reads the words after a program's name. It says whether they hold
// what the program runs.
func (o *oracle) arguments(p program, c command, at *stand) bool {
	args := c.words
	skip, then, done, reads := p.skip, p.then, false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if start := w.start(); len(start) > 1 && (start[0] == '-' || start[0] == '+' && p.shell) {
			flag, value, has := p.cutFlag(w)
			takes := contains(p.code, flag) || contains(p.module, flag) || contains(p.execs, flag) || contains(p.dirs, flag) || contains(p.values, flag)
			if takes && !has && i+1 < len(args) {
				i++
				value, has = args[i], true
			}
			switch {
			case contains(p.filesIf, flag):
				then = thenFiles
			case contains(p.nothingIf, flag):
				then = thenNothing
			case !has && p.shell && !strings.HasPrefix(flag, "--") && strings.Contains(flag, "s"):
				reads = true // sh -s: the words are arguments of what comes in
			case !has:
			case contains(p.code, flag):
				if p.python {
					o.pythonFolders(at.dirs)
				}
				if p.shell {
					o.script(value.text, at.inside())
				} else {
					o.code(value.text, at)
				}
				o.contents([]word{value}, at, p.shell)
				return true
			case contains(p.module, flag):
				o.module(value, args[i+1:], at, then == thenScript)
				if then == thenScript {
					return true
				}
			case contains(p.execs, flag):
				o.run(value, at, false)
				done = true
			case contains(p.dirs, flag):
				o.enter([]word{value}, at)
			}
			continue
		}
		if p.assigns && strings.Contains(w.start(), "=") && !strings.HasPrefix(w.start(), "/") {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		switch then {
		case thenCommand:
			c.words = args[i:]
			o.command(c, at)
			return true
		case thenShell:
			o.script(joined(args[i:]), at.inside())
			return true
		case thenScript:
			if reads || w.exact && contains(words("- /dev/stdin /dev/fd/0 /proc/self/fd/0"), w.text) {
				return done
			}
			if p.python {
				o.pythonScript(w, at)
			}
			if !o.tryRun(p, w, at) {
				o.run(w, at, p.shell)
			}
			return true
		case thenTracked:
			return o.tryRun(p, w, at)
		case thenFiles:
			o.testFile(w, at)
			done = true
		}
	}
	return done
}

// tryRun runs the file that a word means if the base has it, also under a
// name that the program completes.
func (o *oracle) tryRun(p program, w word, at *stand) bool {
	for _, suffix := range append([]string{""}, p.tries...) {
		c := w
		c.text += suffix
		if o.has(c, at) {
			o.run(c, at, p.shell)
			return true
		}
	}
	return false
}

// testFile is a file that a test runner is told to run, perhaps with a part
// of it named behind a colon ("a.py::test", "a_spec.rb:12"). A word that is no
// file of the base is a pattern, a folder or a test's name.
func (o *oracle) testFile(w word, at *stand) {
	text, _, _ := strings.Cut(w.text, "::")
	if i := strings.LastIndexByte(text, ':'); i > 0 && strings.Trim(text[i+1:], "0123456789") == "" {
		text = text[:i]
	}
	for _, candidate := range []string{w.text, text, strings.ReplaceAll(w.text, ".", "/") + ".py"} {
		c := word{text: candidate, exact: w.exact, glob: w.glob}
		for _, p := range o.paths(c, at.dirs) {
			if o.tracked[p] {
				o.note(p, at.by)
			}
		}
	}
}

// module is a Python module that is run or loaded by name. A module that
// runs others has its own row among the programs.
func (o *oracle) module(w word, args []word, at *stand, main bool) {
	if !w.exact || w.text == "" {
		return
	}
	if main {
		o.pythonFolders(at.dirs)
	}
	file := strings.ReplaceAll(w.text, ".", "/")
	found := false
	for _, suffix := range []string{".py", "/__main__.py", "/__init__.py"} {
		for _, p := range o.paths(word{text: file + suffix, exact: true}, at.dirs) {
			if o.tracked[p] {
				o.note(p, at.by)
				found = true
			}
		}
	}
	if found || !main {
		return
	}
	if _, ok := o.table[w.text]; ok {
		o.command(command{words: append([]word{w}, args...)}, at)
		return
	}
	// An installed module: a new file of that name would run instead.
	for _, suffix := range []string{".py", "/__main__.py", "/__init__.py"} {
		for _, p := range o.paths(word{text: file + suffix, exact: true}, at.dirs) {
			o.note(p, at.by)
		}
	}
}

// cutFlag separates "--flag=value", "-fvalue" and, of a group of short flags,
// the last ("-lc" is -l and -c).
func (p program) cutFlag(w word) (flag string, value word, has bool) {
	value = word{text: w.text, exact: w.exact}
	flag, text, has := strings.Cut(w.start(), "=")
	if strings.HasPrefix(flag, "--") || contains(p.long, flag) {
		if w.exact {
			value.text = text
		}
		return flag, value, has
	}
	short := w.start()
	if len(short) <= 2 {
		return short, word{}, false
	}
	takes := func(f string) bool {
		return contains(p.code, f) && !p.shell || contains(p.module, f) || contains(p.execs, f) || contains(p.dirs, f) || contains(p.values, f)
	}
	if takes(short[:2]) {
		if w.exact {
			value.text = strings.TrimPrefix(short[2:], "=")
		}
		return short[:2], value, true
	}
	if p.shell && strings.Contains(short, "c") { // sh -ec, sh -cx
		return "-c", word{}, false
	}
	if last := "-" + short[len(short)-1:]; w.exact && (contains(p.code, last) || contains(p.module, last)) {
		return last, word{}, false
	}
	return short, word{}, false
}

// programName is the name by which a program is known: without its folder,
// and without a version at the end ("python3.11").
func programName(text string) string {
	name := strings.TrimSuffix(path.Base(text), ".exe")
	if short := strings.TrimRight(name, "0123456789.-"); short != "" {
		return short
	}
	return name
}

func joined(words []word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }
