package gitops

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// treeEntry is one line of a tree object. Its mode is in today's spelling:
// git itself reads the 0100664 and 40000 of old trees as 100644 and 040000.
type treeEntry struct {
	name string // raw bytes
	mode string
	id   plumbing.Hash
}

func (e treeEntry) isTree() bool { return e.mode == modeTree }

// same says whether two entries stand for the same content.
func (e treeEntry) same(o treeEntry) bool { return e.mode == o.mode && e.id == o.id }

// parseTree reads the content of a tree object: "<octal mode> SP <name> NUL
// <20 bytes of id>", repeated.
func parseTree(data []byte) ([]treeEntry, error) {
	var entries []treeEntry
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		if !ok {
			return nil, errors.New("a tree entry has no mode")
		}
		name, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok || len(rest) < 20 {
			return nil, errors.New("a tree entry is cut short")
		}
		e := treeEntry{name: string(name)}
		copy(e.id[:], rest)
		data = rest[20:]
		bits, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil {
			return nil, fmt.Errorf("a tree entry has the mode %q, which is no octal number", mode)
		}
		if e.mode, err = canonicalMode(uint32(bits)); err != nil {
			return nil, err
		}
		if err := checkName(e.name); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// canonicalMode is how git reads a mode: the file type, and of a regular file
// the owner's executable bit.
func canonicalMode(bits uint32) (string, error) {
	switch bits & 0o170000 {
	case 0o100000:
		if bits&0o100 != 0 {
			return modeExec, nil
		}
		return modeFile, nil
	case 0o120000:
		return modeLink, nil
	case 0o160000:
		return modeGitlink, nil
	case 0o040000:
		return modeTree, nil
	}
	return "", fmt.Errorf("a tree entry has the mode %o, which git does not know", bits)
}

// checkName refuses what can be no name of a file in a folder.
func checkName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("a tree entry has the name %q", name)
	}
	return nil
}

// encodeTree is the content of a tree object. Git sorts entries by bytes as
// if the name of a folder ended in a slash.
func encodeTree(entries []treeEntry) []byte {
	key := func(e treeEntry) string {
		if e.isTree() {
			return e.name + "/"
		}
		return e.name
	}
	sorted := append([]treeEntry(nil), entries...)
	sort.Slice(sorted, func(i, j int) bool { return key(sorted[i]) < key(sorted[j]) })
	var buf bytes.Buffer
	for _, e := range sorted {
		buf.WriteString(strings.TrimLeft(e.mode, "0"))
		buf.WriteByte(' ')
		buf.WriteString(e.name)
		buf.WriteByte(0)
		buf.Write(e.id[:])
	}
	return buf.Bytes()
}

// parseID reads a full object id.
func parseID(id string) (plumbing.Hash, error) {
	var h plumbing.Hash
	if len(id) != 2*len(h) {
		return h, fmt.Errorf("%q is not a full object id", id)
	}
	if _, err := hex.Decode(h[:], []byte(id)); err != nil {
		return h, fmt.Errorf("%q is not a full object id", id)
	}
	return h, nil
}
