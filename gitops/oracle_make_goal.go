package gitops

import (
	"path"
	"slices"
	"strings"
)

// goals are the targets of a call of make by which a file would stop it: a
// target that is no .PHONY counts as done when a file or folder of its name
// is there (GNU make manual, "Phony Targets").
type goals struct {
	m     *makefile
	file  string
	dirs  []string // where make may run
	phony map[string]bool
}

func newGoals(m *makefile, file string, dirs []string) goals {
	g := goals{m: m, file: file, dirs: dirs, phony: map[string]bool{}}
	if r := m.rules[".PHONY"]; r != nil {
		for _, name := range r.needs {
			g.phony[name] = true
		}
	}
	return g
}

// goal notes that no file may appear in a target's place. A name with a dot or
// slash is a file that the build makes, and so is one that its recipe, or a
// rule that make has by itself, says to make.
func (o *oracle) goal(g goals, name string) {
	if name == "" || strings.ContainsAny(name, "./%$*?[(") || g.phony[name] {
		return
	}
	rule := g.m.rules[name]
	if rule != nil && makes(g.m.shell(rule, name), name) {
		return
	}
	for _, dir := range g.dirs {
		p := path.Join(dir, name)
		if o.taken(p) || (rule == nil || len(rule.recipe) == 0) && o.hasSource(p) || strings.HasPrefix(p, "../") {
			continue
		}
		o.absent[fold(p)] = "what make would take for the target " + printable(name) + " of " + printable(g.file) + ", as if it were done"
	}
}

// hasSource reports a file from which make's own rules make the target.
func (o *oracle) hasSource(p string) bool {
	return slices.ContainsFunc(words(".c .cc .C .cpp .o .f .F .p .s .S .l .y .sh"), func(end string) bool { return o.tracked[p+end] })
}

// makes reports a recipe that writes a file of this name.
func makes(recipe, name string) bool {
	first, last := "", ""
	for line := range strings.Lines(recipe) {
		first, last = "", ""
		for w := range strings.FieldsSeq(line) {
			separated := strings.HasSuffix(w, ";")
			w = strings.TrimRight(w, ";")
			switch {
			case w == name && (contains(words("-o --output -out > >> >|"), last) || contains(words("touch mkdir cp mv ln install ar ld"), programName(first))):
				return true
			case w == "-o"+name || w == "--output="+name || w == ">"+name || w == ">>"+name:
				return true
			}
			if first == "" || contains(words("&& || ; |"), last) {
				first = w
			}
			if last = w; separated {
				last = ";"
			}
		}
	}
	return false
}

// include reads a makefile that another one includes. One that is named but
// missing counts too, and so does one that its pattern describes.
func (o *oracle) include(m *makefile, name, from string, at *stand, depth int) {
	if strings.HasPrefix(name, "/") || strings.Contains(name, "${unknown}") {
		return
	}
	w := word{text: name, exact: true, glob: strings.ContainsAny(name, "*?[")}
	paths := o.paths(w, append(slices.Clone(at.dirs), path.Dir(from)))
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		if o.tracked[p] {
			o.readMakefile(m, p, at, depth+1)
		} else {
			o.note(p, at.by)
		}
	}
	if w.glob {
		for _, dir := range at.dirs {
			if g, err := compileGlob("/" + path.Join(dir, name)); err == nil && len(o.includes) < maxPrograms {
				o.includes = append(o.includes, g)
			}
		}
	}
}

// taken reports that the base has a file or folder of this name, in any
// spelling.
func (o *oracle) taken(p string) bool {
	if o.names == nil {
		o.names = map[string]bool{}
		for name := range o.tracked {
			for name = fold(name); name != "." && !o.names[name]; name = path.Dir(name) {
				o.names[name] = true
			}
		}
	}
	return o.names[fold(p)]
}
