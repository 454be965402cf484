package gitops

import "fmt"

// Protection says what a candidate may not change.
type Protection struct {
	// Globs are the patterns of --protect. Any change of a path that one of
	// them describes aborts the run: bytes, type, mode, deletion, creation. A
	// pattern is doublestar's; without a slash (but at its end) it describes
	// names at any depth, else it begins at the root; all below a folder that
	// it describes is protected too.
	Globs []string
	// Ratchet turns the default rules on: test files, fixtures and expected
	// results of the base may not change, runner configuration may neither
	// change nor appear (see the tables in role_*.go).
	Ratchet bool
	// AllowTests takes test files, fixtures and expected results out of the
	// ratchet, also those that the oracle executes; the rest of it stays.
	AllowTests bool
	// Allow are patterns of paths that are exempt from the ratchet and from the
	// rule oracle-program, but not from Globs (--allow-edit).
	Allow []string
	// Oracle are the oracle's command lines. What they execute is protected,
	// with or without the ratchet. Reasons quote them.
	Oracle []string
	// Sealed is the holdout's command line. What it executes is protected too,
	// for a reason that does not tell of a holdout.
	Sealed string
	// Root is the worktree root as an absolute path in those commands would
	// spell it; "" when there is none.
	Root string
}

// The rules that are no row of a role table.
const (
	RuleProtect = "protect"        // a pattern of --protect
	RuleProgram = "oracle-program" // executed by the oracle
	RuleShape   = "shape"          // changes how git reads or shows other files
)

// Violation is one path of a candidate that it may not have changed. A path
// has at most one.
type Violation struct {
	Path   string
	Rule   string // RuleProtect, RuleProgram or the name of a role
	Reason string // one sentence, with the flag that would allow it
	Abort  bool   // from --protect: the run ends
}

// Rule is one reason for which a path is guarded.
type Rule struct {
	Name    string
	Pattern string // that describes the path, "" for RuleProgram
	Reason  string // completes "the path is ..."
	New     bool   // a new file at this path may be added
	Change  bool   // a file of the base at this path may change
	Abort   bool
	Exempt  bool // a pattern of Allow takes it out of this rule
}

// Guard knows the protection of one run. It does not change after NewGuard,
// and may be used concurrently.
type Guard struct {
	globs    []glob
	allow    []glob
	roles    []guardRole
	tests    []guardRole // those of the test files, also where they do not guard
	programs map[string]string
	absent   map[string]string // folded path that may not appear: why
	includes []glob            // of files that make would read
	modules  *pythonModules    // nil: not guarded
	goTool   bool              // new Go modules are guarded
	base     *pathIndex
}

// guardRole is a role that counts in this run.
type guardRole struct {
	role
	globs    []glob
	butGlobs []glob
}

// NewGuard prepares the protection of a base. read gives the content of a
// regular file, or the target of a symbolic link, of the base; it is called
// for programs of the oracle only, and nil means that none is read. The error
// is a *GlobError.
func NewGuard(p Protection, base []Entry, read func(path string) ([]byte, error)) (*Guard, error) {
	g := &Guard{base: newPathIndex(base)}
	var err error
	if g.globs, err = compileGlobs(p.Globs); err != nil {
		return nil, fmt.Errorf("--protect: %w", err)
	}
	if g.allow, err = compileGlobs(p.Allow); err != nil {
		return nil, fmt.Errorf("--allow-edit: %w", err)
	}
	o := newOracle(p.Root, base, read)
	for _, line := range p.Oracle {
		o.line(line)
	}
	o.script(p.Sealed, stand{dirs: []string{""}, by: "a command that judges the candidate"})
	o.pythonEnd()
	g.programs, g.absent, g.includes = o.programs, o.absent, o.includes
	if p.Ratchet {
		g.modules = newPythonModules(o.python, g.base)
		g.goTool = role{when: goTools()}.counts(o.tools)
	}
	for _, r := range roles() {
		if !r.counts(o.tools) {
			continue
		}
		globs, err := compileGlobs(r.patterns)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
		but, err := compileGlobs(r.but)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
		if r.test {
			g.tests = append(g.tests, guardRole{r, globs, but})
		}
		if p.Ratchet && !(r.test && p.AllowTests) {
			g.roles = append(g.roles, guardRole{r, globs, but})
		}
	}
	if p.AllowTests {
		for path := range g.programs {
			if g.IsTest(path) {
				delete(g.programs, path)
			}
		}
	}
	return g, nil
}

// IsTest reports a path that is a part of the tests: a test file, a fixture or
// an expected result by role, or one that --protect guards.
func (g *Guard) IsTest(path string) bool {
	names := newPathNames(path)
	if _, ok := matchAny(g.globs, names); ok {
		return true
	}
	for _, r := range g.tests {
		if _, ok := r.match(names); ok {
			return true
		}
	}
	return false
}

// match is the pattern of the role that describes a path.
func (r guardRole) match(names pathNames) (glob, bool) {
	if r.files {
		last := len(names.names) - 1
		names = pathNames{names.names[last], names.names[last:], names.folded[last:]}
	}
	pattern, ok := matchAny(r.globs, names)
	if ok {
		if _, not := matchAny(r.butGlobs, names); not {
			return glob{}, false
		}
	}
	return pattern, ok
}

// counts says whether a role is for a run whose oracle runs these programs.
func (r role) counts(tools map[string]bool) bool {
	if r.when == nil {
		return true
	}
	for _, tool := range r.when {
		if tools[tool] {
			return true
		}
	}
	return false
}

// Unmatched are the patterns of --protect that describe no path of the base:
// a typing error, or a file that may not be created.
func (g *Guard) Unmatched() []string {
	var texts []string
	for _, pattern := range g.globs {
		if !g.base.any(func(path string) bool { return pattern.match(newPathNames(path)) }) {
			texts = append(texts, pattern.text)
		}
	}
	return texts
}

// Programs are the paths that the oracle executes, with what runs each. The
// base may lack some of them.
func (g *Guard) Programs() map[string]string {
	programs := make(map[string]string, len(g.programs))
	for path, by := range g.programs {
		programs[path] = by
	}
	return programs
}

// Explain tells which rules are about a path, those of --protect first. None
// means that the path may change.
func (g *Guard) Explain(path string) []Rule {
	var rules []Rule
	names := newPathNames(path)
	for _, pattern := range g.globs {
		if pattern.match(names) {
			rules = append(rules, Rule{
				Name: RuleProtect, Pattern: pattern.text, Abort: true,
				Reason: "protected by --protect " + printable(shellQuote(pattern.text)),
			})
		}
	}
	_, exempt := matchAny(g.allow, names)
	if by, ok := g.programs[path]; ok {
		rules = append(rules, Rule{Name: RuleProgram, Exempt: exempt, Reason: "executed by " + by})
	}
	if r, ok := g.appears(path); ok {
		r.Exempt = exempt
		rules = append(rules, r)
	}
	for _, r := range g.roles {
		if pattern, ok := r.match(names); ok {
			rules = append(rules, Rule{
				Name: r.name, Pattern: pattern.text, Exempt: exempt, Reason: r.what,
				New: r.policy.allows(false), Change: r.policy.allows(true),
			})
		}
	}
	return rules
}
