package loop

import (
	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop/feedback"
)

// Words of Attempt.Rejected.
const (
	rejectedTamper       = "test-tamper"
	rejectedProtected    = "protected-tests-mutated"
	rejectedShape        = "shape"
	rejectedLint         = "lint"
	rejectedHook         = "hook-failed"
	rejectedEmpty        = "empty-candidate"
	rejectedRepeated     = "repeated-tree"
	rejectedJudge        = "judge-rejected"
	rejectedHoldout      = "reward-hacked"
	rejectedInconclusive = "inconclusive"
)

// verdict is what one attempt came to.
type verdict struct {
	tree         string
	passed       bool
	flaky        bool
	inconclusive bool
	phase        string // the phase that decided
	class        isolation.Class
	exitCode     int
	durationS    float64
	runs         []PassRun
	rejected     string
	judge        string
	holdout      string
	repeat       bool    // the tree was judged before in this run
	reason       string  // one sentence
	ends         Outcome // the run ends with this attempt
	endRule      Rule    // why, where a rule says so
	failure      failure // what the next hook call is told; zero for a pass
}

// failure is what a hook can be told about an attempt.
type failure struct {
	attempt int
	phase   feedback.Phase
	step    *stepOutcome // the execution that failed; nil when a gate refused paths
	flaky   bool
	passed  bool         // no failure: what a judge is told about an accepted tree
	paths   []PathReason // what a gate refused
	message string       // for gates without output
	digest  string       // equal for failures that are the same again
}
