package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// flagKind is what a wrapper's flag does with the path that follows it.
type flagKind int

const (
	flagVolume  flagKind = iota + 1 // SOURCE:DESTINATION[:OPTIONS]; a lone path is a volume without a source
	flagBind                        // SOURCE[:DESTINATION[:OPTIONS]], or SOURCE and the next word is DESTINATION
	flagMount                       // source=SOURCE,target=DESTINATION,...
	flagWorkdir                     // the folder in which the command runs
)

// wrapperFlags are those of docker, podman, nerdctl, bwrap, apptainer, nsjail,
// systemd-nspawn and env that mount a folder of the machine or enter one.
var wrapperFlags = map[string]flagKind{
	"-v": flagVolume, "--volume": flagVolume,
	"-B": flagBind, "--bindmount": flagBind, "-R": flagBind, "--bindmount_ro": flagBind,
	"--bind": flagBind, "--bind-try": flagBind,
	"--ro-bind": flagBind, "--ro-bind-try": flagBind, "--bind-ro": flagBind,
	"--dev-bind": flagBind, "--dev-bind-try": flagBind,
	"--mount": flagMount,
	"-w":      flagWorkdir, "--workdir": flagWorkdir, "--cwd": flagWorkdir, "--pwd": flagWorkdir,
	"-C": flagWorkdir, "--chdir": flagWorkdir, "--working-directory": flagWorkdir,
}

// mounted is one folder of the machine that a wrapper shows to the command.
type mounted struct{ source, destination string }

// WrapperNames says whether a wrapper's command line would run commands in the
// folder root itself instead of the room: because it names root as the source
// of a volume or bind, or enters root without having mounted another folder
// there. It returns the words that do so.
//
// A wrapper must name the room as $PWD. Mounting the room at the path of root
// is fine, as is a wrapper script that lies inside root.
func WrapperNames(via, root string) (words string, names bool) {
	if kindOf(strings.TrimSpace(via)) != kindWrapper {
		return "", false
	}
	split, err := splitVia(via)
	if err != nil {
		return "", false
	}
	var mounts []mounted
	var entered []string
	for i := 1; i < len(split); i++ {
		flag, value, inline := wrapperFlag(split[i].text)
		spelled, rest := split[i].raw, split[i+1:]
		if flag != 0 && !inline {
			if len(rest) == 0 {
				break
			}
			value = rest[0].text
			spelled, rest = spelled+" "+rest[0].raw, rest[1:]
		}
		m, ok := mountOf(flag, value, rest)
		if ok && samePath(m.source, root) {
			return spelled, true
		}
		if ok {
			mounts = append(mounts, m)
		}
		if flag == flagWorkdir && within(value, root) {
			entered = append(entered, value)
		}
	}
	for _, dir := range entered {
		if !slices.ContainsFunc(mounts, func(m mounted) bool { return m.covers(dir) }) {
			return dir, true
		}
	}
	return "", false
}

// mountOf reads a flag's value; the words behind it may hold a destination.
func mountOf(flag flagKind, value string, rest []word) (m mounted, ok bool) {
	source, tail, colon := strings.Cut(value, ":")
	destination, _, _ := strings.Cut(tail, ":")
	switch flag {
	case flagVolume:
		return mounted{source, destination}, colon
	case flagBind:
		if !colon && len(rest) > 0 {
			destination = rest[0].text
		}
		return mounted{source, destination}, true
	case flagMount:
		for _, field := range strings.Split(value, ",") {
			switch key, path, _ := strings.Cut(field, "="); key {
			case "source", "src":
				m.source = path
			case "target", "dst", "destination":
				m.destination = path
			}
		}
		return m, true
	}
	return m, false
}

// covers says whether a path shows something else under this mount.
func (m mounted) covers(path string) bool {
	return within(path, m.destination) && filepath.Clean(m.source) != filepath.Clean(m.destination)
}

// wrapperFlag reads `--flag`, `--flag=value`, `-f`, `-fvalue` and `-xyf`. The
// value is inline when it is part of the word.
func wrapperFlag(text string) (kind flagKind, value string, inline bool) {
	if strings.HasPrefix(text, "--") {
		name, value, inline := strings.Cut(text, "=")
		return wrapperFlags[name], value, inline
	}
	if len(text) < 2 || text[0] != '-' {
		return 0, "", false
	}
	for i := 1; i < len(text); i++ {
		kind := wrapperFlags["-"+text[i:i+1]]
		rest := strings.TrimPrefix(text[i+1:], "=")
		switch {
		case kind != 0 && rest == "":
			return kind, "", false
		case kind != 0 && strings.HasPrefix(rest, "/"):
			return kind, rest, true
		}
	}
	return 0, "", false
}

// samePath compares by spelling and, where both exist, by identity.
func samePath(a, b string) bool {
	if !filepath.IsAbs(a) || !filepath.IsAbs(b) {
		return false // relative to the room
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// within says whether a path is a folder or lies in it.
func within(path, dir string) bool {
	if !filepath.IsAbs(path) || dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, filepath.Clean(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
