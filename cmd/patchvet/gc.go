package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
)

// collectedRun is a row of gc --json.
type collectedRun struct {
	RunID string `json:"run_id"`
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Live  bool   `json:"live"` // a run that goes on: left alone
	Error string `json:"error"`
}

func (c Command) gc() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "remove what killed runs left in the cache; a run that goes on is never touched",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			root, err := gitops.CacheRoot()
			if err != nil {
				return err
			}
			isolation.Sweep()
			found, err := gitops.Collect(root)
			if err != nil {
				return err
			}
			return c.printCollected(found, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (c Command) printCollected(found []gitops.Collected, asJSON bool) error {
	rows, failed := []collectedRun{}, 0
	for _, f := range found {
		row := collectedRun{RunID: f.RunID, Path: f.Path, Bytes: f.Bytes, Live: f.Live}
		if f.Err != nil {
			row.Error = f.Err.Error()
			failed++
		}
		rows = append(rows, row)
	}
	if asJSON {
		if err := printJSON(c.Stdout, rows); err != nil {
			return err
		}
	} else if err := c.printCollectedText(rows); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d leftover(s) could not be removed: remove the folders above by hand", failed)
	}
	return nil
}

func (c Command) printCollectedText(rows []collectedRun) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(c.Stdout, "nothing to remove")
		return err
	}
	for _, r := range rows {
		what := "removed"
		switch {
		case r.Live:
			what = "live, left alone"
		case r.Error != "":
			what = "not removed (" + r.Error + ")"
		}
		if _, err := fmt.Fprintf(c.Stdout, "%s  %s  %d bytes\n", what, r.Path, r.Bytes); err != nil {
			return err
		}
	}
	return nil
}
