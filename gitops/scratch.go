package gitops

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Names inside the cache root and inside a scratch folder.
const (
	roomsFolder = "rooms"      // holds one scratch folder a run
	gateFile    = ".lock"      // in roomsFolder: held while a scratch appears or is condemned
	trashPrefix = ".trash-"    // in roomsFolder: condemned, being removed
	lockFile    = "lock"       // in a scratch: held as long as its run lives
	ownerFile   = "owner.json" // in a scratch
)

// runIDForm keeps a run's folder one plain name below the cache root.
var runIDForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Scratch is the folder where the private things of one run live. Its lock is
// held by this process; the kernel drops it when the process ends, however it
// ends, and Collect may then remove the folder.
type Scratch struct {
	dir  string
	lock *os.File
}

// Owner is what a scratch folder tells about its run.
type Owner struct {
	PID   int       `json:"pid"`
	Start time.Time `json:"start"`
	Repo  string    `json:"repo"` // worktree root, or git folder of a bare repository; "" until known
}

// NewScratch makes the folder cacheRoot/rooms/runID, readable by this user
// alone, with its lock held. It fails where the folder exists.
func NewScratch(cacheRoot, runID string) (*Scratch, error) {
	if !runIDForm.MatchString(runID) {
		return nil, fmt.Errorf("scratch folder: %q is not a run id: letters, digits, '.', '_' and '-' make one", runID)
	}
	rooms := filepath.Join(cacheRoot, roomsFolder)
	if err := os.MkdirAll(rooms, 0o700); err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	// Under the gate no collector looks at folders, so none can take the new
	// one for a dead one between its creation and its lock.
	gate, err := lockWait(filepath.Join(rooms, gateFile))
	if err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	defer gate.Close()

	dir := filepath.Join(rooms, runID)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	s := &Scratch{dir: dir}
	if s.lock, err = lockTry(filepath.Join(dir, lockFile)); err == nil {
		err = s.writeOwner(Owner{PID: os.Getpid(), Start: time.Now().UTC()})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("scratch folder: %w", err), s.Close())
	}
	return s, nil
}

// SetRepo writes the repository's folder into owner.json, for the reader of
// a list of left-over folders.
func (s *Scratch) SetRepo(root string) error {
	owner, err := readOwner(s.dir)
	if err != nil {
		return err
	}
	owner.Repo = root
	return s.writeOwner(owner)
}

// Path is the path of something inside the scratch folder; it makes nothing.
func (s *Scratch) Path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// Close removes the folder and everything in it, also folders without
// permissions and read-only files, and never follows a symbolic link. Calling
// it again is allowed.
func (s *Scratch) Close() error {
	_, err := removeTree(s.dir, lockFile)
	if s.lock != nil {
		s.lock.Close()
		s.lock = nil
	}
	if err == nil {
		_, err = removeTree(s.dir, "")
	}
	if err != nil {
		return fmt.Errorf("remove scratch folder: %w", err)
	}
	return nil
}

func (s *Scratch) writeOwner(o Owner) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return os.WriteFile(s.Path(ownerFile), append(data, '\n'), 0o600)
}

func readOwner(dir string) (Owner, error) {
	var o Owner
	data, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("read %s: %w", filepath.Join(dir, ownerFile), err)
	}
	return o, nil
}
