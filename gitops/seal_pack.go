package gitops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// packBase copies the base's commit, trees and blobs into one pack of the
// sealed repository and returns the pack's path without ".pack". The work is
// git's, which copies the deltas and the compressed bytes that it finds. New
// files, temporary ones too, go to the sealed repository: the user's object
// folder is named as an alternate and only read.
func packBase(ctx context.Context, repo *Repository, base Base, sealed string) (string, error) {
	store := filepath.Join(sealed, "objects")
	borrowed := filepath.Join(store, "info", "alternates")
	from := alternates(filepath.Join(repo.CommonDir, "objects"))
	if base.objects != "" {
		from = append(from, alternates(base.objects)...)
	}
	if err := os.WriteFile(borrowed, from, 0o666); err != nil {
		return "", err
	}
	env := []string{"GIT_OBJECT_DIRECTORY=" + store}

	// A partial clone would fetch what it lacks, and write it to the user's
	// repository; --missing=print names it instead (git-rev-list(1)).
	list, err := repo.git(ctx, RunOptions{Env: env}, "rev-list", "--objects", "--no-walk", "--missing=print", base.Commit)
	if err != nil {
		return "", err
	}
	if missing := missingObjects(list); missing > 0 {
		return "", fmt.Errorf("%d objects of the base are not in %s: fetch them first, for example with `git checkout %s`",
			missing, printable(repo.CommonDir), base.Commit)
	}
	// No search for new deltas (window 0), one pack whatever the user's limit.
	out, err := repo.git(ctx, RunOptions{
		Stdin:  bytes.NewReader(list),
		Env:    env,
		Config: []string{noSync, "pack.packSizeLimit=0", "pack.writeReverseIndex=false"},
	}, "pack-objects", "-q", "--window=0", "--delta-base-offset", "--index-version=2", filepath.Join(store, "pack", "pack"))
	if err != nil {
		return "", err
	}
	if err := os.Remove(borrowed); err != nil {
		return "", err
	}
	return filepath.Join(store, "pack", "pack-"+strings.TrimSpace(string(out))), nil
}

// missingObjects counts the lines of rev-list that begin with "?".
func missingObjects(list []byte) int {
	n := bytes.Count(list, []byte("\n?"))
	if bytes.HasPrefix(list, []byte("?")) {
		n++
	}
	return n
}

// writeSnapshotCommit stores a commit without parents for the tree of a
// snapshot, in the sealed repository alone.
func (s *Sealed) writeSnapshotCommit(sealed string, now time.Time) (string, error) {
	if now.IsZero() {
		now = time.Now()
	}
	who := fmt.Sprintf("patchvet <patchvet@localhost> %d +0000", now.Unix())
	text := fmt.Sprintf("tree %s\nauthor %s\ncommitter %s\n\nSnapshot of the worktree\n\n"+
		"It holds the changes and new files that were not committed on top of\n%s.\n", s.base.Tree, who, who, s.base.Parent)
	id, err := writeLoose(dotgit.New(osfs.New(sealed)), plumbing.CommitObject, int64(len(text)), strings.NewReader(text))
	return id.String(), err
}
