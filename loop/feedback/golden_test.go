package feedback

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/patchvet/patchvet/isolation"
)

var update = flag.Bool("update", false, "rewrite want.json of the golden logs")

// want is what a golden log must give.
type want struct {
	Class     isolation.Class `json:"class"`      // of Classify, from the exit code beside the log
	TestFirst bool            `json:"test_first"` // with test files protected
	Report
}

// isTestFile is the protected set of the golden logs.
func isTestFile(p string) bool {
	base := path.Base(p)
	return strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "test_") || base == "conftest.py" ||
		strings.Contains(base, ".test.") || base == "check.py"
}

// TestGolden reads the logs of testdata, which testdata/*/make.sh made with the
// real tools.
func TestGolden(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		t.Run(strings.TrimPrefix(dir, "testdata/"), func(t *testing.T) {
			t.Parallel()
			got := readGolden(t, dir)
			data, err := encode(got)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "want.json")
			if *update {
				if err := os.WriteFile(file, data, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(old, data) {
				t.Errorf("%s differs (run with -update and read the difference):\n%s", file, data)
			}
		})
	}
}

func goldenDirs(t testing.TB) []string {
	t.Helper()
	logs, err := filepath.Glob("testdata/*/*/log")
	if err != nil || len(logs) < 100 {
		t.Fatalf("%d golden logs found, %v", len(logs), err)
	}
	for i, log := range logs {
		logs[i] = filepath.Dir(log)
	}
	return logs
}

func readGolden(t *testing.T, dir string) want {
	t.Helper()
	log, err := os.Open(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	rep, err := Localize(context.Background(), log, goldenOptions(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	exit := goldenExit(t, dir)
	class := isolation.ClassTestFail
	switch exit {
	case 0:
		class = isolation.ClassPass
	case 127:
		class = isolation.ClassNotFound
	}
	return want{Classify(class, exit, rep), TestFirstBuildFailure(rep, isTestFile), rep}
}

func goldenOptions(t testing.TB, dir string) Options {
	t.Helper()
	tree, err := os.ReadFile(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	return Options{Tree: NewTree(strings.Split(strings.TrimSpace(string(tree)), "\n")), Root: "/room"}
}

func goldenExit(t *testing.T, dir string) int {
	t.Helper()
	command, err := os.ReadFile(filepath.Join(dir, "command"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(string(command), "\nexit ")
	n, err := strconv.Atoi(strings.TrimSpace(code))
	if !ok || err != nil {
		t.Fatalf("%s/command has no exit code", dir)
	}
	return n
}

// TestGoldenLociAreInTheTree guards the promise that a locus never names
// anything but a file of the tree.
func TestGoldenLociAreInTheTree(t *testing.T) {
	files, _ := filepath.Glob("testdata/*/*/want.json")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var w want
		if err := json.Unmarshal(data, &w); err != nil {
			t.Fatal(err)
		}
		tree := goldenOptions(t, filepath.Dir(file)).Tree
		for _, l := range w.Loci {
			i := strings.LastIndexByte(l, ':')
			if _, ok := tree.lookup(l[:i]); !ok {
				t.Errorf("%s: %s is not in the tree", file, l)
			}
		}
	}
}
