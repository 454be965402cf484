package isolation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/patchvet/patchvet/isolation/attempt"
)

// What a probe's box is bounded by, and what is tried against that.
const (
	probePIDs   = 40
	probeForks  = 56
	probeMemory = 128 << 20
	probeUse    = 192 << 20
	probeTime   = 20 * time.Second
	probeFile   = int64(largestFile) + 1
)

// Prove makes real attempts to get out of a native box, through the path that
// every later command takes, and judges them by what happened outside. It
// returns the box, with Proved set when the required capabilities held, and
// what it saw. dir is a folder like those of the commands to come.
//
// Other back-ends are returned as they are, with a table in which nothing was
// tried: a wrapper's commands cannot be given this binary.
//
// The error is an *UnprovedError, or wraps ErrNotStarted, or is ctx.Err().
func Prove(ctx context.Context, box Box, dir string, required []Capability, attempts Attempts) (Box, Table, error) {
	n, ok := box.(*native)
	if !ok {
		return box, untried("only native boxes are probed"), nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	table, err := n.probe(ctx, dir, attempts == All || slices.Contains(required, MemoryBounded))
	switch {
	case errors.Is(err, context.Canceled):
		return nil, nil, err
	case err != nil:
		return nil, untried("the box could not be made"), &UnprovedError{Via: viaNative, Err: err}
	}
	if missing := table.Missing(required); len(missing) > 0 {
		return nil, table, &UnprovedError{Via: viaNative, Missing: missing}
	}
	proved := *n
	proved.proved = true
	return &proved, table, nil
}

// probe runs the attempts in one box, and beside it the box of a patchvet that
// is killed.
func (n *native) probe(ctx context.Context, dir string, memory bool) (Table, error) {
	place, err := os.MkdirTemp(dir, ".patchvet-probe-")
	if err != nil {
		return nil, fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	defer os.RemoveAll(place)
	bait, err := setBait(place)
	if err != nil {
		return nil, fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	defer bait.close()
	orphan := make(chan Finding, 1)
	go func() { orphan <- n.probeParent(ctx, filepath.Join(place, "orphan")) }()

	room := filepath.Join(place, "room")
	plan := bait.plan(probeRoom)
	if !memory {
		plan.Memory = 0
	}
	job, err := attemptJob(place, room, plan)
	if err != nil {
		return nil, fmt.Errorf("%w: prepare the probe: %w", ErrNotStarted, err)
	}
	// The network is denied to the role of the probe, as to every verifier; a
	// role that was given it is not what is proved.
	quiet := *n
	quiet.opt.Network = nil
	result, err := quiet.Run(ctx, job)
	killed := <-orphan
	if err != nil {
		return nil, err
	}
	findings, err := readFindings(room)
	if err != nil {
		return nil, fmt.Errorf("%w: the probe in the box did not come to its end: %s, exit code %d, the output ends in %q", ErrNotStarted, result.Class, result.ExitCode, LastLine(job.Log, 200))
	}
	return n.judge(bait, room, job, findings, result, killed), nil
}

// probeRoom is where the probe's folder stands in its box.
const probeRoom = "/patchvet/probe/room"

// probeProgram is where this binary stands in the box of a probe.
const probeProgram = "/patchvet/probe/program"

// attemptJob is a job that tries a plan with this binary.
func attemptJob(place, room string, plan attempt.Plan) (Job, error) {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return Job{}, err
	}
	if err := os.Mkdir(room, 0o755); err != nil {
		return Job{}, err
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return Job{}, err
	}
	return Job{
		Role:    RoleVerify,
		Command: Command{Argv: []string{probeProgram, attempt.Name, string(text)}},
		Dir:     probeRoom,
		Mounts:  []Mount{{Source: room, Target: probeRoom}, {Source: self, Target: probeProgram, ReadOnly: true}},
		Env:     Environ(RoleVerify, os.Environ(), []string{"HOME=" + nativeHome, "TMPDIR=" + nativeTmp}),
		Limits:  Limits{Timeout: probeTime, MaxOutput: 1 << 20, PIDs: probePIDs, Memory: probeMemory},
		Log:     filepath.Join(place, filepath.Base(room)+".log"),
	}, nil
}

// readFindings reads what the inside wrote: a plain file of a bounded size,
// and no link to one of the machine's.
func readFindings(room string) (attempt.Findings, error) {
	var f attempt.Findings
	data, err := readRoom(room, attempt.FindingsFile)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	if !f.Ended {
		return f, errors.New("it did not end")
	}
	return f, nil
}

func readRoom(room, name string) ([]byte, error) {
	root, err := os.OpenRoot(room)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}

// hasSecret says whether what the inside saw holds the bait.
func hasSecret(room, log, token string) bool {
	for _, name := range []string{attempt.EnvironFile, attempt.ProcessFile, attempt.FindingsFile} {
		if data, err := readRoom(room, name); err == nil && strings.Contains(string(data), token) {
			return true
		}
	}
	data, err := os.ReadFile(log)
	return err != nil || strings.Contains(string(data), token)
}
