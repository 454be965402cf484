package gitops

import (
	"path"
	"slices"
	"strings"
)

// Check tells which changes the protection forbids, sorted by path. It looks
// at paths, kinds and modes only. A change hits a guarded path when it is of
// that path, of a file in the place of a folder above it, or of a name that
// some file system takes for it.
func (g *Guard) Check(changes []Change) []Violation {
	var all []Violation
	for _, c := range changes {
		if v, ok := g.check(c); ok {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Violation) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func (g *Guard) check(c Change) (Violation, bool) {
	f := &finding{}
	f.add(g.forbidden(c.Path, c.Kind != Added || g.base.exact[c.Path]), c.Path, describeChange(c)+": it")
	if c.Kind == Added {
		g.spelling(c.Path, f)
		g.siblings(c.Path, f)
	}
	if c.NewMode != "" {
		g.replaced(c.Path, f)
	}
	if c.NewMode == modeLink || c.NewMode == modeGitlink { // perhaps to a folder with a package
		f.add(g.forbidden(c.Path+"/__init__.py", false), c.Path, describeChange(c)+": it")
	}
	if f.rule.Name == "" {
		return Violation{}, false
	}
	return Violation{Path: c.Path, Rule: f.rule.Name, Abort: f.rule.Abort, Reason: f.reason()}, true
}

// finding is the worst that is known of a change.
type finding struct {
	rule Rule
	path string // that the rule is about
	how  string // begins the sentence
}

// add takes a rule, if it is one, when it is worse than the one that is there.
func (f *finding) add(r Rule, path, how string) {
	if r.Name != "" && (f.rule.Name == "" || r.Abort && !f.rule.Abort) {
		*f = finding{r, path, how}
	}
}

// reason is the whole sentence, with the flag that would allow the change.
func (f *finding) reason() string {
	text := f.how + " is " + f.rule.Reason
	flag := "--allow-edit " + printable(shellQuote(globFor(f.path)))
	switch {
	case f.rule.Abort:
		return text
	case f.rule.Name == RuleProgram:
		return text + "; if it is the program under repair, exempt it with " + flag
	case f.rule.New:
		return text + "; new ones may be added, and " + flag + " exempts this one"
	}
	return text + "; " + flag + " exempts it"
}

// forbidden is the first rule that forbids a change of the path, the zero
// Rule if none does.
func (g *Guard) forbidden(path string, exists bool) Rule {
	for _, r := range g.Explain(path) {
		if !r.Exempt && (exists && !r.Change || !exists && !r.New) {
			return r
		}
	}
	return Rule{}
}

// spelling looks for a guarded path that a new name is another spelling of.
func (g *Guard) spelling(name string, f *finding) {
	say := func(other string) {
		f.add(g.forbidden(other, g.base.exact[other]), other, "added as another spelling of "+printable(other)+": that")
	}
	for p := name; p != "."; p = path.Dir(p) {
		g.base.twins(p, func(twin string) bool {
			if twin != name {
				say(twin)
			}
			return false
		})
	}
	for _, other := range g.base.respelled(name) {
		say(other)
	}
	for program := range g.programs {
		if program != name && fold(program) == fold(name) {
			say(program)
		}
	}
}

// replaced looks for a guarded path of the base below a folder in whose place
// there is a file or a link now. The patterns of --protect come first: they
// weigh more, and they are few.
func (g *Guard) replaced(name string, f *finding) {
	how := "put in the place of a folder with "
	g.base.below(name, func(below string) bool {
		_, ok := matchAny(g.globs, newPathNames(below))
		if ok {
			f.add(g.forbidden(below, true), below, how+printable(below)+": that")
		}
		return ok
	})
	if f.rule.Name != "" {
		return
	}
	g.base.below(name, func(below string) bool {
		f.add(g.forbidden(below, true), below, how+printable(below)+": that")
		return f.rule.Name != ""
	})
}

// siblings looks for a guarded program text of the base in whose place a new
// file would be loaded, because a loader completes the name that both share.
func (g *Guard) siblings(name string, f *finding) {
	for _, other := range shadowed(name) {
		if g.base.exact[other] {
			f.add(g.forbidden(other, true), other, "added where it would be loaded instead of "+printable(other)+": that")
		}
	}
}

// shadowed are the files that a new file of this name can hide: Python takes
// a package or a compiled module before a module, and Node, jest and bundlers
// complete a name with the endings that they know.
func shadowed(name string) []string {
	dir, file := path.Split(name)
	stem, _, _ := strings.Cut(file, ".")
	ext := path.Ext(file)
	var others []string
	switch {
	case strings.HasPrefix(file, "__init__."):
		if dir != "" {
			others = append(others, strings.TrimSuffix(dir, "/")+".py")
		}
	case contains([]string{".so", ".pyd", ".pyc"}, ext):
		others = append(others, dir+stem+".py")
	case ext == "": // a name is taken as it is before it is completed
		for _, e := range scriptEndings() {
			others = append(others, name+e, name+"/index"+e)
		}
	case file == "package.json": // its key main
		for _, e := range scriptEndings() {
			others = append(others, dir+"index"+e)
		}
	case contains(scriptEndings(), ext):
		base := strings.TrimSuffix(file, ext)
		if base != "" { // a file comes before a folder
			for _, e := range scriptEndings() {
				others = append(others, dir+base+"/index"+e)
			}
		}
		if ext == ".json" || ext == ".node" { // these come last
			break
		}
		for _, e := range scriptEndings() {
			if e != ext {
				others = append(others, dir+base+e)
			}
		}
		if base == "index" && dir != "" {
			for _, e := range scriptEndings() {
				others = append(others, strings.TrimSuffix(dir, "/")+e)
			}
		}
	}
	return others
}

func scriptEndings() []string {
	return []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".node"}
}

// describeChange says what was done to a path.
func describeChange(c Change) string {
	switch c.Kind {
	case Added:
		return "added"
	case Deleted:
		return "deleted"
	case Type:
		return "changed in type"
	case Mode:
		return "changed in mode"
	}
	return "changed"
}
