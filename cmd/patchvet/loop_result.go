package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/patchvet/patchvet/loop"
	"github.com/patchvet/patchvet/reports"
)

// conclude writes the reports and prints the summary or the ledger.
func (c Command) conclude(o *loopOptions, folder runFolder, end loop.RunFinished) error {
	run, err := writeReports(folder.path)
	if err != nil {
		return fmt.Errorf("write the reports of %s: %w", folder.name, err)
	}
	if o.json {
		err = c.printLedger(run.Ledger)
	} else {
		_, err = fmt.Fprint(c.Stdout, reports.Summary(run))
	}
	if err != nil && !isReaderGone(err) {
		return fmt.Errorf("print the result: %w", err)
	}
	return exitWith(outcomeCode(end.Final))
}

// writeReports reads the journal back, so that the reports say what it says
// and nothing else.
func writeReports(dir string) (reports.Run, error) {
	f, err := os.Open(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		return reports.Run{}, err
	}
	defer f.Close()
	events, err := loop.ReadJournal(f)
	if err != nil {
		return reports.Run{}, err
	}
	in := reports.Input{Events: events}
	for name, data := range map[string]*[]byte{"candidate.diff": &in.Diff, "last-output.txt": &in.LastOutput} {
		if *data, err = os.ReadFile(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return reports.Run{}, err
		}
	}
	if err := reports.WriteAll(dir, in); err != nil {
		return reports.Run{}, err
	}
	return reports.ReadRun(events)
}

// printLedger prints the bytes that loop.json has.
func (c Command) printLedger(l reports.Ledger) error {
	data, err := reports.EncodeLedger(l)
	if err != nil {
		return err
	}
	_, err = c.Stdout.Write(data)
	return err
}
