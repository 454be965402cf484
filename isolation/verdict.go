package isolation

import "errors"

// VerdictWord is the answer of a check.
type VerdictWord string

// The answers.
const (
	VerdictOK       VerdictWord = "ok"
	VerdictRefuse   VerdictWord = "refuse"
	VerdictOverride VerdictWord = "unsafe-host-override" // no isolation, and allowed by the user
)

// Verdict says whether commands may run with a --via, in the fields that
// callers of older tools read.
type Verdict struct {
	Via  string `json:"via"`
	Tier Tier   `json:"tier"`
	// AdequateForUntrusted is what the tier's word stands for, should the
	// wrapper keep its promise: true for every wrapper, as the caller has
	// delegated isolation to it. It is no result of a test; Reason says so.
	AdequateForUntrusted bool        `json:"adequate_for_untrusted"`
	AllowUnsafeHost      bool        `json:"allow_unsafe_host"`
	Verdict              VerdictWord `json:"verdict"`
	Reason               string      `json:"reason"` // one sentence
}

// Check judges a --via by its spelling alone. It runs nothing.
func Check(via string, allowUnsafe bool) Verdict {
	v := Verdict{Via: via, Tier: TierOf(via), AllowUnsafeHost: allowUnsafe}
	box, err := New(via, Options{AllowUnsafeHost: allowUnsafe})
	switch _, wrapped := box.(wrapper); {
	case wrapped:
		v.Verdict, v.AdequateForUntrusted = VerdictOK, true
		v.Reason = "isolation is delegated to the wrapper; the tier is read from its words, nothing of its isolation was proved"
	case err == nil:
		v.Verdict = VerdictOverride
		v.Reason = "no isolation: commands run on this machine as they are, allowed by --allow-unsafe-host; nothing is proved"
	case errors.Is(err, ErrNoIsolation):
		v.Verdict = VerdictRefuse
		v.Reason = err.Error() + "; nothing of a wrapper's isolation was proved"
	default:
		v.Verdict = VerdictRefuse
		v.Reason = "no adequate isolation: " + err.Error() + "; nothing of a wrapper's isolation was proved"
	}
	return v
}
