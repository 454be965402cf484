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

// copyIndex puts a copy of the worktree's index at path; a repository without
// one has an empty index. The copy keeps the modification time: git tells by
// it which entries may have changed within the tick of the clock in which the
// index was written ("racy git"), and with a later time it would miss them.
func (r *Repository) copyIndex(path string) error {
	data, modified, err := readWithTime(filepath.Join(r.GitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, modified, modified)
}

// isSelfContained says whether git needs nothing else to read the index at
// path. A split index names a shared index beside the real one, whose time
// git would set on every read; a sparse index names trees, which git would
// read when it writes the index. A false answer costs one git call.
func (r *Repository) isSelfContained(path string) (bool, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	shared, err := r.sharedIndexes()
	return len(shared) == 0 && !bytes.Contains(data, []byte("sdir")), err
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

// unfold rewrites a split or sparse index as a plain one. It works in a git
// folder of its own, with copies of the shared indexes, so that git finds
// nothing of the user's to touch.
func (s *snapshotStore) unfold(ctx context.Context, gitDir string) error {
	if err := writeGitDir(gitDir, bareConfig); err != nil {
		return err
	}
	names, err := s.repo.sharedIndexes()
	if err != nil {
		return err
	}
	for _, name := range names {
		data, _, err := readWithTime(filepath.Join(s.repo.GitDir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // git replaced it meanwhile; if it was needed, the next step says so
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(gitDir, name), data, 0o600); err != nil {
			return err
		}
	}
	_, err = s.repo.runner.Run(ctx, gitDir, RunOptions{
		Private: true,
		Env: []string{
			"GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + s.repo.Root,
			"GIT_INDEX_FILE=" + s.index, "GIT_OBJECT_DIRECTORY=" + s.sight,
		},
		Config: []string{"core.splitIndex=false", "index.sparse=false", "core.sparseCheckout=false"},
	}, "update-index", "--no-split-index", "--force-write-index")
	return err
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
