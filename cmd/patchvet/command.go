package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Command is the program as a value: what it reads and where it writes.
//
// Rules of what is printed: stdout is output (the summary, or one JSON
// document with --json); everything else goes to stderr. An error is one line,
// "patchvet: " in front, that says what was wrong, where, and what would be right.
type Command struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string
	Version string
}

// Main runs the program and returns its exit code. args[0] is the name that it
// was started under.
func (c Command) Main(args []string) int {
	if err := sealArguments(args); err != nil {
		fmt.Fprintln(c.Stderr, "patchvet:", err)
		return exitInternal
	}
	defer keepRunningWithoutReader()()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	root := c.root(args[0])
	root.SetArgs(args[1:])
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil && exitCode(err) != exitCancelled {
		err = &codeError{exitCancelled, errors.New("cancelled")}
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintf(c.Stderr, "%s: %s\n", root.Name(), oneLine(err.Error()))
	}
	return exitCode(err)
}

// root builds the command tree. Under the name eidolons only the sandbox group
// is there, as callers of that harness expect.
func (c Command) root(argv0 string) *cobra.Command {
	name := strings.TrimSuffix(filepath.Base(argv0), ".exe")
	root := &cobra.Command{
		Use:           "patchvet",
		Short:         "vet a patch before anyone has to trust it",
		Long:          rootHelp,
		Version:       c.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	})
	if name == "eidolons" {
		root.Use = name
		root.AddCommand(c.sandbox())
		return root
	}
	root.AddCommand(c.loop(native), c.run(native), c.check(), c.replay(), c.gc(), c.version(), c.sandbox())
	root.InitDefaultCompletionCmd()
	return root
}

const rootHelp = `patchvet runs an edit-run-test loop so that cheating does not pay: it proves
that the test fails on the base, lets a fix hook edit in a room of its own,
freezes what the hook left and judges exactly that tree in a clean copy. It
never touches your worktree: the result is a diff and the evidence for it.`

// caller says whose defaults a command has.
type caller int

const (
	native     caller = iota
	asEidolons        // the names "sandbox" and "eidolons"
)

// noArguments refuses positional arguments and names the subcommand that was
// probably meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return usagef("unknown command %q; see %s --help", args[0], cmd.CommandPath())
	}
	return usagef("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())
}

// oneLine keeps a message on one line: what a child printed may have many.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " | ")
}
