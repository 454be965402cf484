package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Compare reads a room again and lists the paths of its tree that are not
// what they were when the room was made: by bytes, type, executable bit or
// number of links, or that were written and put back (RuleRewritten). New files are not looked for. skip are names at the top
// that are left out. It is for rooms in which only verifiers ran; as with
// Freeze, the caller has ended them.
func (r *Room) Compare(ctx context.Context, skip []string) ([]Rejection, error) {
	root, err := r.open()
	if errors.Is(err, errRoomGone) {
		return []Rejection{{Path: ".", Rule: RuleMissing, Reason: "The room itself is no longer a folder in its place."}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", r.dir, err)
	}
	defer root.Close()
	left := map[string]bool{}
	for _, name := range skip {
		left[name] = true
	}
	now, err := walk(ctx, root, walkOptions{skip: left, hash: r.manifest.has})
	if err == nil {
		err = now.err
	}
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", r.dir, err)
	}
	var list []Rejection
	for _, old := range r.manifest.nodes {
		top, _, _ := strings.Cut(old.path, "/")
		if old.kind == nodeFolder || left[top] {
			continue
		}
		n := now.byPath[old.path]
		add := func(rule, reason string) {
			list = append(list, Rejection{Path: old.path, Rule: rule, Reason: reason})
		}
		switch {
		case n == nil:
			add(RuleMissing, "It is no longer there.")
		case n.err != nil:
			add(RuleUnreadable, "It can no longer be read: "+plain(n.err)+".")
		case n.kind != old.kind:
			add(RuleChanged, "It is another type of file than it was.")
		case !n.sameBytes(old):
			add(RuleChanged, "Its bytes are not what they were.")
		case n.kind == nodeFile && n.executable() != old.executable():
			add(RuleChanged, "Its executable bit is not what it was.")
		case n.links > old.links:
			add(RuleHardLink, "Its bytes got another name.")
		case n.stamp != old.stamp:
			add(RuleRewritten, "It was written or replaced, and its bytes are what they were.")
		}
	}
	return list, nil
}
