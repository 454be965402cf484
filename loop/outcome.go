package loop

// Outcome is the one word that says how a run ended.
type Outcome string

// The closed list of outcomes.
const (
	Passed                Outcome = "passed"
	Capped                Outcome = "capped"
	Flaky                 Outcome = "flaky"
	ProtectedTestsMutated Outcome = "protected-tests-mutated"
	TestTamper            Outcome = "test-tamper"
	VacuousReproduction   Outcome = "vacuous-reproduction"
	WrongRed              Outcome = "wrong-red"
	RewardHacked          Outcome = "reward-hacked"
	JudgeRejected         Outcome = "judge-rejected"
	Inconclusive          Outcome = "inconclusive"
	EmptyCandidate        Outcome = "empty-candidate"
	Stuck                 Outcome = "stuck"
	Budget                Outcome = "budget"
	Abstained             Outcome = "abstained"
	NoFixHook             Outcome = "no_fix_hook"
	Infra                 Outcome = "infra"
	Regression            Outcome = "regression"
	Refused               Outcome = "refused"
	Cancelled             Outcome = "cancelled"
)

// Rule names what ended a run or marked it, for the ledger's stop_reason.
type Rule string

// The rules that end or mark a run. A run that ends for its outcome alone has
// an empty stop_reason.
const (
	RuleRepeatedTree    Rule = "repeated-tree"
	RuleRepeatedFailure Rule = "repeated-failure"
	RuleEmptyCandidate  Rule = "empty-candidate"
	RuleRedRegression   Rule = "regression-red-on-base"
	RuleSecondTamper    Rule = "second-tamper"
	RuleHookInfra       Rule = "hook-infrastructure"
)
