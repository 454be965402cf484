package archtest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layer says which packages of the module the packages under a folder may
// import besides each other.
type layer struct {
	folder string
	below  []string
}

// layers is the order of the house, from the top. A package belongs to the
// first row whose folder holds it.
var layers = []layer{
	{"cmd", []string{"reports", "loop", "gitops", "isolation"}},
	{"schemas", []string{"reports", "loop", "gitops", "isolation"}},
	{"reports/review", []string{"gitops"}},
	{"reports", []string{"reports/review", "loop", "gitops", "isolation"}},
	{"loop", []string{"gitops", "isolation"}},
	{"gitops", nil},
	{"isolation", nil},
	{"internal/testkit", nil},
	{"internal/archtest", nil},
}

const testkit = "internal/testkit"

func within(folder, pkg string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

func layerOf(pkg string) (layer, bool) {
	for _, l := range layers {
		if within(l.folder, pkg) {
			return l, true
		}
	}
	return layer{}, false
}

// badImports names every import that the layers do not allow.
func badImports(files []source) []string {
	var found []string
	for _, f := range files {
		own, known := layerOf(f.dir)
		if !known {
			found = append(found, fmt.Sprintf("%s: package %q has no place in the layers", f.path(), f.dir))
			continue
		}
		for _, spec := range f.file.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !within(module, target) {
				continue
			}
			pkg := strings.TrimPrefix(strings.TrimPrefix(target, module), "/")
			if !allowed(own, f, pkg) {
				found = append(found, fmt.Sprintf("%s: may not import %s", f.path(), target))
			}
		}
	}
	return found
}

func allowed(own layer, f source, pkg string) bool {
	if within(testkit, pkg) {
		return f.isTest() || within(testkit, f.dir)
	}
	target, known := layerOf(pkg)
	if !known {
		return false
	}
	return target.folder == own.folder || slices.ContainsFunc(own.below, func(folder string) bool { return within(folder, target.folder) })
}

// badNames names every package that is called after nothing.
func badNames(files []source) []string {
	var found []string
	for _, f := range files {
		for _, name := range []string{path.Base(f.dir), strings.TrimSuffix(f.file.Name.Name, "_test")} {
			switch name {
			case "util", "utils", "common", "helper", "helpers", "misc", "shared":
				found = append(found, fmt.Sprintf("%s: a package called %q says nothing", f.path(), name))
			}
		}
	}
	return slices.Compact(found)
}

func TestImportsGoDown(t *testing.T) {
	t.Parallel()
	_, files := readModule(t, "../..")
	report(t, badImports(files))
	report(t, badNames(files))
}

func TestBadImportsAreFound(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ file, target string }{
		{"loop/x.go", "reports"},
		{"loop/feedback/x.go", "reports"},
		{"loop/x.go", "cmd/patchvet"},
		{"reports/x.go", "cmd/patchvet"},
		{"reports/review/x.go", "loop"},
		{"reports/review/x.go", "reports"},
		{"reports/review/x.go", "isolation"},
		{"gitops/x.go", "loop"},
		{"gitops/x.go", "loop/feedback"},
		{"gitops/x.go", "isolation"},
		{"isolation/x.go", "gitops"},
		{"isolation/sub/x.go", "gitops"},
		{"gitops/x_test.go", "loop"},
		{"gitops/x.go", "internal/testkit"},
		{"cmd/patchvet/x.go", "internal/testkit"},
		{"internal/testkit/x.go", "gitops"},
		{"cmd/patchvet/x.go", "nowhere"},
		{"loop/x.go", "schemas"},
	} {
		t.Run(tc.file+" "+tc.target, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("package x\nimport _ %q\nimport _ \"os\"\n", module+"/"+tc.target)
			_, files := plant(t, tc.file, text)
			wantOne(t, badImports(files), "may not import "+module+"/"+tc.target)
		})
	}
	_, files := plant(t, "drawer/x.go", "package drawer\n")
	wantOne(t, badImports(files), "has no place")
}

func TestGoodImportsPass(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ file, target string }{
		{"cmd/patchvet/x.go", "reports"},
		{"cmd/patchvet/x.go", "reports/review"},
		{"cmd/patchvet/x.go", "isolation"},
		{"reports/x.go", "loop/feedback"},
		{"reports/x.go", "reports/review"},
		{"reports/github/x.go", "reports/review"},
		{"reports/review/x.go", "gitops"},
		{"loop/x.go", "loop/feedback"},
		{"loop/edit/x.go", "gitops"},
		{"gitops/x_test.go", "internal/testkit"},
		{"gitops/x.go", "gitops/sub"},
		{"internal/testkit/x.go", "internal/testkit/sub"},
	} {
		_, files := plant(t, tc.file, fmt.Sprintf("package x\nimport _ %q\n", module+"/"+tc.target))
		report(t, badImports(files))
	}
}

func TestBadNamesAreFound(t *testing.T) {
	t.Parallel()
	_, files := plant(t, "loop/util/x.go", "package strings2\n")
	wantOne(t, badNames(files), `"util"`)
	_, files = plant(t, "loop/x/x.go", "package helpers\n")
	wantOne(t, badNames(files), `"helpers"`)
}
