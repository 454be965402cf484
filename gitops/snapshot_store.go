package gitops

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// runsFolder is where run folders are by default; it ignores itself.
const runsFolder = ".patchvet/runs"

// snapshotFolder is the part of a scratch folder that a snapshot fills.
const snapshotFolder = "snapshot"

// snapshotStore is the copy of the index, the object folder and the git folder
// that a snapshot works with.
//
// A store that names the user's object folder as its alternate is not enough
// to leave that folder alone: when git is to write an object that is already
// there, it sets the time of the file that holds it. So blobs and trees are
// written while the user's objects are out of sight, and the alternate is
// named last. What git has to read for that, the old content of changed files
// (text=auto looks at it), is copied in before.
type snapshotStore struct {
	repo    *Repository
	gitDir  string // stands in for the user's
	index   string
	objects string // where new objects go; the user's are out of sight until the end
	sight   string // empty, with the user's objects in sight; some commands make files where they only read
	lfs     string
	own     []string // folders of the worktree where patchvet keeps things, as git names them
	partial bool     // a partial clone: git fetches an object that it does not find
}

func (r *Repository) newSnapshotStore(ctx context.Context, scratch *Scratch, head string) (*snapshotStore, error) {
	s := &snapshotStore{
		repo:    r,
		gitDir:  scratch.Path(snapshotFolder, "git"),
		index:   scratch.Path(snapshotFolder, "index"),
		objects: scratch.Path(snapshotFolder, "objects"),
		sight:   scratch.Path(snapshotFolder, "sight"),
		lfs:     scratch.Path(snapshotFolder, "lfs"),
		own:     []string{runsFolder},
	}
	if rooms, err := ownFolder(r.Root, filepath.Dir(scratch.Path())); err != nil {
		return nil, err
	} else if rooms != "" {
		s.own = append(s.own, rooms)
	}
	for _, store := range []string{s.objects, s.sight} {
		for _, dir := range []string{"info", "pack"} {
			if err := os.MkdirAll(filepath.Join(store, dir), 0o700); err != nil {
				return nil, err
			}
		}
	}
	if err := r.nameAlternate(s.sight); err != nil {
		return nil, err
	}
	if err := s.standIn(ctx, head); err != nil {
		return nil, err
	}
	if s.partial {
		if err := r.nameAlternate(s.objects); err != nil {
			return nil, err
		}
	}
	return s, s.copyIndex(ctx)
}

// ownFolder is the path of a folder in the worktree, "" when it lies outside.
// A home folder that is a repository has the cache folder inside.
func ownFolder(root, folder string) (string, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", nil // on another volume, or above
	}
	return filepath.ToSlash(rel), nil
}

// nameAlternate lets git see the user's objects, and those that they in turn
// name, in an object folder of ours.
func (r *Repository) nameAlternate(objects string) error {
	line := alternates(filepath.Join(r.CommonDir, "objects"))
	return os.WriteFile(filepath.Join(objects, "info", "alternates"), line, 0o600)
}

// git runs a command on the worktree and the copy of the index, with the
// configuration of the git folder that stands in for the user's, less what
// would start a program or write beside the index.
func (s *snapshotStore) git(ctx context.Context, objects string, opt RunOptions, args ...string) ([]byte, error) {
	opt.Env = append(opt.Env,
		"GIT_DIR="+s.gitDir, "GIT_WORK_TREE="+s.repo.Root, "GIT_INDEX_FILE="+s.index, "GIT_OBJECT_DIRECTORY="+objects,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, // both are in the flat configuration
	)
	opt.Config = append(opt.Config,
		"core.hooksPath="+os.DevNull, // post-index-change
		"core.fsmonitor=false",
		"core.untrackedCache=false",
		"core.splitIndex=false",
		"index.sparse=false",
		"core.safecrlf=false", // mixed line ends are no reason to refuse a snapshot
		"core.fsync=none",     // a scratch folder outlives no crash
		"lfs.storage="+s.lfs,
	)
	return s.repo.runner.Run(ctx, s.repo.Root, opt, args...)
}

// provide copies into the store what git reads, or would write again, while
// the user's objects are out of sight: the old content of changed files, and
// the folders of HEAD, most of which the new tree has too.
func (s *snapshotStore) provide(ctx context.Context, head string, old []string) error {
	if s.partial {
		return nil
	}
	trees, err := s.git(ctx, s.sight, RunOptions{},
		"rev-list", "--objects", "--no-object-names", "--filter=blob:none", head+"^{tree}")
	if err != nil {
		return err
	}
	ids := io.MultiReader(bytes.NewReader(trees), strings.NewReader(strings.Join(old, "\n")))
	_, err = s.git(ctx, s.sight, RunOptions{Stdin: ids},
		"pack-objects", "-q", "--window=0", filepath.Join(s.objects, "pack", "pack"))
	return err
}

// readChanges brings the copy of the index to what the worktree has.
func (s *snapshotStore) readChanges(ctx context.Context, list *worktreeList) error {
	if len(list.remove) > 0 {
		var input bytes.Buffer
		for _, path := range list.remove {
			fmt.Fprintf(&input, "0 %040d\t%s\x00", 0, path)
		}
		if _, err := s.git(ctx, s.objects, RunOptions{Stdin: &input}, "update-index", "-z", "--index-info"); err != nil {
			return err
		}
	}
	if len(list.write) == 0 {
		return nil
	}
	input := strings.NewReader(strings.Join(list.write, "\x00") + "\x00")
	_, err := s.git(ctx, s.objects, RunOptions{Stdin: input}, "update-index", "--add", "--replace", "-z", "--stdin")
	return err
}

// writeTree names what the copy of the index holds. Objects that only the
// user's folder has are not asked for: the sealing reads every one of them.
func (s *snapshotStore) writeTree(ctx context.Context) (string, error) {
	out, err := s.git(ctx, s.objects, RunOptions{}, "write-tree", "--missing-ok")
	if err != nil {
		return "", err
	}
	tree := strings.TrimSuffix(string(out), "\n")
	if !isID(tree) {
		return "", fmt.Errorf("git write-tree printed %q, not an object id", out)
	}
	return tree, s.repo.nameAlternate(s.objects)
}

// readWithTime reads a file and tells when it was modified; both are of the
// same file when somebody replaces it meanwhile.
func readWithTime(path string) ([]byte, time.Time, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	var data bytes.Buffer
	_, err = data.ReadFrom(f)
	return data.Bytes(), info.ModTime(), err
}
