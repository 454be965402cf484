package gitops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Names inside a scratch folder.
const (
	sealedFolder = "sealed.git"  // the base as its only commit
	freshFolder  = "objects.git" // what frozen trees add; no room sees it
	normalFolder = "normal"      // the base's ignore rules and attributes, and nothing else
	roomFolder   = "rooms"       // one folder a room
	workFolder   = "work"        // short-lived
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

	scratchNames []string // what the scratch folder held when the base was sealed
	roomsMu      sync.Mutex
	rooms        map[string]bool // folders below roomFolder that hold a room now
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
	if err := os.Mkdir(s.scratch.Path(workFolder), 0o700); err != nil {
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
	entries, err := os.ReadDir(s.scratch.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		s.scratchNames = append(s.scratchNames, e.Name())
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
