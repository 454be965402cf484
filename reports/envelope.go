package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Fixed words of the envelope.
const (
	envelopeVersion      = "1.0"
	envelopePerformative = "inform"
	envelopeSender       = "eidolons-sandbox"
	envelopeKind         = "loop-ledger"
	methodSHA256         = "sha256"
)

// Envelope is loop.json.envelope.json: what lets a reader of the ledger see
// that it is whole.
type Envelope struct {
	EnvelopeVersion string    `json:"envelope_version" jsonschema:"enum=1.0"`
	Performative    string    `json:"performative" jsonschema:"enum=inform"`
	Sender          Party     `json:"sender"`
	Receiver        Party     `json:"receiver"` // unknown to the sender: empty
	Artifact        Artifact  `json:"artifact"`
	Integrity       Integrity `json:"integrity"`
	Trace           Trace     `json:"trace"`
}

// Party names who sends or receives an envelope.
type Party struct {
	Eidolon string `json:"eidolon"`
	Version string `json:"version"`
}

// Artifact names what an envelope is about.
type Artifact struct {
	Kind string `json:"kind" jsonschema:"enum=loop-ledger"`
	Path string `json:"path" jsonschema:"enum=loop.json"` // relative to the envelope
}

// Integrity is the fingerprint of the artifact.
type Integrity struct {
	Method    string `json:"method" jsonschema:"enum=sha256"`
	Value     string `json:"value" jsonschema:"pattern=^[0-9a-f]{64}$"`
	SizeBytes int64  `json:"size_bytes" jsonschema:"minimum=0"`
}

// Trace says when and where the artifact was written.
type Trace struct {
	TS     string `json:"ts" jsonschema:"format=date-time"` // RFC 3339, UTC
	OutDir string `json:"out_dir"`
}

// Seal returns the envelope of a ledger's bytes. The version is that of the
// program that ran the loop, the time that of the end of the run.
func Seal(ledger []byte, version string, at time.Time, outDir string) Envelope {
	sum := sha256.Sum256(ledger)
	return Envelope{
		EnvelopeVersion: envelopeVersion,
		Performative:    envelopePerformative,
		Sender:          Party{Eidolon: envelopeSender, Version: version},
		Artifact:        Artifact{Kind: envelopeKind, Path: LedgerFile},
		Integrity:       Integrity{Method: methodSHA256, Value: hex.EncodeToString(sum[:]), SizeBytes: int64(len(ledger))},
		Trace:           Trace{TS: at.UTC().Format(time.RFC3339), OutDir: outDir},
	}
}
