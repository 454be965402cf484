package isolation

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/patchvet/patchvet/isolation/attempt"
	"github.com/patchvet/patchvet/isolation/launcher"
)

// deathTime is how long what must be dead may take to be it.
const deathTime = time.Second

// judge turns what happened into the table.
func (n *native) judge(b *bait, room string, job Job, f attempt.Findings, r Result, orphan Finding) Table {
	row := func(c Capability, held bool, yes, no string) Finding {
		if held {
			return Finding{c, Held, yes}
		}
		return Finding{c, NotHeld, no}
	}
	changed, reached := b.changed(), b.reached()
	seen := hasSecret(room, job.Log, b.token)
	lives := b.victimLives()
	extra := extraVariables(room, job.Env)
	broken := brokenControls(f)
	gained := gainedPrivileges(f)
	table := Table{
		row(WritesConfined, changed == "", "a folder outside was written to by name, by link and by /proc: nothing changed", changed),
		row(ReadsConfined, !seen, "a file, arguments and an environment outside were looked for: none was seen", "a secret of the machine was read"),
		row(ParentHidden, lives && !seen, "a process outside was looked for and signalled: it was not found", "a process outside was seen or ended"),
		row(NetworkDenied, len(reached) == 0, "servers outside were dialled (tcp, udp, unix, abstract unix): none was reached", "servers outside were reached: "+strings.Join(reached, ", ")),
		n.pidsContained(f, room, row),
		orphan,
		n.memoryBounded(f),
		{CPUBounded, NotTried, "no share of the processors is set; --timeout bounds every command"},
		row(PIDsBounded, f.Started < probeForks && f.Started > 0, fmt.Sprintf("%d of %d processes could be started, the bound was %d", f.Started, probeForks, probePIDs), "all processes could be started: "+n.groupsMissing()),
		{DiskBounded, NotHeld, diskReason(f)},
		row(SecretsAbsent, !seen && len(extra) == 0, "only the job's variables were there", "variables beyond the job's were there: "+strings.Join(extra, ", ")),
		row(NoNewPrivileges, gained == "", noPrivileges(), gained),
		row(CommandsWork, broken == "", "wrote in the room and /tmp, used a loopback server and a unix socket of its own, ran git", broken),
	}
	_ = r
	return table
}

func (n *native) pidsContained(f attempt.Findings, room string, row func(Capability, bool, string, string) Finding) Finding {
	if !f.Lingering {
		return Finding{PIDsContained, NotTried, "no process could be left behind to look for"}
	}
	return row(PIDsContained, lockFree(filepath.Join(room, attempt.LingerFile), deathTime),
		"a process in a session of its own was left behind: it was dead when the command had ended", "a process outlived the command")
}

func (n *native) memoryBounded(f attempt.Findings) Finding {
	switch {
	case f.Memory == "killed":
		return Finding{MemoryBounded, Held, "a process above the bound was killed"}
	case f.Memory == "" && n.groups.memory != "":
		return Finding{MemoryBounded, NotTried, "a control group bounds it; `patchvet check` tries whether it does"}
	}
	return Finding{MemoryBounded, NotHeld, "a process above the bound lives: " + n.groupsMissing()}
}

func (n *native) groupsMissing() string {
	return "no control group can be made here (cgroups(7)): run as root, or in a session of systemd that delegates memory and pids"
}

func diskReason(f attempt.Findings) string {
	if f.Large {
		return "a file above the bound could be made"
	}
	return fmt.Sprintf("one file is bounded (%d MiB), and so are /tmp, HOME and /dev/shm; the room's files together are not", largestFile>>20)
}

// extraVariables names what was in an environment beyond the job's own.
func extraVariables(room string, env []string) []string {
	data, err := readRoom(room, attempt.EnvironFile)
	if err != nil {
		return []string{"unknown: " + err.Error()}
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		name, _, ok := strings.Cut(line, "=")
		given := slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		if ok && !given && !strings.Contains(strings.Join(env, "\n"), strings.TrimSpace(line)) {
			out = append(out, name)
		}
	}
	return out
}

// brokenControls says which harmless thing failed, or "".
func brokenControls(f attempt.Findings) string {
	var out []string
	for name, err := range f.Controls {
		if err != "" {
			out = append(out, name+": "+err)
		}
	}
	if len(f.Controls) == 0 {
		out = append(out, "nothing was tried")
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// gainedPrivileges says what the command has or could get, or "".
func gainedPrivileges(f attempt.Findings) string {
	var out []string
	if f.Root {
		out = append(out, "it runs as user 0")
	}
	for name, want := range map[string]string{"NoNewPrivs": "1", "Seccomp": "2"} {
		if f.Status[name] != want {
			out = append(out, fmt.Sprintf("%s is %q", name, f.Status[name]))
		}
	}
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if value := f.Status[name]; value == "" || strings.Trim(value, "0") != "" {
			out = append(out, fmt.Sprintf("%s is %q", name, value))
		}
	}
	for name, worked := range f.Calls {
		if worked {
			out = append(out, name+" worked")
		}
	}
	if len(f.Calls) == 0 {
		out = append(out, "nothing was tried")
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func noPrivileges() string {
	text := "no root, no capabilities, system calls filtered"
	if abi := launcher.LandlockABI(); abi > 0 {
		return fmt.Sprintf("%s, Landlock version %d", text, abi)
	}
	return text + "; this kernel has no Landlock, which is a second fence only"
}
