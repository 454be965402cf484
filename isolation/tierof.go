package isolation

import "strings"

// tierWords are looked for anywhere in a wrapper's command line, in this order.
// Callers of older tools rely on it: `firecracker-run` is a microvm.
var tierWords = []struct {
	tier  Tier
	words []string
}{
	{TierMicroVM, []string{"firecracker", "gvisor", "microvm", "e2b", "kata", "runsc"}},
	{TierContainer, []string{"docker", "podman", "nerdctl", "container", "lxc", "bwrap", "bubblewrap"}},
}

// TierOf infers the tier from the spelling of --via. It proves nothing.
func TierOf(via string) Tier {
	via = strings.TrimSpace(via)
	switch kindOf(via) {
	case kindAuto, kindNone:
		return TierNone
	case kindNative:
		return TierNative
	}
	lower := strings.ToLower(via)
	for _, row := range tierWords {
		for _, w := range row.words {
			if strings.Contains(lower, w) {
				return row.tier
			}
		}
	}
	return TierDelegated
}
