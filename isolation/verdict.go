package isolation

import (
	"context"
	"errors"
	"fmt"
)

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
	// Capabilities are what a probe saw of the box on this machine.
	Capabilities Table `json:"capabilities"`
}

// Check judges a --via: a native box by the attempts of Prove, made in a folder
// of dir, anything else by its spelling alone, without running it. What is
// required must hold besides RequiredCapabilities.
func Check(ctx context.Context, via string, opt Options, dir string, required []Capability) Verdict {
	v := Verdict{Via: via, Tier: TierOf(via), AllowUnsafeHost: opt.AllowUnsafeHost}
	box, err := New(via, opt)
	v.Capabilities = untried("only native boxes are probed")
	if err == nil && box.Describe().Mounts {
		box, v.Capabilities, err = Prove(ctx, box, dir, append(RequiredCapabilities(), required...), All)
	}
	if missing := v.Capabilities.Missing(required); err == nil && len(missing) > 0 {
		err = &UnprovedError{Via: via, Missing: missing}
	}
	switch _, wrapped := box.(wrapper); {
	case is[*UnprovedError](err):
		v.Verdict, v.Reason = VerdictRefuse, err.Error()
	case err == nil && box.Describe().Proved:
		v.Verdict, v.AdequateForUntrusted, v.Tier = VerdictOK, true, box.Describe().Tier
		held := len(Capabilities()) - len(v.Capabilities.Missing(Capabilities()))
		v.Reason = fmt.Sprintf("proved on this machine by attempts to get out: %d of %d capabilities held, all required ones among them", held, len(Capabilities()))
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

// is reports whether an error of type T is in the chain.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
