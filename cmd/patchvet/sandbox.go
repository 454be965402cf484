package main

import "github.com/spf13/cobra"

// sandbox is the group under the name that existing skills call, with their
// defaults: k 1, fresh context off, stop rules only mark, a judge's veto ends
// the run, a tree left by a failing hook is judged.
func (c Command) sandbox() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "check, run, loop and replay under the names and defaults of existing skills",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.loop(asEidolons), c.run(asEidolons), c.check(), c.replay())
	return cmd
}
