package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/isolation"
)

func (c Command) check() *cobra.Command {
	var via string
	var allowUnsafe, asJSON bool
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "say what isolation a command line would get, and whether loop would run in it",
		Example: "  patchvet check --via 'docker run --rm --network none -v \"$PWD:$PWD\" -w \"$PWD\" IMAGE sh -c'",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			v := isolation.Check(via, allowUnsafe)
			var err error
			if asJSON {
				err = printJSON(c.Stdout, v)
			} else {
				_, err = fmt.Fprintf(c.Stdout, "isolation: %s (tier %s)\n  %s\n", v.Verdict, v.Tier, v.Reason)
			}
			if err != nil {
				return err
			}
			if v.Verdict == isolation.VerdictRefuse {
				return exitWith(exitNotAccepted)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&via, "via", "", "isolation to look at: auto, none, or a wrapper's command line")
	f.BoolVar(&allowUnsafe, "allow-unsafe-host", false, "as for loop: run without isolation")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
