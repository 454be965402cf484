package reports

import (
	"errors"
	"fmt"
	"os"

	"github.com/patchvet/patchvet/loop"
)

// Input is what the reports of a run are made from.
type Input struct {
	Events     []loop.Event
	Diff       []byte // of candidate.diff; nil when there is none
	LastOutput []byte // of the last failure, free of secrets; nil when there is none
}

// document is one file of the run folder.
type document struct {
	name string
	data []byte
}

// WriteAll writes what a finished run leaves besides its journal and evidence:
// the report (hand-off or completion), summary.md, results.tsv, junit.xml,
// loop.json and its envelope, in this order, so that a ledger never stands
// without what it names. Each file appears whole or not at all. Every file is
// made before the first is written: an error that wraps ErrUnfinished, or an
// *EvidenceError, means that nothing was written.
func WriteAll(dir string, in Input) error {
	docs, err := documents(in)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the run folder: %w", err)
	}
	defer root.Close()
	for _, d := range docs {
		if err := writeAtomic(root, d.name, d.data); err != nil {
			return fmt.Errorf("write %s: %w", d.name, err)
		}
	}
	return syncRoot(root)
}

func documents(in Input) ([]document, error) {
	r, err := ReadRun(in.Events)
	if err != nil {
		return nil, err
	}
	report, reportErr := report(r, in)
	junit, junitErr := JUnit(r)
	ledger, ledgerErr := EncodeLedger(r.Ledger)
	envelope, envelopeErr := encodeDocument(Seal(ledger, r.Ledger.Tool.Version, r.Finished, r.Ledger.OutDir))
	if err := errors.Join(reportErr, junitErr, ledgerErr, envelopeErr); err != nil {
		return nil, fmt.Errorf("make the reports of run %s: %w", r.Ledger.RunID, err)
	}
	return []document{
		report,
		{SummaryFile, SummaryMarkdown(r)},
		{ResultsFile, Results(r.Ledger)},
		{JUnitFile, junit},
		{LedgerFile, ledger},
		{EnvelopeFile, envelope},
	}, nil
}

// report returns the one report that fits the outcome.
func report(r Run, in Input) (document, error) {
	if r.Ledger.Final == loop.Passed {
		data, err := Completion(r, in.Diff)
		return document{CompletionFile, data}, err
	}
	data, err := Handoff(r, in.LastOutput)
	return document{HandoffFile, data}, err
}
