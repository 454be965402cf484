package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// RefError says why a name is not a commit of the repository.
type RefError struct {
	Ref    string
	Reason string
}

// Error is one line.
func (e *RefError) Error() string { return fmt.Sprintf("%q: %s", e.Ref, e.Reason) }

// ResolveCommit turns a revision (gitrevisions(7)) into the full ids of its
// commit and tree, once: a branch that moves later does not move the base. An
// annotated tag stands for its commit. The error is a *RefError, or
// ErrNoCommits where there is nothing to name.
func (r *Repository) ResolveCommit(ctx context.Context, ref string) (Base, error) {
	commit, err := r.peel(ctx, ref, "^{commit}")
	if err != nil {
		return Base{}, err
	}
	if commit == "" {
		// ":/text" takes the suffix for a part of its text.
		id, err := r.peel(ctx, ref, "")
		if err == nil && id != "" {
			commit, err = r.peel(ctx, id, "^{commit}")
		}
		if err == nil && commit == "" {
			err = r.whyNoCommit(ctx, ref, id)
		}
		if err != nil {
			return Base{}, err
		}
	}
	tree, err := r.peel(ctx, commit, "^{tree}")
	if err == nil && tree == "" {
		err = &RefError{Ref: ref, Reason: "its tree is missing from the repository"}
	}
	if err != nil {
		return Base{}, err
	}
	out, err := r.git(ctx, RunOptions{}, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return Base{}, fmt.Errorf("list commit %s: %w", commit, err)
	}
	return Base{Commit: commit, Tree: tree, Submodules: gitlinks(out)}, nil
}

// peel is the id that a name with a suffix stands for, "" when git knows none.
func (r *Repository) peel(ctx context.Context, ref, suffix string) (string, error) {
	switch {
	case strings.TrimSpace(ref) == "":
		return "", &RefError{Ref: ref, Reason: "is empty: name a branch, tag or commit"}
	case strings.ContainsRune(ref, 0):
		return "", &RefError{Ref: ref, Reason: "holds a NUL byte"}
	}
	out, err := r.git(ctx, RunOptions{}, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+suffix)
	var failed *CommandError
	if errors.As(err, &failed) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	// "^name" is valid too, and gives a negated id.
	if id := strings.TrimSuffix(string(out), "\n"); isID(id) {
		return id, nil
	}
	return "", nil
}

// whyNoCommit explains a ref that is not a commit; id is what it is instead,
// or "".
func (r *Repository) whyNoCommit(ctx context.Context, ref, id string) error {
	if id != "" {
		out, err := r.git(ctx, RunOptions{}, "cat-file", "-t", id)
		var failed *CommandError
		switch {
		case errors.As(err, &failed):
			return &RefError{Ref: ref, Reason: "no such object in this repository; a shallow clone may lack it: git fetch --unshallow"}
		case err != nil:
			return err
		}
		switch kind := strings.TrimSpace(string(out)); kind {
		case "tag":
			return &RefError{Ref: ref, Reason: "is a tag of something that is not a commit"}
		case "commit":
			return &RefError{Ref: ref, Reason: "is a commit that git cannot read"}
		default:
			return &RefError{Ref: ref, Reason: "is a " + kind + ", not a commit"}
		}
	}
	if out, err := r.git(ctx, RunOptions{}, "for-each-ref", "--count=1"); err != nil {
		return err
	} else if head, err := r.peel(ctx, "HEAD", "^{commit}"); err != nil {
		return err
	} else if head == "" && (len(out) == 0 || ref == "HEAD" || ref == "@") {
		return fmt.Errorf("%q: %w", ref, ErrNoCommits)
	}
	_, err := r.git(ctx, RunOptions{}, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	var failed *CommandError
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "is ambiguous") {
		return &RefError{Ref: ref, Reason: "is the beginning of more than one commit id: give more digits"}
	}
	return &RefError{Ref: ref, Reason: "no such branch, tag or commit"}
}

// isID says whether s is a full SHA-1 object id.
func isID(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}

// gitlinks are the paths of mode 160000 in `git ls-tree -r -z`, sorted.
func gitlinks(out []byte) []string {
	var paths []string
	for item := range bytes.SplitSeq(out, []byte{0}) {
		meta, path, ok := bytes.Cut(item, []byte{'\t'})
		if ok && bytes.HasPrefix(meta, []byte(modeGitlink+" ")) {
			paths = append(paths, string(path))
		}
	}
	slices.Sort(paths)
	return paths
}
