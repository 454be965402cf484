package isolation

import (
	"context"
	"fmt"
)

// wrapper runs commands through a command line of the user's. sh parses that
// line in the job's folder, so quotes, $PWD and $(...) in it work; file name
// patterns do not (sh -f), as the folder's content is not the user's. The job's
// command follows it as one more argument, so the line must end in a shell that
// takes one: `docker run --rm -i IMAGE sh -c`.
//
// The wrapper itself gets the job's environment and nothing else. What it
// needs beyond, its line must set: `env HOME=/home/me podman run ...`.
type wrapper struct {
	via  string
	tier Tier
}

// ViaError says why a command line cannot work as a wrapper.
type ViaError struct {
	Via    string
	Reason string // what is wrong and what would be right
}

func (e *ViaError) Error() string { return fmt.Sprintf("--via %q: %s", e.Via, e.Reason) }

func newWrapper(via string) (Box, error) {
	if _, err := splitVia(via); err != nil {
		return nil, err
	}
	return wrapper{via: via, tier: TierOf(via)}, nil
}

func (w wrapper) Describe() Description { return Description{Via: w.via, Tier: w.tier} }

func (w wrapper) Run(ctx context.Context, job Job) (Result, error) {
	return run(ctx, job, w.tier, func() (program, error) {
		command := job.Command.Shell
		if command == "" {
			command = quoteArgv(job.Command.Argv)
		}
		return program{
			path: shellPath(),
			args: []string{"sh", "-f", "-c", "exec " + w.via + ` "$1"`, "patchvet", command},
		}, nil
	})
}
