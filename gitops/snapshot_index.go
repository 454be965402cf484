package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// copyIndex copies the worktree's index; a repository without one has an
// empty index. The copy keeps the modification time: git tells by it which
// entries may have changed within the tick of the clock in which the index was
// written ("racy git"), and with a later time it would miss them.
//
// A split index names a shared one beside it, and a sparse index names trees.
// Both are written out as a plain index; a wrong guess that the index is
// sparse costs one git call.
func (s *snapshotStore) copyIndex(ctx context.Context) error {
	if err := copyFile(filepath.Join(s.repo.GitDir, "index"), s.index); err != nil {
		return err
	}
	data, err := os.ReadFile(s.index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	shared, err := s.repo.sharedIndexes()
	if err != nil || len(shared) == 0 && !bytes.Contains(data, []byte("sdir")) {
		return err
	}
	_, err = s.git(ctx, s.sight, RunOptions{}, "update-index", "--no-split-index", "--force-write-index")
	return err
}

func (r *Repository) sharedIndexes() ([]string, error) {
	entries, err := os.ReadDir(r.GitDir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "sharedindex.") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// indexList is what the index itself says.
type indexList struct {
	unmerged []string
	gitlinks []string
	flagged  []string // assume-unchanged or skip-worktree
}

// listIndex reads the copy.
func (s *snapshotStore) listIndex(ctx context.Context) (indexList, error) {
	out, err := s.git(ctx, s.sight, RunOptions{}, "ls-files", "-s", "-v", "-z")
	if err != nil {
		return indexList{}, err
	}
	return parseIndexList(out)
}

// parseIndexList reads `git ls-files -s -v -z`: "tag SP mode SP id SP stage
// TAB path NUL". The tag is S for skip-worktree and a small letter for
// assume-unchanged (git-ls-files(1), -t and -v).
func parseIndexList(out []byte) (indexList, error) {
	var list indexList
	for item := range bytes.SplitSeq(out, []byte{0}) {
		if len(item) == 0 {
			continue
		}
		meta, path, ok := strings.Cut(string(item), "\t")
		word := strings.Split(meta, " ")
		if !ok || len(word) != 4 || word[0] == "" || path == "" {
			return indexList{}, fmt.Errorf("git ls-files printed %q, not a tag, a mode, an id, a stage and a path", item)
		}
		tag := word[0][0]
		switch {
		case word[3] != "0":
			if n := len(list.unmerged); n == 0 || list.unmerged[n-1] != path {
				list.unmerged = append(list.unmerged, path)
			}
		case word[1] == modeGitlink:
			list.gitlinks = append(list.gitlinks, path)
		case tag == 'S' || 'a' <= tag && tag <= 'z':
			list.flagged = append(list.flagged, path)
		}
	}
	slices.Sort(list.gitlinks)
	return list, nil
}

// existing are those of the paths that lie in the worktree.
func (r *Repository) existing(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool {
		_, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(p)))
		return err != nil
	})
}
