package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// worktreeList is how the worktree differs from the index.
type worktreeList struct {
	remove []string // gone from the worktree, or no longer a file
	write  []string // changed, or new and not ignored
	old    []string // ids of the blobs that the changed files had
	nested []string // untracked nested repositories
	moved  []string // submodules at another commit than the index says
}

// listWorktree compares worktree and index with all objects at hand: whether
// a file counts as changed can depend on the blob that it was.
func (s *snapshotStore) listWorktree(ctx context.Context) (*worktreeList, error) {
	var complaints bytes.Buffer
	opt := RunOptions{Stderr: &complaints}
	// "dirty" compares a submodule's commit and starts nothing inside it.
	diff, err := s.git(ctx, s.sight, opt, "diff-files", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	list := &worktreeList{}
	if err := list.addRaw(diff); err != nil {
		return nil, err
	}
	others, err := s.git(ctx, s.sight, opt, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	if err := unreadable(complaints.String()); err != nil {
		return nil, err
	}
	list.addOthers(others, s.own)
	slices.Sort(list.nested)
	list.nested = slices.Compact(list.nested)
	return list, nil
}

// addRaw reads `git diff-files --raw -z`: ":oldmode SP newmode SP oldid SP
// newid SP status NUL path NUL" (git-diff-files(1), raw output format).
func (l *worktreeList) addRaw(out []byte) error {
	for len(out) > 0 {
		meta, rest, ok1 := bytes.Cut(out, []byte{0})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		word := strings.Split(string(meta), " ")
		if !ok1 || !ok2 || len(word) != 5 || !strings.HasPrefix(word[0], ":") || word[4] == "" || len(name) == 0 {
			return fmt.Errorf("git diff-files printed %q, not two modes, two ids, a status and a path", meta)
		}
		out = rest
		path, oldMode, newMode := string(name), word[0][1:], word[1]
		switch {
		case oldMode == modeGitlink && (newMode == modeGitlink || newMode == "000000"):
			l.moved = append(l.moved, path)
		case newMode == modeGitlink: // a file gave way to a nested repository
			l.remove = append(l.remove, path)
			l.nested = append(l.nested, path)
		case newMode == "000000":
			l.remove = append(l.remove, path)
		default:
			l.write = append(l.write, path)
			if isFile(oldMode) {
				l.old = append(l.old, word[2])
			}
		}
	}
	return nil
}

// addOthers reads `git ls-files --others -z`, where a nested repository ends
// in a slash and nothing else does. What lies in one of the own folders is
// passed over.
func (l *worktreeList) addOthers(out []byte, own []string) {
	for item := range bytes.SplitSeq(out, []byte{0}) {
		path, isRepository := strings.CutSuffix(string(item), "/")
		isOwn := slices.ContainsFunc(own, func(folder string) bool {
			return path == folder || strings.HasPrefix(path, folder+"/")
		})
		switch {
		case path == "" || isOwn:
		case isRepository:
			l.nested = append(l.nested, path)
		default:
			l.write = append(l.write, path)
		}
	}
}

// unreadable is the first complaint about something that git could not read
// and then passed over: with it the tree would not be what the user has. Any
// other text may be a filter's.
func unreadable(stderr string) error {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		for _, reason := range passedOver() {
			if strings.HasSuffix(line, ": "+reason) {
				what := strings.TrimPrefix(line, "warning: ")
				return errors.New(printable(what) + ": make it readable, or ignore it")
			}
		}
	}
	return nil
}

// passedOver are the reasons, in the C locale, for which git skips a file or
// folder with a message and goes on. That one is missing is no such reason.
func passedOver() []string {
	return []string{
		"Permission denied", "Operation not permitted", "Input/output error",
		"Too many levels of symbolic links", "File name too long", "Too many open files",
		"Stale file handle", "Cannot allocate memory", "Bad message", "Structure needs cleaning",
	}
}
