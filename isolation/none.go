package isolation

import (
	"context"
	"strings"
)

// none runs commands as plain processes of this machine. It isolates nothing;
// it keeps a command's environment, output, time and processes in order.
type none struct{}

func (none) Describe() Description { return Description{Via: "none", Tier: TierNone} }

func (none) Run(ctx context.Context, job Job) (Result, error) {
	return run(ctx, job, TierNone, func() (program, error) {
		if job.Command.Shell != "" {
			return program{path: shellPath(), args: shellArgs(job.Command.Shell)}, nil
		}
		path, err := lookPath(job.Command.Argv[0], job.Env, job.Dir)
		return program{path: path, args: job.Command.Argv, own: true}, err
	})
}

// shellArgs is the argv that runs a line. A line that starts like an option
// would be read as one without the marker; others go without it, as not every
// old shell knows it.
func shellArgs(line string) []string {
	if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
		return []string{"sh", "-c", "--", line}
	}
	return []string{"sh", "-c", line}
}
