package loop

import "testing"

func TestTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan   Plan
		target string
		phases int
	}{
		{Plan{Tests: "t"}, "tests", 1},
		{Plan{Regression: "g"}, "regression", 1},
		{Plan{Reproduction: "r"}, "reproduction", 1},
		{Plan{Regression: "g", Reproduction: "r"}, "reproduction", 2},
		{Plan{Regression: "g", Tests: "t"}, "tests", 2},
		{Plan{Regression: "g", Reproduction: "r", Tests: "t"}, "reproduction", 3},
	} {
		if got := c.plan.Target().Name; got != c.target {
			t.Errorf("%+v: target %s, want %s", c.plan, got, c.target)
		}
		phases := c.plan.Phases()
		if len(phases) != c.phases {
			t.Errorf("%+v: %d phases, want %d", c.plan, len(phases), c.phases)
		}
		if c.plan.Regression != "" && phases[0].Name != "regression" {
			t.Errorf("%+v: regression does not run first", c.plan)
		}
	}
}
