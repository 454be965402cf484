package feedback

import "github.com/patchvet/patchvet/isolation"

// Exit codes with which pytest says that it ran no test (pytest.ExitCode).
const (
	pytestUsageError = 4
	pytestNoTests    = 5
)

// Classify refines the class of a finished command by what its log says. A
// test-fail becomes build-fail where the log proves that no test was reached
// that could have failed; every other class, and every doubt, stays as it is.
func Classify(result isolation.Class, exit int, r Report) isolation.Class {
	if result != isolation.ClassTestFail || exit == 0 {
		return result
	}
	if r.BuildFailure || r.NoTests {
		return isolation.ClassBuildFail
	}
	if r.Runner == "pytest" && len(r.TestName) == 0 && (exit == pytestUsageError || exit == pytestNoTests) {
		return isolation.ClassBuildFail
	}
	return result
}
