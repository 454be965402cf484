package gitops

import (
	"strings"
	"unicode"
)

// judgesByName reports a file whose path says that it tests or checks.
// "checkAll.js" is two words, "checkers.js" and "contest.py" are one.
func judgesByName(p string) bool {
	var name strings.Builder
	var last rune
	for _, r := range p {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
		last = r
	}
	for _, w := range strings.FieldsFunc(name.String(), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch w {
		case "test", "tests", "testing", "tester", "runtest", "runtests", "selftest", "unittest", "doctest",
			"check", "checks", "checker", "selfcheck", "runcheck", "runchecks", "lint", "spec", "specs", "ci",
			"verify", "verifier", "verification", "validate", "validator", "validation",
			"accept", "acceptance", "assert", "assertion", "assertions", "expect", "expected", "expectation", "expectations",
			"compare", "comparer", "comparison", "cmp", "diff", "golden", "regress", "regression", "regressions", "repro",
			"oracle", "judge", "harness", "grade", "grader", "grading", "score", "scorer", "scoring",
			"eval", "evaluate", "evaluator", "evaluation", "smoke", "sanity":
			return true
		}
	}
	return false
}
