package gitops

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxPointer is the most bytes that a pointer has, by the specification of
// Git LFS.
const maxPointer = 1024

// lfsFile is a path of the base whose blob is a pointer, and where its content
// is on this machine.
type lfsFile struct {
	path    string
	oid     string // SHA-256 of the content, hex
	content string // path of a file that has it
}

// findLFS looks up what rooms get in the place of pointers. missing are the
// paths whose content is not on this machine: their pointers stay.
func (s *Sealed) findLFS(ctx context.Context) (found []lfsFile, missing []string, err error) {
	if !s.rules.filters {
		return nil, nil, nil
	}
	var files []string
	for path, e := range s.entries {
		if isFile(e.mode) {
			files = append(files, path)
		}
	}
	sort.Strings(files)
	attrs, err := s.rules.attributesOf(ctx, files)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range files {
		if attrs[path].filter() != "lfs" {
			continue
		}
		data, err := s.store.read(plumbing.BlobObject, s.entries[path].id)
		if err != nil {
			return nil, nil, err
		}
		oid, size, ok := parsePointer(data)
		if !ok {
			continue // committed without LFS: its bytes are the content
		}
		if content := s.lfsContent(oid, size); content != "" {
			found = append(found, lfsFile{path: path, oid: oid, content: content})
		} else {
			missing = append(missing, path)
		}
	}
	return found, missing, nil
}

// lfsContent is the file that has the content of a pointer, "" if none does.
func (s *Sealed) lfsContent(oid string, size int64) string {
	for _, store := range []string{s.settings.lfsStorage, s.base.lfs} {
		if store == "" {
			continue
		}
		path := filepath.Join(store, "objects", oid[:2], oid[2:4], oid)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == size {
			return path
		}
	}
	return ""
}

// parsePointer reads a pointer of Git LFS: lines of "key SP value", the first
// is version, then oid and size. A pointer with extensions names a content
// that only those programs can make; it is not taken for one.
func parsePointer(data []byte) (oid string, size int64, ok bool) {
	if len(data) > maxPointer || !bytes.HasSuffix(data, []byte("\n")) {
		return "", 0, false
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 3 {
		return "", 0, false
	}
	switch lines[0] {
	case "version https://git-lfs.github.com/spec/v1", "version https://hawser.github.com/spec/v1":
	default:
		return "", 0, false
	}
	oid, isOID := strings.CutPrefix(lines[1], "oid sha256:")
	digits, isSize := strings.CutPrefix(lines[2], "size ")
	if raw, err := hex.DecodeString(oid); !isOID || !isSize || err != nil || len(raw) != 32 || oid != strings.ToLower(oid) {
		return "", 0, false
	}
	size, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != digits {
		return "", 0, false
	}
	return oid, size, true
}

// writeLFS puts content in the place of pointers in a room that no hook has
// seen yet, and tells the room's git to take those files as unchanged: it has
// no filter that would turn them back.
func (s *Sealed) writeLFS(ctx context.Context, at place, root *os.Root) error {
	if len(s.lfs) == 0 {
		return nil
	}
	var paths []string
	for _, f := range s.lfs {
		src, err := os.Open(f.content)
		if err != nil {
			return err
		}
		err = overwrite(root, f.path, src)
		src.Close()
		if err != nil {
			return fmt.Errorf("write the LFS content of %s: %w", printable(f.path), err)
		}
		paths = append(paths, f.path)
	}
	_, err := at.git(ctx, RunOptions{Stdin: nulList(paths)}, "update-index", "-z", "--assume-unchanged", "--stdin")
	return err
}

// checkLFS compares the content in a room with what the pointers promise.
func (s *Sealed) checkLFS(m *manifest) error {
	for _, f := range s.lfs {
		if n := m.byPath[f.path]; n != nil && n.hashed && hex.EncodeToString(n.sum[:]) != f.oid {
			return fmt.Errorf("the LFS content of %s in %s is damaged: `git lfs fsck` tells more", printable(f.path), f.content)
		}
	}
	return nil
}
