package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"testing"
)

// Package-level variables may hold errors, tables, patterns and embedded
// files, all of which stay as they are written. The check finds those that
// change: assigned to, also through an index, a field or a pointer, emptied
// by delete, clear or copy, with their address taken, or of a kind that exists
// to change (channels, package sync). It cannot see methods that change their
// receiver.

// changingState names every package-level variable that changes.
func changingState(fset *token.FileSet, files []source) []string {
	packages := map[string][]source{}
	for _, f := range files {
		if !f.isTest() {
			key := f.dir + " " + f.file.Name.Name
			packages[key] = append(packages[key], f)
		}
	}
	var found []string
	for _, group := range packages {
		found = append(found, checkPackage(fset, group)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// noImports stands for every imported package: the check needs the scopes of
// one package, not the types of others.
type noImports struct{}

func (noImports) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

type stateCheck struct {
	fset  *token.FileSet
	info  types.Info
	pkg   *types.Package
	found []string
}

func checkPackage(fset *token.FileSet, group []source) []string {
	c := stateCheck{fset: fset, info: types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	var files []*ast.File
	for _, f := range group {
		files = append(files, f.file)
	}
	// Errors are expected: imported names are unknown, and files for different
	// systems declare the same names.
	conf := types.Config{Importer: noImports{}, FakeImportC: true, Error: func(error) {}}
	c.pkg, _ = conf.Check(module+"/"+group[0].dir, fset, files, &c.info)
	for _, f := range files {
		ast.Inspect(f, c.visit)
	}
	return c.found
}

func (c *stateCheck) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			c.changed(lhs, "is assigned to")
		}
	case *ast.IncDecStmt:
		c.changed(n.X, "is assigned to")
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			c.changed(n.Key, "is assigned to")
			c.changed(n.Value, "is assigned to")
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.changed(n.X, "has its address taken")
		}
	case *ast.CallExpr:
		if name, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 {
			if _, builtin := c.info.Uses[name].(*types.Builtin); builtin && slices.Contains([]string{"delete", "clear", "copy"}, name.Name) {
				c.changed(n.Args[0], "is changed by "+name.Name)
			}
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			c.changing(name, n)
		}
	}
	return true
}

// changed reports an expression whose root is a package-level variable, of
// this package or of another one of the module.
func (c *stateCheck) changed(e ast.Expr, how string) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			if v, ok := c.info.Uses[x].(*types.Var); ok && v.Parent() == c.pkg.Scope() {
				c.report(x, x.Name, how)
			}
			return
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if p, ok := c.info.Uses[id].(*types.PkgName); ok {
					if within(module, p.Imported().Path()) {
						c.report(x, id.Name+"."+x.Sel.Name, how)
					}
					return
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return
		}
	}
}

// changing reports a package-level variable whose kind exists to change.
func (c *stateCheck) changing(name *ast.Ident, spec *ast.ValueSpec) {
	v, ok := c.info.Defs[name].(*types.Var)
	if !ok || v.Parent() != c.pkg.Scope() {
		return
	}
	if _, isChan := v.Type().Underlying().(*types.Chan); isChan {
		c.report(name, name.Name, "is a channel")
	}
	written := []ast.Expr{spec.Type}
	for _, value := range spec.Values {
		if lit, ok := value.(*ast.CompositeLit); ok {
			written = append(written, lit.Type)
		}
	}
	for _, typ := range written {
		if sel, ok := typ.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && (id.Name == "sync" || id.Name == "atomic") {
				c.report(name, name.Name, "is a "+id.Name+"."+sel.Sel.Name)
			}
		}
	}
}

func (c *stateCheck) report(at ast.Node, name, how string) {
	c.found = append(c.found, fmt.Sprintf("%s: package-level variable %s %s", c.fset.Position(at.Pos()), name, how))
}

func TestNothingChangesAtPackageLevel(t *testing.T) {
	t.Parallel()
	fset, files := readModule(t, "../..")
	report(t, changingState(fset, files))
}

func TestChangingStateIsFound(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"counter", "var n int\nfunc f() { n++ }", "n is assigned to"},
		{"switch", "var on bool\nfunc f() { on = true }", "on is assigned to"},
		{"map", "var m = map[string]int{}\nfunc f() { m[\"a\"] = 1 }", "m is assigned to"},
		{"slice", "var s []int\nfunc f() { s = append(s, 1) }", "s is assigned to"},
		{"element", "var s = make([]int, 3)\nfunc f() { s[0] += 1 }", "s is assigned to"},
		{"field", "type c struct{ n int }\nvar v = &c{}\nfunc f() { v.n = 1 }", "v is assigned to"},
		{"pointer", "var p = new(int)\nfunc f() { (*p) = 1 }", "p is assigned to"},
		{"init", "var m map[string]int\nfunc init() { m = nil }", "m is assigned to"},
		{"closure", "var n int\nvar f = func() { n = 2 }", "n is assigned to"},
		{"range", "var k int\nfunc f() { for k = range 3 { _ = k } }", "k is assigned to"},
		{"delete", "var m = map[string]int{}\nfunc f() { delete(m, \"a\") }", "changed by delete"},
		{"clear", "var m = map[string]int{}\nfunc f() { clear(m) }", "changed by clear"},
		{"copy", "var s = []int{1}\nfunc f() { copy(s[1:], s) }", "changed by copy"},
		{"address", "var n int\nfunc f() *int { return &n }", "address taken"},
		{"channel", "var c = make(chan int)", "is a channel"},
		{"mutex", "import \"sync\"\nvar mu sync.Mutex", "sync.Mutex"},
		{"atomic", "import \"sync/atomic\"\nvar n = atomic.Int64{}", "atomic.Int64"},
		{"other package", "import \"" + module + "/loop\"\nfunc f() { loop.Limit = 1 }", "loop.Limit is assigned to"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fset, files := plant(t, "gitops/x.go", "package gitops\n"+tc.text+"\n")
			wantOne(t, changingState(fset, files), tc.want)
		})
	}
	fset, files := plant(t, "gitops/x.go", "package gitops\nvar n int\n", "gitops/y.go", "package gitops\nfunc f() { n = 1 }\n")
	wantOne(t, changingState(fset, files), "n is assigned to")
}

func TestStateThatStaysPasses(t *testing.T) {
	t.Parallel()
	fset, files := plant(t, "gitops/x.go", `package gitops
import ("errors"; "regexp"; "sync"; "os/exec")
var ErrX = errors.New("x")
var table = map[string][]int{"a": {1}}
var pattern = regexp.MustCompile("x")
var lazy = sync.OnceValue(func() int { n := 1; n++; return n })
func f() int {
	table := map[string]int{}
	table["a"] = 1
	pattern := &table
	_ = pattern
	var cmd exec.Cmd
	cmd.Dir = "x"
	return len(table) + lazy()
}
func g(table map[string]int) { delete(table, "a") }
`)
	report(t, changingState(fset, files))
}
