package isolation

// Tier is the word that callers of older tools read; it is inferred from the
// spelling of --via and decides nothing.
type Tier string

// The tiers.
const (
	TierNone      Tier = "none"
	TierDelegated Tier = "delegated"
	TierContainer Tier = "container"
	TierMicroVM   Tier = "microvm"
	TierNative    Tier = "native"
)
