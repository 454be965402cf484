package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Placeholders that tools which cannot hash leave in an envelope.
const (
	placeholderValue = "PARENT_FILLS_SHA256"
	placeholderSize  = "PARENT_FILLS_SIZE_BYTES"
)

// check is what one source says about the ledger. A skipped check has no
// verdict.
type check struct {
	verdict Verdict
	detail  string
}

// judgeIntegrity folds the checks: a mismatch beats everything, then what
// could not be verified.
func judgeIntegrity(checks ...check) (Verdict, string) {
	for _, v := range []Verdict{Mismatch, Unverifiable} {
		var details []string
		for _, c := range checks {
			if c.verdict == v {
				details = append(details, c.detail)
			}
		}
		if len(details) > 0 {
			return v, strings.Join(details, "; ")
		}
	}
	var details []string
	for _, c := range checks {
		details = append(details, c.detail)
	}
	return Verified, strings.Join(details, "; ")
}

// anyEnvelope is an envelope of whatever tool.
type anyEnvelope struct {
	Artifact struct {
		Path string `json:"path"`
	} `json:"artifact"`
	Integrity struct {
		Method string          `json:"method"`
		Value  string          `json:"value"`
		Size   json.RawMessage `json:"size_bytes"`
	} `json:"integrity"`
}

// checkEnvelope compares the ledger's bytes with what its envelope says.
func checkEnvelope(root *os.Root, ledger []byte) check {
	data, err := readRegular(root, EnvelopeFile, maxLedger)
	if errors.Is(err, fs.ErrNotExist) {
		return check{Unverifiable, "no envelope"}
	}
	if err != nil {
		return check{Unverifiable, fmt.Sprintf("envelope: %v", err)}
	}
	var env anyEnvelope
	if err := json.Unmarshal(data, &env); err != nil {
		return check{Unverifiable, fmt.Sprintf("envelope is no JSON that can be read: %v", err)}
	}
	switch in := env.Integrity; {
	case env.Artifact.Path != "" && path.Base(env.Artifact.Path) != LedgerFile:
		return check{Unverifiable, fmt.Sprintf("envelope is about %q, not %s", env.Artifact.Path, LedgerFile)}
	case in.Method != methodSHA256:
		return check{Unverifiable, fmt.Sprintf("envelope method is %q, not %s", in.Method, methodSHA256)}
	case in.Value == "":
		return check{Unverifiable, "envelope has no sha256"}
	case in.Value == placeholderValue:
		return check{Unverifiable, "envelope holds the placeholder " + placeholderValue}
	}
	sum := sha256.Sum256(ledger)
	if got := hex.EncodeToString(sum[:]); !strings.EqualFold(got, env.Integrity.Value) {
		return check{Mismatch, fmt.Sprintf("%s was changed after the run: sha256 is %s, the envelope says %s", LedgerFile, got, env.Integrity.Value)}
	}
	return checkSize(env.Integrity.Size, len(ledger))
}

func checkSize(raw json.RawMessage, size int) check {
	if len(raw) == 0 || string(raw) == "null" {
		return check{Verified, "sha256 matches envelope"}
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text == placeholderSize {
			return check{Unverifiable, "envelope holds the placeholder " + placeholderSize}
		}
		return check{Unverifiable, "envelope size_bytes is no number"}
	}
	var want json.Number
	if err := json.Unmarshal(raw, &want); err != nil {
		return check{Unverifiable, "envelope size_bytes is no number"}
	}
	if want.String() != fmt.Sprint(size) {
		return check{Mismatch, fmt.Sprintf("%s has %d bytes, the envelope says %s", LedgerFile, size, want)}
	}
	return check{Verified, "sha256 and size match envelope"}
}
