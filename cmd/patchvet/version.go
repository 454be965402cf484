package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (c Command) version() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				OS      string `json:"os"`
				Arch    string `json:"arch"`
			}{c.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH}
			if asJSON {
				return printJSON(c.Stdout, v)
			}
			_, err := fmt.Fprintf(c.Stdout, "patchvet %s (%s, %s/%s)\n", v.Version, v.Go, v.OS, v.Arch)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
