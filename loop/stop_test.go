package loop

import (
	"testing"

	"github.com/patchvet/patchvet/gitops"
)

// baseStore is a Store of which only the base is asked.
type baseStore struct{ Store }

func (baseStore) Base() gitops.Base { return gitops.Base{Tree: "base"} }

func TestStopRule(t *testing.T) {
	t.Parallel()
	failed := func(tree, digest string) verdict {
		return verdict{tree: tree, failure: failure{digest: digest}}
	}
	for name, c := range map[string]struct {
		attempts []verdict
		want     Rule // of the last
	}{
		"one failure":              {[]verdict{failed("a", "x")}, ""},
		"same failure twice":       {[]verdict{failed("a", "x"), failed("b", "x")}, ""},
		"same failure three times": {[]verdict{failed("a", "x"), failed("b", "x"), failed("c", "x")}, RuleRepeatedFailure},
		"broken by another":        {[]verdict{failed("a", "x"), failed("b", "y"), failed("c", "x"), failed("d", "x")}, ""},
		"no digest to compare":     {[]verdict{failed("a", ""), failed("b", ""), failed("c", "")}, ""},
		"the base again":           {[]verdict{{tree: "base", rejected: rejectedEmpty}}, RuleEmptyCandidate},
		"the base judged again":    {[]verdict{failed("base", "x")}, RuleEmptyCandidate},
		"a known tree":             {[]verdict{{tree: "a", rejected: rejectedRepeated, repeat: true}}, RuleRepeatedTree},
		"hook failed on the base":  {[]verdict{{tree: "base", rejected: rejectedHook}}, ""},
		"refused, T is the base":   {[]verdict{{tree: "base", rejected: rejectedTamper, failure: failure{digest: "p"}}}, ""},
		"refused three times":      {[]verdict{{tree: "a", rejected: rejectedShape, failure: failure{digest: "p"}}, {tree: "a", rejected: rejectedShape, failure: failure{digest: "p"}}, {tree: "a", rejected: rejectedShape, failure: failure{digest: "p"}}}, RuleRepeatedFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &Engine{Store: baseStore{}}
			var rule Rule
			for _, v := range c.attempts {
				rule, _ = e.stopRule(v)
			}
			if rule != c.want {
				t.Errorf("rule %q, want %q", rule, c.want)
			}
		})
	}
}
