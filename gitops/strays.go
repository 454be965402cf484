package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// privateFolder is the part of a scratch folder that the caller of Seal uses.
const privateFolder = "run"

// Private is the folder below the scratch folder that is the caller's own.
func (s *Scratch) Private() string { return s.Path(privateFolder) }

// RemoveStrays removes what stands in the folders above the rooms and was not
// put there by this run, and names it by its path below the cache root. Test
// runners read configuration from every folder above the one they run in, so
// that a file there has a say in a verdict. Commands of the run must not be
// running. What other runs have in the cache is theirs.
func (s *Sealed) RemoveStrays() ([]string, error) {
	strays, err := s.findStrays()
	if err != nil {
		return nil, fmt.Errorf("look above the rooms: %w", err)
	}
	var names []string
	for _, path := range strays {
		name, err := filepath.Rel(filepath.Dir(filepath.Dir(s.scratch.dir)), path)
		if err != nil {
			name = path
		}
		names = append(names, filepath.ToSlash(name))
		if err := removeStray(path); err != nil {
			return names, fmt.Errorf("remove %s, which a command put above the rooms: %w", path, err)
		}
	}
	return names, nil
}

func removeStray(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		_, err = removeTree(path, "")
		return err
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func (s *Sealed) findStrays() ([]string, error) {
	runs := filepath.Dir(s.scratch.dir)
	var strays []string
	look := func(dir string, known func(name string, isDir bool) bool) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !known(e.Name(), e.IsDir()) {
				strays = append(strays, filepath.Join(dir, e.Name()))
			}
		}
		return nil
	}
	err := look(s.scratch.dir, func(name string, _ bool) bool {
		return name == roomFolder || name == privateFolder || slices.Contains(s.scratchNames, name)
	})
	if err != nil {
		return nil, err
	}
	// Beside this run's folder there are those of other runs, and no files but
	// the collector's.
	err = look(runs, func(name string, isDir bool) bool {
		return isDir || name == gateFile || strings.HasPrefix(name, trashPrefix)
	})
	if err != nil {
		return nil, err
	}
	if err := look(filepath.Dir(runs), func(_ string, isDir bool) bool { return isDir }); err != nil {
		return nil, err
	}
	rooms := s.openRooms()
	err = look(s.scratch.Path(roomFolder), func(name string, _ bool) bool { return rooms[name] })
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	for name := range rooms {
		err := look(s.scratch.Path(roomFolder, name), func(entry string, _ bool) bool { return entry == s.name })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return strays, nil
}

// openRooms are the names of the folders that hold a room now.
func (s *Sealed) openRooms() map[string]bool {
	s.roomsMu.Lock()
	defer s.roomsMu.Unlock()
	out := make(map[string]bool, len(s.rooms))
	for name := range s.rooms {
		out[name] = true
	}
	return out
}

func (s *Sealed) noteRoom(parent string) {
	s.roomsMu.Lock()
	defer s.roomsMu.Unlock()
	if s.rooms == nil {
		s.rooms = map[string]bool{}
	}
	s.rooms[filepath.Base(parent)] = true
}

func (s *Sealed) forgetRoom(parent string) {
	s.roomsMu.Lock()
	defer s.roomsMu.Unlock()
	delete(s.rooms, filepath.Base(parent))
}
