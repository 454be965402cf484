package reports

import "github.com/patchvet/patchvet/loop"

// Words that the events use.
const (
	phaseRegression   = "regression"
	phaseReproduction = "reproduction"
	phaseTests        = "tests"
	phaseLint         = "lint"
	phaseHoldout      = "holdout"
	phaseJudge        = "judge"

	gateProtect = "protect"
	gateTamper  = "test-tamper"
	gateShape   = "shape"

	rejectedTamper = "test-tamper"

	verdictVerifiedRed = "verified-red"
	verdictPassed      = "passed"
	verdictApproved    = "approved"
)

// oraclePhases names the commands of the plan that decide, in the order in
// which they run.
func oraclePhases(p loop.PlanInfo) []string {
	var out []string
	if p.Regression != "" {
		out = append(out, phaseRegression)
	}
	if p.Reproduction != "" {
		out = append(out, phaseReproduction)
	}
	if p.Tests != "" {
		out = append(out, phaseTests)
	}
	return out
}
