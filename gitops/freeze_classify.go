package gitops

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// classify sorts what the walk met: kept as it was, edit of T, debris,
// rejected. The bytes of changed files are not read yet.
func (f *freezer) classify(ctx context.Context) error {
	nested := map[string]bool{} // folders with a .git of their own
	filled := map[string]bool{} // folders with anything in them
	for _, n := range f.now.nodes {
		dir, name := path.Split(n.path)
		filled[strings.TrimSuffix(dir, "/")] = true
		if name == ".git" {
			nested[strings.TrimSuffix(dir, "/")] = true
		}
	}
	var unknown []*node // new, and so perhaps ignored
	refused := map[*node]Rejection{}
	for _, n := range f.now.nodes {
		if dir := path.Dir(n.path); dir != "." && f.blocked[dir] {
			f.blocked[n.path] = true
			continue
		}
		_, inStart := f.start[n.path]
		_, inBase := f.sealed.entries[n.path]
		rule, reason := f.refusal(n, nested[n.path], filled[n.path])
		switch {
		case rule != "" && (inStart || inBase || f.isFolder(n.path)):
			f.reject(n.path, rule, reason)
		case rule != "":
			f.blocked[n.path] = true
			refused[n] = Rejection{Path: n.path, Rule: rule, Reason: reason}
			unknown = append(unknown, n)
		case n.kind == nodeFolder:
		case inStart || inBase:
			if err := f.tracked(n); err != nil {
				return err
			}
		default:
			unknown = append(unknown, n)
		}
	}
	if err := f.sift(ctx, unknown, refused); err != nil {
		return err
	}
	f.findDeleted()
	return nil
}

// refusal is the rule that keeps a node out of T, "" for none.
func (f *freezer) refusal(n *node, nested, filled bool) (rule, reason string) {
	name := path.Base(n.path)
	old := f.room.manifest.byPath[n.path]
	switch {
	case errors.Is(n.err, errTooLong):
		return RuleTooLong, "Its path has more than 4095 bytes, which no program can open."
	case f.gitlink(n.path) && (n.kind != nodeFolder || n.err != nil || filled):
		return RuleGitlink, "It is the place of a submodule, which is left alone: the folder must stay empty."
	case n.err != nil:
		return RuleUnreadable, "It cannot be read: " + plain(n.err) + "."
	case old == nil && gitTwin(name):
		return RuleGitTwin, "Some file systems take this name for .git, and git refuses it."
	case n.kind == nodeFolder && nested:
		return RuleNested, "The folder holds a repository of its own: nothing in it can be part of the candidate."
	case n.kind == nodeSpecial:
		return RuleSpecial, "It is a " + typeWord(n.mode) + ", which git cannot store."
	case n.kind == nodeLink && modulesTwin(name) && (old == nil || !n.sameBytes(old)):
		return RuleGitTwin, "Git refuses a symbolic link in the place of .gitmodules."
	case n.kind == nodeFile && n.links > 1 && (old == nil || old.links <= 1):
		return RuleHardLink, "It is a hard link: the same bytes have another name, through which they can change unseen."
	}
	return "", ""
}

// gitlink says whether the room's tree has a submodule at a path.
func (f *freezer) gitlink(p string) bool { return f.start[p].mode == modeGitlink }

// tracked looks at a file or link that the room's tree or the base has.
func (f *freezer) tracked(n *node) error {
	old, entry := f.room.manifest.byPath[n.path], f.start[n.path]
	if n.special() != 0 && (old == nil || n.special() != old.special()) {
		f.suspect(n.path, specialReason)
	}
	if old == nil || entry.mode == "" || !n.sameBytes(old) {
		return f.accept(n)
	}
	if isFile(entry.mode) && n.executable() != old.executable() {
		f.edits[n.path] = edit{path: n.path, mode: fileMode(n.executable()), id: entry.id}
	}
	return nil
}

const specialReason = "It has a setuid, setgid or sticky bit, which git does not store."

// accept makes a changed or new file or link part of T.
func (f *freezer) accept(n *node) error {
	if n.kind == nodeFile {
		f.files = append(f.files, n)
		return nil
	}
	return f.acceptLink(n.path, n.target)
}

// sift divides what is new into debris, rejected and part of T.
func (f *freezer) sift(ctx context.Context, unknown []*node, refused map[*node]Rejection) error {
	asked := make([]string, 0, len(unknown))
	for _, n := range unknown {
		asked = append(asked, question(n))
	}
	ignored, err := f.sealed.rules.ignored(ctx, asked)
	if err != nil {
		return err
	}
	for i, n := range unknown {
		r, isRefused := refused[n]
		switch {
		case ignored[asked[i]] || f.sealed.debris.is(asked[i]):
			p := n.path
			if n.kind == nodeFolder {
				p += "/"
			}
			f.debris = append(f.debris, p)
		case isRefused:
			f.reject(r.Path, r.Rule, r.Reason)
		default:
			if n.special() != 0 {
				f.suspect(n.path, specialReason)
			}
			if err := f.accept(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// question is the path by which ignore rules are asked for a node: of a
// folder that is left out as a whole, something in it.
func question(n *node) string {
	p := n.path
	for len(p) > maxPath/2 { // git could not open it either
		p = path.Dir(p)
	}
	if n.kind == nodeFolder || p != n.path {
		p += "/.git"
	}
	return p
}

func fileMode(executable bool) string {
	if executable {
		return modeExec
	}
	return modeFile
}

// typeWord names what git cannot store.
func typeWord(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "fifo"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// plain is an error of the file system without the path, which is told apart.
func plain(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return printable(err.Error())
}
