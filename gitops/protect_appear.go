package gitops

import (
	"path"
	"strings"
)

// appears is the rule against a file at a path where the base has none,
// because of what the oracle runs and what the base has elsewhere.
func (g *Guard) appears(p string) (Rule, bool) {
	if g.base.exact[p] {
		return Rule{}, false
	}
	if len(g.absent) > 0 {
		for name := fold(p); name != "." && name != "/"; name = path.Dir(name) {
			if why, ok := g.absent[name]; ok {
				return Rule{Name: RuleProgram, Change: true, Reason: why}, true
			}
		}
	}
	if pattern, ok := matchAny(g.includes, newPathNames(p)); ok {
		return Rule{Name: RuleProgram, Pattern: pattern.text, Change: true, Reason: "a file that make would include"}, true
	}
	if what, ok := g.modules.shadow(p); ok {
		return Rule{Name: rulePythonShadow, Change: true, Reason: what}, true
	}
	if what, ok := g.newGoModule(p); ok {
		return Rule{Name: "go-config", Change: true, Reason: what}, true
	}
	return Rule{}, false
}

// goTools are the programs that build Go packages.
func goTools() []string {
	return words("go gotest gotestsum ginkgo richgo mage golangci-lint staticcheck")
}

// newGoModule finds what takes Go packages out of the module that is tested: a
// go.mod below it makes another module of its folder, which ./... leaves out,
// and a vendor folder takes the place of the modules that go.mod names (Go
// modules reference).
func (g *Guard) newGoModule(p string) (string, bool) {
	if !g.goTool {
		return "", false
	}
	dir, file := path.Split(p)
	if file == "go.mod" || file == "go.work" {
		has := false
		source := func(below string) bool {
			has = path.Ext(below) == ".go"
			return has
		}
		if dir == "" {
			g.base.any(source)
		} else {
			g.base.below(strings.TrimSuffix(dir, "/"), source)
		}
		if has {
			return "a Go module or workspace of its own, which takes the Go files of its folder out of what is tested", true
		}
	}
	return g.newVendor(p)
}

// newVendor is about a folder that the go command would take for the vendor
// folder of a module.
func (g *Guard) newVendor(p string) (string, bool) {
	names := strings.Split(p, "/")
	for i, name := range names[:len(names)-1] {
		if name != "vendor" {
			continue
		}
		folder := strings.Join(names[:i+1], "/")
		module := g.base.exact[path.Join(path.Dir(folder), "go.mod")]
		has := false
		g.base.below(folder, func(string) bool { has = true; return true })
		if p == folder+"/modules.txt" || module && !has {
			return "part of a vendor folder that the base lacks; it takes the place of the modules of go.mod", true
		}
	}
	return "", false
}
