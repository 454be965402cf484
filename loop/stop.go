package loop

// repeatedFailures is how many hook calls in a row may end in the same failure
// before the run is stuck.
const repeatedFailures = 3

// stopRule says which stop rule an attempt after a hook call fires, if any.
func (e *Engine) stopRule(v verdict) (Rule, string) {
	switch {
	case v.rejected == rejectedHook:
		return "", ""
	case v.tree == e.Store.Base().Tree && (v.rejected == rejectedEmpty || v.rejected == ""):
		return RuleEmptyCandidate, "the hook left the base as it was"
	case v.repeat:
		return RuleRepeatedTree, "the hook left a tree that was judged before"
	}
	if v.failure.digest == "" {
		return "", ""
	}
	e.run.signatures = append(e.run.signatures, v.failure.digest)
	n := len(e.run.signatures)
	if n < repeatedFailures {
		return "", ""
	}
	for _, s := range e.run.signatures[n-repeatedFailures:] {
		if s != v.failure.digest {
			return "", ""
		}
	}
	return RuleRepeatedFailure, "three hook calls in a row ended in the same failure"
}

// ruleOutcome is the word for a run that a stop rule ended.
func ruleOutcome(r Rule) Outcome {
	if r == RuleEmptyCandidate {
		return EmptyCandidate
	}
	return Stuck
}
