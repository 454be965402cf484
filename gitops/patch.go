package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// IntegrityError says that a patch, applied to the base, does not give the
// tree that it was made from.
type IntegrityError struct {
	Tree   string // what the patch was made from
	Got    string // what it gives; "" where it cannot be applied
	Reason string
}

// Error is one line.
func (e *IntegrityError) Error() string {
	return fmt.Sprintf("the patch of tree %s does not give that tree back: %s", e.Tree, e.Reason)
}

// Diff is the patch from the base to a tree, with every byte of binary files
// and full ids. Before it is returned it was applied to the base, in an index
// of its own and without the tree's objects at hand, and gave that tree;
// otherwise the error is an *IntegrityError. The patch of the base itself is
// empty.
func (s *Sealed) Diff(ctx context.Context, tree string) ([]byte, error) {
	id, err := s.tree(tree)
	if err != nil {
		return nil, err
	}
	tree = id.String()
	if tree == s.base.Tree {
		return nil, nil
	}
	patch, err := s.writePatch(ctx, tree)
	if err != nil {
		return nil, fmt.Errorf("diff of tree %s: %w", tree, err)
	}
	if err := s.provePatch(ctx, tree, patch); err != nil {
		return nil, fmt.Errorf("diff of tree %s: %w", tree, err)
	}
	return patch, nil
}

// writePatch asks git for the patch, in a repository that has neither
// attributes nor configuration.
func (s *Sealed) writePatch(ctx context.Context, tree string) ([]byte, error) {
	at := place{runner: s.runner, gitDir: s.scratch.Path(freshFolder)}
	patch, err := at.git(ctx, RunOptions{}, "diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--no-color", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/",
		"--submodule=short", s.base.Tree, tree)
	return quoteHeaders(patch), err
}

// quoteHeaders puts names in quotes that git writes without, but then cannot
// read: it takes " /" in "diff --git a/x /y b/x /y" for the end of the first
// name, and where a file is empty, binary or only changes its mode there is no
// other line that tells the name. No line of content begins like a header:
// those of text begin with a space, plus, minus or backslash, and those of
// binary data have no space.
func quoteHeaders(patch []byte) []byte {
	const start = "diff --git a/"
	var out []byte
	done := 0
	for at := 0; at < len(patch); {
		end := at + bytes.IndexByte(patch[at:], '\n') + 1
		if end == at {
			end = len(patch)
		}
		line := bytes.TrimSuffix(patch[at:end], []byte("\n"))
		if bytes.HasPrefix(line, []byte(start)) && bytes.Contains(line, []byte(" /")) {
			both := line[len("diff --git "):] // a/NAME SP b/NAME, the names are equal
			out = append(out, patch[done:at]...)
			out = fmt.Appendf(out, "diff --git \"%s\" \"%s\"\n", both[:len(both)/2], both[len(both)/2+1:])
			done = end
		}
		at = end
	}
	if done == 0 {
		return patch
	}
	return append(out, patch[done:]...)
}

// provePatch applies a patch to the base. Git takes a short cut where it has
// the result of a binary patch already, so the objects of the tree are out of
// its sight.
func (s *Sealed) provePatch(ctx context.Context, tree string, patch []byte) error {
	dir, err := os.MkdirTemp(s.scratch.Path(workFolder), "proof-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	gitDir := filepath.Join(dir, "git")
	if err := writeGitDir(gitDir, bareConfig); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(gitDir, "objects", "info", "alternates"),
		alternates(filepath.Join(s.scratch.Path(sealedFolder), "objects")), 0o666); err != nil {
		return err
	}
	at := place{runner: s.runner, gitDir: gitDir}
	if _, err := at.git(ctx, RunOptions{}, "read-tree", s.base.Tree); err != nil {
		return err
	}
	var failed *CommandError
	_, err = at.git(ctx, RunOptions{Stdin: bytes.NewReader(patch)}, "apply", "--cached", "--binary", "--whitespace=nowarn", "-")
	if errors.As(err, &failed) {
		return &IntegrityError{Tree: tree, Reason: "git apply refuses it: " + failed.reason()}
	}
	if err != nil {
		return err
	}
	out, err := at.git(ctx, RunOptions{}, "write-tree")
	if errors.As(err, &failed) {
		return &IntegrityError{Tree: tree, Reason: "git write-tree refuses the result: " + failed.reason()}
	}
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(string(out)); got != tree {
		return &IntegrityError{Tree: tree, Got: got, Reason: "it gives " + got}
	}
	return nil
}
