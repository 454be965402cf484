package isolation

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		via      string
		allow    bool
		tier     Tier
		adequate bool
		verdict  VerdictWord
	}{
		{"", true, TierNone, false, VerdictOverride},
		{"none", false, TierNone, false, VerdictRefuse},
		{"none", true, TierNone, false, VerdictOverride},
		{"docker run --rm IMG sh -c", false, TierContainer, true, VerdictOK},
		{"podman run IMG sh -c", true, TierContainer, true, VerdictOK},
		{"bwrap --dev-bind / / sh -c", false, TierContainer, true, VerdictOK},
		{"firecracker-run", false, TierMicroVM, true, VerdictOK},
		{"docker run --runtime runsc IMG sh -c", false, TierMicroVM, true, VerdictOK},
		{"ssh host", false, TierDelegated, true, VerdictOK},
		{"docker:IMG", false, TierContainer, false, VerdictRefuse},
		{"bwrap", true, TierContainer, false, VerdictRefuse},
		{"sh -c 'x", true, TierDelegated, false, VerdictRefuse},
	}
	for _, tt := range tests {
		t.Run(tt.via, func(t *testing.T) {
			v := Check(t.Context(), tt.via, Options{AllowUnsafeHost: tt.allow}, t.TempDir(), nil)
			if v.Via != tt.via || v.Tier != tt.tier || v.AdequateForUntrusted != tt.adequate || v.Verdict != tt.verdict || v.AllowUnsafeHost != tt.allow {
				t.Errorf("verdict %+v", v)
			}
			if !strings.Contains(v.Reason, "proved") {
				t.Errorf("reason %q does not say that nothing was proved", v.Reason)
			}
			if refuses := strings.Contains(v.Reason, "no adequate isolation"); refuses != (v.Verdict == VerdictRefuse) {
				t.Errorf("verdict %s, reason %q", v.Verdict, v.Reason)
			}
		})
	}
}

func TestVerdictFields(t *testing.T) {
	data, err := json.Marshal(Verdict{Via: "x", Tier: TierNone, Verdict: VerdictRefuse, Reason: "r", Capabilities: Table{{DiskBounded, NotHeld, "w"}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"via":"x","tier":"none","adequate_for_untrusted":false,"allow_unsafe_host":false,"verdict":"refuse","reason":"r","capabilities":[{"capability":"disk-bounded","held":"not-held","why":"w"}]}`
	if string(data) != want {
		t.Errorf("got %s", data)
	}
}
