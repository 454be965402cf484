package feedback

// Defaults of Options. Lines and bytes are counted after cleaning.
const (
	DefaultMaxLine       = 16 << 10
	DefaultMaxFailing    = 30
	DefaultMaxLoci       = 20
	DefaultMaxTests      = 100
	DefaultMaxAssertions = 20
	DefaultTailLines     = 40
	DefaultTailBytes     = 8 << 10
)

// Options says what a log may be mapped to and how much is kept. The zero
// value works: the defaults above, no loci, known token shapes redacted.
type Options struct {
	// Tree holds the paths that loci may name. Without it there are no loci.
	Tree *Tree
	// Root is the room's folder as the command saw it, absolute. Paths below it
	// are read relative to the tree.
	Root string
	// UserRoot is the root of the user's own checkout, absolute: a room that is
	// mounted there prints paths below it.
	UserRoot string
	// Redact replaces secrets in everything that comes out. Nil redacts the
	// known token shapes only.
	Redact *Redactor
	// Truncated says that the log lacks its middle.
	Truncated bool

	MaxLine       int // bytes of a line that are read; the rest is dropped
	MaxFailing    int // lines of Report.Failing
	MaxLoci       int
	MaxTests      int
	MaxAssertions int
	TailLines     int
	TailBytes     int
}

func (o Options) withDefaults() Options {
	set := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	set(&o.MaxLine, DefaultMaxLine)
	set(&o.MaxFailing, DefaultMaxFailing)
	set(&o.MaxLoci, DefaultMaxLoci)
	set(&o.MaxTests, DefaultMaxTests)
	set(&o.MaxAssertions, DefaultMaxAssertions)
	set(&o.TailLines, DefaultTailLines)
	set(&o.TailBytes, DefaultTailBytes)
	if o.Redact == nil {
		o.Redact = NewRedactor(nil)
	}
	return o
}

// Report is what a log says. All strings are valid UTF-8; slices may be nil.
type Report struct {
	// Runner names the test runner that spoke: the one that reported a failure
	// first, else the first seen. Where no test runner spoke it names the
	// compiler, linter or interpreter; "" where nothing was recognised.
	Runner string `json:"runner"`

	Failing    []string `json:"failing"`     // lines that say what failed, in order
	Loci       []string `json:"loci"`        // "path:line" of the tree, best first
	TestName   []string `json:"test_name"`   // failing tests as the runner names them, in order
	Assertion  []string `json:"assertion"`   // what was compared or thrown, as printed; may span lines
	OutputTail string   `json:"output_tail"` // the last lines, each ended by a newline

	// Signature is equal for two failures that are the same failure again. It
	// is a hash of runner, failing tests, assertions and paths, without what
	// varies from run to run (numbers, addresses, temporary paths, dates). ""
	// means that the log holds nothing to compare by.
	Signature string `json:"signature"`

	// BuildFailure says that tests were never reached: a compile, collection
	// or import failure, and no test that ran and failed.
	BuildFailure bool `json:"build_failure"`
	// Undefined lists the names whose absence explains build failures.
	Undefined []Undefined `json:"undefined"`
	// Unexplained says that build failures have other causes too, or that the
	// log does not show all of them.
	Unexplained bool `json:"unexplained"`

	// NoTests says that every recognised runner said that no test ran (also:
	// that all were skipped, or were only listed). A green with NoTests proves
	// nothing.
	NoTests bool `json:"no_tests"`
	// Contradiction says that a runner's own summary reports failures, or that
	// its report stops before its summary. After an exit code of 0 the two
	// disagree and the run is inconclusive; after any other code it is normal.
	Contradiction bool `json:"contradiction"`
	// Reason is one sentence on BuildFailure, NoTests or Contradiction.
	Reason string `json:"reason"`

	Truncated bool  `json:"truncated"` // as given in Options
	Lines     int64 `json:"lines"`
	Bytes     int64 `json:"bytes"`
}

// Undefined is a name that a file uses and nothing defines.
type Undefined struct {
	Name string `json:"name"`
	Path string `json:"path"` // the file that uses it, in the tree; "" when it could not be mapped
}
