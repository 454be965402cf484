package feedback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLocalizeEmptyLog(t *testing.T) {
	t.Parallel()
	if rep := localize(t, "", Options{}); !reflect.DeepEqual(rep, Report{}) {
		t.Errorf("got %+v", rep)
	}
}

func TestLocalizeErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	if _, err := Localize(context.Background(), iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	endless := repeat("a line\n", 1<<62)
	stop := readerFunc(func(p []byte) (int, error) {
		if endless.left < 1<<62-(1<<20) {
			cancel()
		}
		return endless.Read(p)
	})
	if _, err := Localize(ctx, stop, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if _, err := Localize(ctx, strings.NewReader("x"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestLocalizeStopsInsideALine: a log without a line end can be cancelled too.
func TestLocalizeStopsInsideALine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	endless := repeat("xxxxxxxx", 1<<62)
	stop := readerFunc(func(p []byte) (int, error) {
		if endless.left < 1<<62-(1<<20) {
			cancel()
		}
		return endless.Read(p)
	})
	if _, err := Localize(ctx, stop, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestOutputTail(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 100 {
		fmt.Fprintf(&log, "line %d\n", i)
	}
	rep := localize(t, log.String(), Options{})
	if got := strings.Count(rep.OutputTail, "\n"); got != DefaultTailLines || !strings.HasPrefix(rep.OutputTail, "line 60\n") || !strings.HasSuffix(rep.OutputTail, "line 99\n") {
		t.Errorf("%d lines: %q", got, rep.OutputTail)
	}
	rep = localize(t, strings.Repeat(strings.Repeat("é", 400)+"\n", 100), Options{})
	if n := len(rep.OutputTail); n > DefaultTailBytes || n < DefaultTailBytes-1000 || !strings.HasPrefix(rep.OutputTail, "é") {
		t.Errorf("%d bytes: %.20q", n, rep.OutputTail)
	}
	rep = localize(t, strings.Repeat("é", 1<<20), Options{})
	if n := len(rep.OutputTail); n > tailLine+1 || !strings.HasSuffix(rep.OutputTail, "…\n") {
		t.Errorf("%d bytes, ends in %q", n, rep.OutputTail[n-10:])
	}
	rep = localize(t, "a\nb\n", Options{TailLines: 1})
	if rep.OutputTail != "b\n" {
		t.Errorf("got %q", rep.OutputTail)
	}
}

// TestCapsHold: however much fails, the report stays small.
func TestCapsHold(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	paths := make([]string, 5000)
	for i := range paths {
		paths[i] = fmt.Sprintf("f%d_test.go", i)
		fmt.Fprintf(&log, "--- FAIL: Test%d (0.00s)\n    f%d_test.go:%d: broken %d %s\n", i, i, i+1, i, strings.Repeat("x", 3000))
	}
	log.WriteString("FAIL\nFAIL\texample.com/p\t1.0s\n")
	rep := localize(t, log.String(), Options{Tree: NewTree(paths)})
	for name, c := range map[string]struct{ got, want int }{
		"failing":    {len(rep.Failing), DefaultMaxFailing},
		"loci":       {len(rep.Loci), DefaultMaxLoci},
		"tests":      {len(rep.TestName), DefaultMaxTests},
		"assertions": {len(rep.Assertion), DefaultMaxAssertions},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", name, c.got, c.want)
		}
	}
	for _, s := range slices.Concat(rep.Failing, rep.Assertion) {
		if len(s) > showText {
			t.Errorf("%d bytes: %.40q", len(s), s)
		}
	}
	if rep.Loci[0] != "f0_test.go:1" || rep.TestName[0] != "Test0" {
		t.Errorf("not in order: %q, %q", rep.Loci[0], rep.TestName[0])
	}
}

// TestMemoryIsBounded reads logs that are hard on memory and watches what stays
// on the heap: a reader that kept a part of each line would soon pass the bound.
func TestMemoryIsBounded(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, make := range map[string]func(i int) string{
		"one line":      func(int) string { return strings.Repeat("y", 4096) },
		"progress":      func(i int) string { return fmt.Sprintf("%d%%\r", i) },
		"failing tests": func(i int) string { return fmt.Sprintf("--- FAIL: Test%d (0.00s)\n    a_test.go:%d: %d\n", i, i, i) },
		"open tests": func(i int) string {
			return fmt.Sprintf("=== RUN   Test%d\n=== PAUSE Test%d\n    a_test.go:1: x\n", i, i)
		},
		"undefined names": func(i int) string { return fmt.Sprintf("# pkg/p%d\na_test.go:%d:1: undefined: X%d\n", i, i+1, i) },
		"results":         func(i int) string { return fmt.Sprintf("not ok %d - test %d\n# text\n", i+1, i) },
		"titles": func(i int) string {
			return fmt.Sprintf("# Subtest: %d\n%s# Subtest: %d\n", i, strings.Repeat("    ", i%70), i)
		},
		"endless traceback": func(i int) string {
			return fmt.Sprintf("Traceback (most recent call last):\n  File \"x%d.py\", line 3, in f\n", i)
		},
		"paths": func(i int) string { return fmt.Sprintf("/room/a%d.go:%d:3: x\n", rnd.Int(), i+1) },
	} {
		t.Run(name, func(t *testing.T) {
			const size = 3 << 20
			var before, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var peak, read uint64
			i, rest := 0, []byte(nil)
			r := readerFunc(func(p []byte) (int, error) {
				if read >= size {
					return 0, io.EOF
				}
				if len(rest) == 0 {
					for len(rest) < 64<<10 {
						rest = append(rest, make(i)...)
						i++
					}
				}
				n := copy(p, rest)
				rest = rest[n:]
				if read>>20 != (read+uint64(n))>>20 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
				}
				read += uint64(n)
				return n, nil
			})
			if _, err := Localize(context.Background(), r, Options{Tree: NewTree([]string{"a_test.go", "a1.go"}), Root: "/room"}); err != nil {
				t.Fatal(err)
			}
			if peak > 2<<20 {
				t.Errorf("the heap grew by %d KiB", peak>>10)
			}
		})
	}
}

// golden returns all logs of testdata.
func golden(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range goldenDirs(t) {
		b, err := os.ReadFile(dir + "/log")
		if err != nil {
			t.Fatal(err)
		}
		out[dir] = string(b)
	}
	return out
}

// TestColorsChangeNothing: a colored log reads like a plain one.
func TestColorsChangeNothing(t *testing.T) {
	t.Parallel()
	for dir, log := range golden(t) {
		if strings.ContainsAny(log, "\x1b\r\b\x00") {
			continue
		}
		opt := goldenOptions(t, dir)
		want := localize(t, log, opt)
		var colored strings.Builder
		for _, l := range strings.SplitAfter(log, "\n") {
			if l != "" {
				colored.WriteString("\x1b[1;32m" + strings.TrimSuffix(l, "\n") + "\x1b[0m\x1b[K\r\n")
			}
		}
		got := localize(t, colored.String(), opt)
		got.Bytes = want.Bytes
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", dir, got, want)
		}
	}
}

// TestAnyText checks what must hold for every text: valid UTF-8, loci of the
// tree only, and the same report however the text arrives.
func TestAnyText(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, log := range golden(t) {
		lines = append(lines, strings.SplitAfter(log, "\n")...)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	tree := NewTree([]string{"calc.py", "tests/test_calc.py", "price/price_test.go", "src/cart.js", "test/cart.test.js", "src/lib.rs", "Makefile"})
	opt := Options{Tree: tree, Root: "/room"}
	rapid.Check(t, func(t *rapid.T) {
		pick := rapid.OneOf(
			rapid.SampledFrom(lines),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
		)
		text := strings.Join(rapid.SliceOfN(pick, 0, 60).Draw(t, "lines"), "")
		rep, err := Localize(context.Background(), strings.NewReader(text), opt)
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, rep, opt)
		again, err := Localize(context.Background(), iotest.OneByteReader(strings.NewReader(text)), opt)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(rep, again) {
			t.Fatalf("read at once %+v\nread by bytes %+v", rep, again)
		}
	})
}

type failer interface {
	Errorf(format string, args ...any)
}

// checkReport checks what holds for every report.
func checkReport(t failer, rep Report, opt Options) {
	opt = opt.withDefaults()
	texts := slices.Concat(rep.Failing, rep.Loci, rep.TestName, rep.Assertion, []string{rep.OutputTail, rep.Reason, rep.Runner})
	for _, u := range rep.Undefined {
		texts = append(texts, u.Name, u.Path)
		if _, ok := opt.Tree.lookup(u.Path); u.Path != "" && !ok {
			t.Errorf("undefined name in %q, which is not in the tree", u.Path)
		}
	}
	for _, s := range texts {
		if !utf8.ValidString(s) {
			t.Errorf("not UTF-8: %q", s)
		}
	}
	for i, l := range rep.Loci {
		k := strings.LastIndexByte(l, ':')
		if _, ok := opt.Tree.lookup(l[:max(k, 0)]); !ok || slices.Contains(rep.Loci[:i], l) {
			t.Errorf("locus %q is not in the tree, or there twice", l)
		}
	}
	if len(rep.Failing) > opt.MaxFailing || len(rep.Loci) > opt.MaxLoci || len(rep.TestName) > opt.MaxTests ||
		len(rep.Assertion) > opt.MaxAssertions || len(rep.OutputTail) > opt.TailBytes {
		t.Errorf("a cap was not kept")
	}
	if rep.NoTests && rep.Contradiction && !rep.BuildFailure && rep.Reason == "" {
		t.Errorf("no reason")
	}
}
