package gitops

import (
	"io/fs"
	"sort"
)

// nodeKind is what lstat says that a name stands for.
type nodeKind uint8

const (
	nodeFile nodeKind = iota + 1
	nodeLink
	nodeFolder
	nodeSpecial // fifo, socket, device
)

// node is one name that a walk met. Of a node with an error only the path
// and, where lstat itself worked, the kind are known.
type node struct {
	path   string // slash-separated raw bytes below the root of the walk
	kind   nodeKind
	mode   fs.FileMode
	links  uint64   // names of the file; 1 where the system does not tell
	size   int64    // bytes of a file
	hashed bool     // sum is known
	sum    [32]byte // SHA-256 of a file's bytes
	target string   // of a symbolic link, raw bytes
	stamp  stamp    // what a write changes even when it is undone
	err    error
}

// executable is the only permission that git keeps (git-update-index(1)).
func (n *node) executable() bool { return n.mode&0o100 != 0 }

// special says which of the bits that git does not keep are set.
func (n *node) special() fs.FileMode {
	return n.mode & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
}

// sameBytes says whether two walks met the same kind with the same content.
// Times and sizes are not asked: both can be forged together.
func (n *node) sameBytes(o *node) bool {
	if n.err != nil || o.err != nil || n.kind != o.kind {
		return false
	}
	switch n.kind {
	case nodeFile:
		return n.hashed && o.hashed && n.size == o.size && n.sum == o.sum
	case nodeLink:
		return n.target == o.target
	case nodeFolder:
		return true
	}
	return false
}

// manifest is everything that one walk met, the root itself aside.
type manifest struct {
	nodes  []*node // sorted by path, so that a folder comes before what it holds
	byPath map[string]*node
	git    *node // the root's own .git, which is not looked into; nil when missing
	err    error // why the root itself could not be listed
}

// newManifest sorts what a walk met. failed are the folders that could not be
// listed; "." is the root.
func newManifest(nodes []*node, git *node, failed map[string]error) *manifest {
	sort.Slice(nodes, func(i, j int) bool { return nodes[i].path < nodes[j].path })
	m := &manifest{nodes: nodes, byPath: make(map[string]*node, len(nodes)), git: git, err: failed["."]}
	for _, n := range nodes {
		m.byPath[n.path] = n
		if err := failed[n.path]; err != nil {
			n.err = err
		}
	}
	return m
}

// has says whether a path was met.
func (m *manifest) has(path string) bool { return m.byPath[path] != nil }
