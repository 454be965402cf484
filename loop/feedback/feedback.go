package feedback

// Phase names the gate whose failure a feedback describes.
type Phase string

// The phases of feedback.json.
const (
	PhaseRedGate      Phase = "red-gate"
	PhaseTests        Phase = "tests"
	PhaseRegression   Phase = "regression"
	PhaseReproduction Phase = "reproduction"
	PhaseLint         Phase = "lint"
	PhaseTestTamper   Phase = "test-tamper"
	PhaseProtect      Phase = "protect"
	PhaseShape        Phase = "shape"
	PhaseHook         Phase = "hook"
	PhaseHoldout      Phase = "holdout"
	PhaseJudge        Phase = "judge"
)

// ContractVersion is the version of the feedback document.
const ContractVersion = "1.0"

// Feedback is the document that a fix hook reads (feedback.json): what failed
// and where. Arrays are never null, strings never absent.
type Feedback struct {
	ContractVersion string   `json:"contract_version"`
	Attempt         int      `json:"attempt"` // the attempt that failed; 0 for the red gate
	Phase           Phase    `json:"phase"`
	ExitCode        int      `json:"exit_code"`
	Passed          bool     `json:"passed"`
	Flaky           bool     `json:"flaky"`
	Failing         string   `json:"failing"`     // the lines that say what failed, one a line, at most 30
	Loci            []string `json:"loci"`        // "path:line" inside the candidate tree, most useful first, at most 20
	TestName        []string `json:"test_name"`   // failing tests by name
	Assertion       []string `json:"assertion"`   // what was compared, as the runner printed it
	FullLog         string   `json:"full_log"`    // path of the whole log as the hook can read it
	OutputTail      string   `json:"output_tail"` // the last lines of the log, valid UTF-8
	Class           string   `json:"class"`       // class of the result, see package isolation
	RejectedPaths   []string `json:"rejected_paths"`
	Truncated       bool     `json:"truncated"` // the log lacks its middle, or this document was cut
}
