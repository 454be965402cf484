package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/reports"
)

func (c Command) replay() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "replay DIR",
		Short:   "read the account of a run back and check its integrity; runs nothing",
		Example: "  patchvet replay .patchvet/runs/0198c2f0-…",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("replay needs one run folder: %s DIR", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := reports.Replay(args[0])
			if err != nil {
				return &codeError{exitUsage, err}
			}
			if asJSON {
				err = printJSON(c.Stdout, r)
			} else {
				_, err = fmt.Fprint(c.Stdout, reports.RenderReplay(r))
			}
			if err != nil {
				return err
			}
			if r.Integrity == reports.Mismatch {
				return exitWith(exitMismatch)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
