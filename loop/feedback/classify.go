package feedback

import "github.com/patchvet/patchvet/isolation"

// Exit codes with which Python's runners say that they ran no test
// (pytest.ExitCode; unittest has the second since Python 3.12).
const (
	exitUsageError = 4
	exitNoTests    = 5
)

// Classify refines the class of a finished command by what its log says. A
// test-fail becomes build-fail where the log proves that no test was reached
// that could have failed; every other class, and every doubt, stays as it is.
func Classify(result isolation.Class, exit int, r Report) isolation.Class {
	if result != isolation.ClassTestFail || exit == 0 {
		return result
	}
	if r.BuildFailure {
		return isolation.ClassBuildFail
	}
	// That a runner had no tests does not explain a red of a command that goes
	// on after it, but the runner's own exit code does.
	if r.NoTests && (r.Runner == "pytest" && exit == exitUsageError || exit == exitNoTests) {
		return isolation.ClassBuildFail
	}
	return result
}
