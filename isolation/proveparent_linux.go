package isolation

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/patchvet/patchvet/isolation/attempt"
)

// doomedName is argv[0] of a patchvet that runs one box until it is killed.
const doomedName = "patchvet: doomed"

// doomedJob is what it reads from its standard input.
type doomedJob struct {
	UID, GID int
	Job      Job
}

// doomed runs the job of standard input.
func doomed() {
	var d doomedJob
	if err := json.NewDecoder(os.Stdin).Decode(&d); err != nil {
		return
	}
	box, err := newNative(NativeOptions{})
	if err != nil {
		return
	}
	n := box.(*native)
	n.uid, n.gid = d.UID, d.GID
	_, _ = n.Run(context.Background(), d.Job)
}

// probeParent starts another patchvet that runs a box, kills it as nothing
// could stop it from being killed, and looks for what is left.
func (n *native) probeParent(ctx context.Context, place string) Finding {
	untried := func(err error) Finding { return Finding{KilledWithParent, NotTried, err.Error()} }
	if err := os.Mkdir(place, 0o755); err != nil {
		return untried(err)
	}
	room := filepath.Join(place, "room")
	job, err := attemptJob(place, room, attempt.Plan{Linger: true, Room: probeRoom})
	if err != nil {
		return untried(err)
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Env = []string{doomedName}, []string{"GOGC=off"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := cmd.StdinPipe()
	if err != nil {
		return untried(err)
	}
	if err := cmd.Start(); err != nil {
		return untried(err)
	}
	alive, ended := context.WithCancel(ctx)
	go func() {
		_ = cmd.Wait()
		ended()
	}()
	err = json.NewEncoder(input).Encode(doomedJob{UID: n.uid, GID: n.gid, Job: job})
	file := filepath.Join(room, attempt.LingerFile)
	started := err == nil && lockHeld(alive, file)
	_ = cmd.Process.Kill()
	<-alive.Done()
	dead := started && lockFree(file, deathTime)
	n.groups.removeOf(cmd.Process.Pid)
	switch {
	case !started:
		return Finding{KilledWithParent, NotTried, "a box for it could not be started"}
	case dead:
		return Finding{KilledWithParent, Held, "another patchvet was killed while its box ran: the command died with it"}
	}
	return Finding{KilledWithParent, NotHeld, "another patchvet was killed while its box ran: the command lived on"}
}

// lockHeld waits until somebody has the lock of a file.
func lockHeld(ctx context.Context, path string) bool {
	for ctx.Err() == nil {
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 && !lockFree(path, 0) {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
