package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
)

// parallelCheckoutFrom is the number of files from which several checkout
// workers pay for their start.
const parallelCheckoutFrom = 5000

// Room is a scratch git worktree with a complete .git of its own. After a
// hook was let into it, only its bytes are read, and never by git.
type Room struct {
	dir      string
	parent   string      // a folder that holds nothing but the room
	above    fs.FileInfo // of parent
	tree     plumbing.Hash
	manifest *manifest // what was there when NewRoom returned
	noModes  bool      // the file system gives every file the executable bit
	gone     func()    // tells the Sealed that the room is closed
	closed   sync.Once
	closeErr error
}

// RoomSpec says what a room holds.
type RoomSpec struct {
	Name    string   // part of its path; "": "room"
	Tree    string   // tree id whose files it has; "": the base
	Exclude []string // paths put in .git/info/exclude, a folder with a slash at its end
	// Ready is called with the room's folder when all files are there, and before
	// it is noted what they are like. It may give them to another user. nil: nothing.
	Ready func(dir string) error
}

// roomNameForm keeps a room one plain folder below the scratch folder.
var roomNameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// NewRoom makes a room. HEAD, on the branch patchvet, and the index are those
// of the base; the files are those of spec.Tree, so that `git status` in the
// room shows what the tree changes. The base's attributes, and none that the
// tree brings, decide how files look. Rooms may be made in parallel.
func (s *Sealed) NewRoom(ctx context.Context, spec RoomSpec) (*Room, error) {
	room, err := s.newRoom(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("make room %s: %w", spec.Name, err)
	}
	return room, nil
}

func (s *Sealed) newRoom(ctx context.Context, spec RoomSpec) (_ *Room, err error) {
	if spec.Name == "" {
		spec.Name = "room"
	}
	if !roomNameForm.MatchString(spec.Name) {
		return nil, fmt.Errorf("%q is not a room's name: letters, digits, '.', '_' and '-' make one", spec.Name)
	}
	tree, err := s.tree(spec.Tree)
	if err != nil {
		return nil, err
	}
	parent, err := s.newRoomParent(spec.Name)
	if err != nil {
		return nil, err
	}
	room := &Room{dir: filepath.Join(parent, s.name), parent: parent, tree: tree, gone: func() { s.forgetRoom(parent) }}
	defer func() {
		if err != nil {
			err = errors.Join(err, room.Close())
		}
	}()
	if err := s.writeRoomGit(room.dir, spec.Exclude); err != nil {
		return nil, err
	}
	if room.above, err = os.Lstat(parent); err != nil {
		return nil, err
	}
	at := place{runner: s.runner, gitDir: filepath.Join(room.dir, ".git"), workTree: room.dir}
	if err := s.checkoutBase(ctx, at); err != nil {
		return nil, err
	}
	root, err := room.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := s.writeLFS(ctx, at, root); err != nil {
		return nil, err
	}
	if err := s.writeDelta(ctx, root, tree); err != nil {
		return nil, err
	}
	if spec.Ready != nil {
		if err := spec.Ready(room.dir); err != nil {
			return nil, err
		}
	}
	if room.manifest, err = walk(ctx, root, walkOptions{}); err != nil {
		return nil, err
	}
	if err := s.checkLFS(room.manifest); err != nil {
		return nil, err
	}
	room.noModes, err = s.checkRoom(ctx, room)
	return room, err
}

// newRoomParent makes the folder above a room, under a name that no command
// of an earlier room can know.
func (s *Sealed) newRoomParent(name string) (string, error) {
	rooms := s.scratch.Path(roomFolder)
	if err := os.MkdirAll(rooms, 0o700); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(rooms, name+"-")
	if err == nil {
		s.noteRoom(dir)
	}
	return dir, err
}

// checkoutBase fills a new room with the base's files and their index entries.
func (s *Sealed) checkoutBase(ctx context.Context, at place) error {
	workers := 1
	if len(s.entries) > parallelCheckoutFrom {
		workers = min(2*runtime.NumCPU(), 8)
	}
	_, err := at.git(ctx, RunOptions{Config: []string{"checkout.workers=" + strconv.Itoa(workers)}},
		"read-tree", "-m", "-u", s.base.Commit)
	return err
}

// checkRoom makes sure that a new room holds all files of its tree, readable,
// and says whether the file system makes every file executable.
func (s *Sealed) checkRoom(ctx context.Context, room *Room) (noModes bool, err error) {
	m := room.manifest
	if m.err != nil {
		return false, m.err
	}
	lost := ""
	err = s.trees.leaves(ctx, room.tree, "", func(path string, e treeEntry) {
		n := m.byPath[path]
		if n == nil || n.err != nil {
			lost = path
		} else if e.mode == modeFile && n.kind == nodeFile && n.executable() {
			noModes = true
		}
	})
	if err == nil && lost != "" {
		err = fmt.Errorf("%s of the tree is not in the room: its name may be one that the file system merges with another", printable(lost))
	}
	return noModes, err
}

// Dir is the absolute path of the room's worktree.
func (r *Room) Dir() string { return r.dir }

// Close removes the room, whatever a hook made of it.
func (r *Room) Close() error {
	r.closed.Do(func() {
		defer r.gone()
		info, err := os.Lstat(r.parent)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			return // a hook removed it
		case err == nil && !info.IsDir():
			r.closeErr = os.Remove(r.parent) // what a hook put in its place
			return
		}
		if _, err := removeTree(r.parent, ""); err != nil {
			r.closeErr = fmt.Errorf("remove room: %w", err)
		}
	})
	return r.closeErr
}

// errRoomGone says that a room is no longer the folder that was made.
var errRoomGone = errors.New("the room is no longer a folder in its place")

// open opens the room's folder, and never what a link in its place leads to.
func (r *Room) open() (*os.Root, error) {
	// Asked before it is opened: the open of a fifo would wait. The type is
	// asked, too: a new file may get the number of one that is gone.
	if info, err := os.Lstat(r.parent); err != nil || !info.IsDir() || !os.SameFile(info, r.above) {
		return nil, errRoomGone
	}
	parent, err := os.OpenRoot(r.parent)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	if info, err := parent.Stat("."); err != nil || !os.SameFile(info, r.above) {
		return nil, errRoomGone
	}
	name := filepath.Base(r.dir)
	info, err := parent.Lstat(name)
	if err != nil || !info.IsDir() {
		return nil, errRoomGone
	}
	root, err := parent.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if now, err := root.Stat("."); err != nil || !os.SameFile(now, info) {
		root.Close()
		return nil, errRoomGone
	}
	return root, nil
}
