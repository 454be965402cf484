package gitops

import (
	"path"
	"slices"
	"strings"
)

// makefile is what of a makefile's rules can be told without running make:
// explicit rules and simple variables, no functions and no conditionals (both
// branches count).
type makefile struct {
	first  string
	rules  map[string]*makeRule
	vars   map[string]string
	budget int // expansions so far
}

type makeRule struct {
	needs  []string
	recipe []string
}

// make reads a call of make: the recipes of its targets and of all that they
// need, in the makefile that make would take: the one after -f, else the first
// of GNUmakefile, makefile and Makefile (make(1)).
func (o *oracle) make(args []word, at *stand) {
	var targets, files []string
	where := at.dirs
	change := func(to word) {
		if !to.exact || strings.HasPrefix(to.text, "/") {
			return // one of those that are known
		}
		from := where
		where = nil
		for _, dir := range from {
			where = append(where, path.Join(dir, to.text))
		}
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch flag := w.start(); {
		case contains(words("-f --file --makefile"), flag) && i+1 < len(args):
			i++
			files = append(files, o.paths(args[i], at.dirs)...)
		case contains(words("-C --directory -I -o -W -j -l"), flag):
			if next := i + 1; next < len(args) && (flag != "-j" && flag != "-l" || strings.Trim(args[next].text, "0123456789.") == "") {
				i++
				if contains(words("-C --directory"), flag) {
					change(args[i])
				}
			}
		case strings.HasPrefix(flag, "-C"):
			change(word{text: flag[2:], exact: w.exact})
		case strings.HasPrefix(flag, "--directory="):
			change(word{text: strings.TrimPrefix(flag, "--directory="), exact: w.exact})
		case strings.HasPrefix(flag, "-"):
			if _, file, ok := strings.Cut(w.text, "file="); ok {
				files = append(files, o.paths(word{text: file, exact: w.exact}, at.dirs)...)
			}
		case !strings.Contains(flag, "="):
			targets = append(targets, w.text)
		}
	}
	found := len(files) == 0
	if found {
		for _, dir := range where {
			for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
				if p := path.Join(dir, name); o.tracked[p] {
					files = append(files, p)
					break
				}
			}
		}
	}
	for _, file := range files {
		m := &makefile{rules: map[string]*makeRule{}, vars: map[string]string{}}
		o.readMakefile(m, file, at, 0)
		wanted := targets
		if len(wanted) == 0 && m.first != "" {
			wanted = []string{m.first}
		}
		by := stand{dirs: append(slices.Clone(at.dirs), path.Dir(file)), depth: at.depth + 1}
		goals := newGoals(m, file, where)
		if found {
			goals.dirs = []string{path.Dir(file)}
		}
		for _, target := range wanted {
			o.goal(goals, target)
		}
		seen := map[string]bool{}
		for len(wanted) > 0 {
			target := wanted[0]
			wanted = wanted[1:]
			rule := m.rules[target]
			if rule == nil || seen[target] {
				continue
			}
			seen[target] = true
			if len(rule.recipe) > 0 {
				o.goal(goals, target)
			}
			by.by = "the target " + printable(target) + " of " + printable(file)
			o.script(m.shell(rule, target), by)
			wanted = append(wanted, rule.needs...)
		}
	}
}

// readMakefile adds the rules of a tracked file and of those that it includes.
func (o *oracle) readMakefile(m *makefile, file string, at *stand, depth int) {
	if !o.tracked[file] || depth > maxNesting {
		return
	}
	o.note(file, at.by)
	text, err := o.content(file)
	if err != nil {
		return
	}
	m.parse(string(text), func(include string) {
		o.include(m, include, file, at, depth)
	})
}

// parse reads the lines of a makefile.
func (m *makefile) parse(text string, include func(file string)) {
	var open []*makeRule
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " \x00"), "\n") {
		if strings.HasPrefix(line, "\t") {
			for _, r := range open {
				r.recipe = append(r.recipe, strings.ReplaceAll(line, "\x00", "\\\n"))
			}
			continue
		}
		line = strings.TrimSpace(strings.ReplaceAll(line, "\x00", ""))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if contains(words("include -include sinclude"), fields[0]) {
			for _, file := range strings.Fields(m.expand(strings.Join(fields[1:], " "), nil, 0)) {
				include(file)
			}
			continue
		}
		if name, value, ok := assignment(line); ok {
			m.vars[name] = value
			continue
		}
		targets, rest, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		open = nil
		needs, recipe, hasRecipe := strings.Cut(strings.TrimPrefix(rest, ":"), ";")
		for _, name := range strings.Fields(m.expand(targets, nil, 0)) {
			r := m.rules[name]
			if r == nil {
				r = &makeRule{}
				m.rules[name] = r
			}
			r.needs = append(r.needs, strings.Fields(m.expand(needs, nil, 0))...)
			if hasRecipe {
				r.recipe = append(r.recipe, recipe)
			}
			if m.first == "" && !strings.HasPrefix(name, ".") && !strings.Contains(name, "%") {
				m.first = name
			}
			open = append(open, r)
		}
	}
}

// assignment reads "NAME = value" and its kin.
func assignment(line string) (name, value string, ok bool) {
	left, value, ok := strings.Cut(line, "=")
	if !ok {
		return "", "", false
	}
	left = strings.TrimRight(left, ":?+! ")
	for _, word := range words("export override private") {
		left = strings.TrimSpace(strings.TrimPrefix(left, word+" "))
	}
	if left == "" || strings.ContainsAny(left, " \t:#$") {
		return "", "", false
	}
	return left, strings.TrimSpace(value), true
}

// shell is a rule's recipe as the shell sees it.
func (m *makefile) shell(r *makeRule, target string) string {
	auto := map[string]string{"@": target, "^": strings.Join(r.needs, " "), "+": strings.Join(r.needs, " ")}
	if len(r.needs) > 0 {
		auto["<"] = r.needs[0]
	}
	var out strings.Builder
	for _, line := range r.recipe {
		out.WriteString(m.expand(strings.TrimLeft(line, "\t @-+"), auto, 0) + "\n")
	}
	return out.String()
}

// expand replaces the variables of make. What is not known becomes a shell
// variable, so that the reader of the shell text knows that it is not known.
func (m *makefile) expand(text string, auto map[string]string, depth int) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || i+1 >= len(text) {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:i])
		name, rest := makeVariable(text[i+1:])
		text = rest
		value, known := auto[name]
		if !known {
			value, known = m.vars[name]
		}
		switch {
		case name == "$":
			out.WriteByte('$')
		case name == "MAKE":
			out.WriteString("make")
		case name == "CURDIR":
			out.WriteByte('.')
		case strings.HasPrefix(name, "wildcard ") && depth < maxNesting:
			out.WriteString(m.expand(strings.TrimPrefix(name, "wildcard "), auto, depth+1))
		case known && depth < maxNesting && m.budget < maxCommands && out.Len()+len(value) < maxProgramSize:
			m.budget++
			out.WriteString(m.expand(value, auto, depth+1))
		default:
			out.WriteString("${unknown}")
		}
	}
}

// makeVariable cuts the name after a dollar sign from the text.
func makeVariable(text string) (name, rest string) {
	closing, ok := map[byte]byte{'(': ')', '{': '}'}[text[0]]
	if !ok {
		return text[:1], text[1:]
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			depth++
		case closing:
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return "", ""
}
