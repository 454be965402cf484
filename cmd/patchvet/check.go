package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/patchvet/patchvet/gitops"
	"github.com/patchvet/patchvet/isolation"
)

func (c Command) check() *cobra.Command {
	var box boxOptions
	var asJSON bool
	var require []string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "say what isolation a command line would get, and whether loop would run in it",
		Long: `Say what isolation a command line would get, and whether loop would run in it.
Of native isolation (--via native, on Linux) every capability is tried on this
machine, by real attempts to get out of a box.`,
		Example: "  patchvet check --via native\n" +
			"  patchvet check --via 'docker run --rm --network none -v \"$PWD:$PWD\" -w \"$PWD\" IMAGE sh -c'",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			required, err := isolation.ParseCapabilities(require)
			if err != nil {
				return usagef("--require: %w", err)
			}
			v, err := c.checkBox(cmd.Context(), box, required)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(c.Stdout, v)
			} else {
				_, err = fmt.Fprint(c.Stdout, checkText(v))
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
	f.StringVar(&box.via, "via", "", "isolation to look at: auto, native, none, or a wrapper's command line")
	f.BoolVar(&box.allowUnsafe, "allow-unsafe-host", false, "as for loop: run without isolation")
	f.StringSliceVar(&require, "require", nil, "capabilities that must hold too, by their names in the table")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// checkBox judges a box, in a folder beside those where rooms are.
func (c Command) checkBox(ctx context.Context, o boxOptions, required []isolation.Capability) (isolation.Verdict, error) {
	options, err := c.isolationOptions(&o, nil, "")
	if err != nil {
		return isolation.Verdict{}, err
	}
	dir, err := gitops.CacheRoot()
	if err != nil {
		return isolation.Verdict{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return isolation.Verdict{}, fmt.Errorf("make a folder for the probe: %w", err)
	}
	return isolation.Check(ctx, o.via, options, dir, required), nil
}

// marks stand for the answers of a probe in text.
var marks = map[isolation.HeldWord]string{isolation.Held: "✓", isolation.NotHeld: "✗", isolation.NotTried: "?"}

// checkText is the verdict for people. The table is there when something was tried.
func checkText(v isolation.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "isolation: %s (tier %s)\n  %s\n", v.Verdict, v.Tier, v.Reason)
	tried := false
	for _, f := range v.Capabilities {
		tried = tried || f.Held != isolation.NotTried
	}
	if !tried {
		return b.String()
	}
	for _, f := range v.Capabilities {
		fmt.Fprintf(&b, "  %s %-18s %s\n", marks[f.Held], f.Capability, f.Why)
	}
	return b.String()
}
