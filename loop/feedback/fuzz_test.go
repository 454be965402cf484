package feedback

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// fuzzOptions name files that the seeds mention.
func fuzzOptions() Options {
	return Options{
		Tree: NewTree([]string{
			"calc.py", "tests/test_calc.py", "price/price.go", "price/price_test.go", "src/cart.js", "test/cart.test.js",
			"src/lib.rs", "src/sum.c", "test/sum.bats", "com/example/shop/Cart.java", "Makefile", "run.sh",
		}),
		Root: "/room",
	}
}

func seed(f *testing.F, pattern string) {
	logs, err := filepath.Glob("testdata/" + pattern + "/log")
	if err != nil || len(logs) == 0 {
		f.Fatalf("no seeds for %s: %v", pattern, err)
	}
	for _, log := range logs {
		b, err := os.ReadFile(log)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

// FuzzLocalize feeds whole logs to all formats.
func FuzzLocalize(f *testing.F) {
	seed(f, "*/*")
	f.Fuzz(func(t *testing.T, log []byte) {
		opt := fuzzOptions()
		rep, err := Localize(context.Background(), bytes.NewReader(log), opt)
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, rep, opt)
		if doc, err := encode(Build(Attempt{Phase: PhaseTests, MaxBytes: 4096}, rep)); err != nil || len(doc) > 4096 {
			t.Errorf("%d bytes, %v", len(doc), err)
		}
	})
}

// fuzzFormat feeds one format alone with lines that are not cleaned, only
// without blanks at their end, so that it cannot lean on more than that.
func fuzzFormat(f *testing.F, name, pattern string) {
	seed(f, pattern)
	var row format
	for _, r := range formats() {
		if r.name == name {
			row = r
		}
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		opt := fuzzOptions().withDefaults()
		found := &findings{paths: newResolver(opt)}
		rd := row.start(found)
		for i, text := range bytes.Split(log, []byte("\n")) {
			text = bytes.TrimRight(text, " \t")
			indent := len(text) - len(bytes.TrimLeft(text, " \t"))
			rd.line(&line{no: int64(i + 1), text: text, indent: indent, hints: colonDigit | blankDigit | parenDigit})
		}
		rd.end()
		if found.reported < 0 || found.real < 0 || found.build < 0 || found.unexplained < 0 {
			t.Errorf("a count is negative: %+v", found)
		}
		if found.seenAt < 0 {
			t.Errorf("seen at line %d", found.seenAt)
		}
	})
}

func FuzzGoTest(f *testing.F)     { fuzzFormat(f, "go test", "go/*") }
func FuzzGoStack(f *testing.F)    { fuzzFormat(f, "go", "go/*") }
func FuzzPytest(f *testing.F)     { fuzzFormat(f, "pytest", "pytest/*") }
func FuzzUnittest(f *testing.F)   { fuzzFormat(f, "unittest", "unittest/*") }
func FuzzPython(f *testing.F)     { fuzzFormat(f, "python", "python/*") }
func FuzzNodeTest(f *testing.F)   { fuzzFormat(f, "node:test", "node/*") }
func FuzzNode(f *testing.F)       { fuzzFormat(f, "node", "node/*") }
func FuzzTAP(f *testing.F)        { fuzzFormat(f, "tap", "tap/*") }
func FuzzBats(f *testing.F)       { fuzzFormat(f, "bats", "bats/*") }
func FuzzCargo(f *testing.F)      { fuzzFormat(f, "cargo test", "rust/*") }
func FuzzRustc(f *testing.F)      { fuzzFormat(f, "rustc", "rust/*") }
func FuzzCC(f *testing.F)         { fuzzFormat(f, "cc", "cc/*") }
func FuzzTSC(f *testing.F)        { fuzzFormat(f, "tsc", "tsc/*") }
func FuzzESLint(f *testing.F)     { fuzzFormat(f, "eslint", "eslint/*") }
func FuzzShellcheck(f *testing.F) { fuzzFormat(f, "shellcheck", "shellcheck/*") }
func FuzzJava(f *testing.F)       { fuzzFormat(f, "java", "java/*") }
func FuzzGeneric(f *testing.F)    { fuzzFormat(f, "", "shell/*") }

// FuzzParse feeds documents to Parse; what it accepts survives a round trip.
func FuzzParse(f *testing.F) {
	doc, err := encode(Build(Attempt{Phase: PhaseTests}, Report{}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(doc)
	f.Add([]byte(`{"contract_version":"1.0","loci":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Parse(data)
		if err != nil {
			return
		}
		out, err := encode(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(out); err != nil {
			t.Errorf("%q: %v", out, err)
		}
	})
}
