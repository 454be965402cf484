package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/patchvet/patchvet"

// source is one Go file of the module.
type source struct {
	dir  string // inside the module, slash-separated; "" for its root
	name string // of the file
	file *ast.File
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

func (s source) path() string { return path.Join(s.dir, s.name) }

// readModule parses every Go file of the module, whatever system it is for.
// Folders that the go command leaves out, and nested modules, are left out.
func readModule(t *testing.T, root string) (*token.FileSet, []source) {
	t.Helper()
	fset := token.NewFileSet()
	var out []source
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && leftOut(p, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(rel))
		if dir == "." {
			dir = ""
		}
		out = append(out, source{dir: dir, name: d.Name(), file: f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fset, out
}

func leftOut(dir, name string) bool {
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// plant parses files that no checkout holds: path and text in turn.
func plant(t *testing.T, pathsAndTexts ...string) (*token.FileSet, []source) {
	t.Helper()
	fset := token.NewFileSet()
	var out []source
	for i := 0; i < len(pathsAndTexts); i += 2 {
		p, text := pathsAndTexts[i], pathsAndTexts[i+1]
		f, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, source{dir: path.Dir(p), name: path.Base(p), file: f})
	}
	return fset, out
}

// wantOne fails unless there is exactly one finding and it has the text.
func wantOne(t *testing.T, found []string, text string) {
	t.Helper()
	if len(found) != 1 || !strings.Contains(found[0], text) {
		t.Errorf("found %q, want one finding with %q", found, text)
	}
}

func report(t *testing.T, found []string) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}

// The checks below would pass on an empty tree: this one makes sure that they
// look at the real one.
func TestModuleIsRead(t *testing.T) {
	t.Parallel()
	_, files := readModule(t, "../..")
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.dir] = true
	}
	for _, dir := range []string{"cmd/patchvet", "reports", "loop", "loop/feedback", "gitops", "isolation", "internal/testkit", "internal/archtest"} {
		if !seen[dir] {
			t.Errorf("no file of %s is among the %d that were read", dir, len(files))
		}
	}
}
