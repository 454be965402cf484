package gitops

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Names inside a scratch folder.
const (
	sealedFolder = "sealed.git"  // the base as its only commit
	freshFolder  = "objects.git" // what frozen trees add; no room sees it
	normalFolder = "normal"      // the base's ignore rules and attributes, and nothing else
	roomFolder   = "rooms"       // one folder a room
)

// Sealed is the private side of one run: the base in a repository of its own,
// the rooms made from it and the trees frozen in them. Its methods are safe
// for concurrent use.
type Sealed struct {
	runner   *Runner
	scratch  *Scratch
	base     Base
	settings settings
	name     string // what the folder of a room is called
	pack     string // path of the base's pack without ".pack"
	shallow  bool   // the commit has parents, which are not here
	store    *objects
	trees    *trees
	rules    *normalizer
	entries  map[string]treeEntry // of the base, by path
	dirs     map[string]bool      // folders of the base
	debris   *debris
	lfs      []lfsFile // content that rooms get in the place of a pointer
	warnings []string
}

// SealOptions changes how a base is sealed. The zero value is right.
type SealOptions struct {
	Now time.Time // date of the commit that is made for a snapshot; zero: now
}

// Seal packs the base out of the user's repository, which is only read, into
// a private repository below scratch. For a snapshot it makes a commit without
// parents.
func Seal(ctx context.Context, r *Runner, repo *Repository, base Base, scratch *Scratch, opt SealOptions) (*Sealed, error) {
	s := &Sealed{runner: r, scratch: scratch, base: base, name: roomName(repo)}
	if err := s.seal(ctx, repo, opt); err != nil {
		return nil, fmt.Errorf("seal %s: %w", base.Tree, err)
	}
	return s, nil
}

func (s *Sealed) seal(ctx context.Context, repo *Repository, opt SealOptions) error {
	var err error
	if s.settings, err = readSettings(ctx, repo); err != nil {
		return err
	}
	sealed, fresh := s.scratch.Path(sealedFolder), s.scratch.Path(freshFolder)
	if err := writeGitDir(sealed, bareConfig); err != nil {
		return err
	}
	if err := writeGitDir(fresh, bareConfig); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "objects", "info", "alternates"),
		alternates(filepath.Join(sealed, "objects")), 0o666); err != nil {
		return err
	}
	if s.base.Snapshot {
		if s.base.Commit, err = s.writeSnapshotCommit(sealed, opt.Now); err != nil {
			return err
		}
	}
	if s.pack, err = packBase(ctx, repo, s.base, sealed); err != nil {
		return err
	}
	s.store = openObjects(fresh, sealed)
	s.trees = newTrees(s.store)
	if s.shallow, err = s.readCommit(); err != nil {
		return err
	}
	if err := s.writeRefs(sealed); err != nil {
		return err
	}
	tree, err := parseID(s.base.Tree)
	if err != nil {
		return err
	}
	s.entries = map[string]treeEntry{}
	if err := s.trees.leaves(ctx, tree, "", func(path string, e treeEntry) { s.entries[path] = e }); err != nil {
		return err
	}
	s.dirs = foldersOf(s.entries)
	s.debris = newDebris(s.entries)
	if s.rules, err = s.newNormalizer(); err != nil {
		return err
	}
	return s.findWarnings(ctx)
}

// Base is the base that was sealed, with its commit id.
func (s *Sealed) Base() Base { return s.base }

// readCommit checks that the commit that rooms stand on holds the base's tree
// and says whether it has parents.
func (s *Sealed) readCommit() (parents bool, err error) {
	id, err := parseID(s.base.Commit)
	if err != nil {
		return false, err
	}
	data, err := s.store.read(plumbing.CommitObject, id)
	if err != nil {
		return false, err
	}
	header, _, _ := bytes.Cut(data, []byte("\n\n"))
	if !bytes.HasPrefix(header, []byte("tree "+s.base.Tree+"\n")) {
		return false, fmt.Errorf("commit %s does not hold the tree %s", s.base.Commit, s.base.Tree)
	}
	return bytes.Contains(header, []byte("\nparent ")), nil
}

// writeRefs points a git folder's only branch at the base. Where the commit
// has parents, "shallow" tells git that they are left out on purpose.
func (s *Sealed) writeRefs(gitDir string) error {
	line := []byte(s.base.Commit + "\n")
	if s.shallow {
		if err := os.WriteFile(filepath.Join(gitDir, "shallow"), line, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(gitDir, filepath.FromSlash(ownBranch)), line, 0o666)
}

// tree is the id of a tree of this run, "" for the base's.
func (s *Sealed) tree(id string) (plumbing.Hash, error) {
	if id == "" {
		id = s.base.Tree
	}
	return parseID(id)
}

// Changes lists how one tree differs from another, sorted by path; "" stands
// for the base's.
func (s *Sealed) Changes(ctx context.Context, from, to string) ([]Change, error) {
	a, err := s.tree(from)
	if err != nil {
		return nil, err
	}
	b, err := s.tree(to)
	if err != nil {
		return nil, err
	}
	changes, err := s.trees.diff(ctx, a, b)
	if err != nil {
		return nil, fmt.Errorf("compare trees %s and %s: %w", a, b, err)
	}
	return changes, nil
}

// Paths lists every file, symbolic link and gitlink of a tree, sorted by path.
func (s *Sealed) Paths(ctx context.Context, tree string) ([]Entry, error) {
	id, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	list, err := s.trees.paths(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list tree %s: %w", id, err)
	}
	return list, nil
}

// ReadFile is the blob of a regular file in a tree, as git stores it. Where
// the tree has no regular file at path the error is fs.ErrNotExist.
func (s *Sealed) ReadFile(ctx context.Context, tree, path string) ([]byte, error) {
	id, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	e, err := s.trees.find(id, path)
	if err == nil && !isFile(e.mode) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read from tree " + id.String(), Path: path, Err: err}
	}
	return s.store.read(plumbing.BlobObject, e.id)
}

// Restore is a tree with some paths put back to what the base has: its entry,
// a whole folder where the base has one, or nothing.
func (s *Sealed) Restore(ctx context.Context, tree string, paths []string) (string, error) {
	id, err := s.tree(tree)
	if err != nil {
		return "", err
	}
	base, err := s.tree("")
	if err != nil {
		return "", err
	}
	edits := make([]edit, 0, len(paths))
	for _, path := range paths {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		e, err := s.trees.find(base, path)
		if err != nil && err != fs.ErrNotExist {
			return "", fmt.Errorf("restore %s: %w", printable(path), err)
		}
		edits = append(edits, edit{path: path, mode: e.mode, id: e.id})
	}
	restored, err := s.trees.edit(id, edits)
	if err != nil {
		return "", fmt.Errorf("restore paths of tree %s: %w", id, err)
	}
	return restored.String(), nil
}

// roomName is what the folder of a room is called: like the user's, because
// some tools go by the name of the folder that they run in.
func roomName(repo *Repository) string {
	name := filepath.Base(repo.Root)
	if repo.Bare {
		name = strings.TrimSuffix(filepath.Base(repo.GitDir), ".git")
	}
	if name == "." || name == "" || name == string(filepath.Separator) || gitTwin(name) {
		return "tree"
	}
	return name
}
