package gitops

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

// ignored says which of the paths the base's rules ignore: its .gitignore
// files, the user's info/exclude and core.excludesFile. One git process
// answers, in the worktree that holds those files and nothing else.
func (n *normalizer) ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	set := map[string]bool{}
	if len(paths) == 0 {
		return set, nil
	}
	// The one command that knows no literal pathspecs: "./" keeps a leading
	// colon from being magic (gitglossary(7), pathspec), and what follows is
	// taken as a path, not as a pattern.
	asked := make([]string, len(paths))
	for i, p := range paths {
		asked[i] = "./" + p
	}
	opt := RunOptions{Stdin: nulList(asked), Env: []string{"GIT_LITERAL_PATHSPECS=0"}}
	out, err := n.git(ctx, opt, "check-ignore", "-z", "--stdin", "--no-index")
	var exit *CommandError
	if errors.As(err, &exit) && exit.ExitCode == 1 { // git-check-ignore(1): none is ignored
		return set, nil
	}
	if err != nil {
		return nil, err
	}
	for p := range bytes.SplitSeq(out, []byte{0}) {
		set[strings.TrimPrefix(string(p), "./")] = true
	}
	return set, nil
}

// nulList is a list for git's -z --stdin.
func nulList(paths []string) *strings.Reader {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(p)
		b.WriteByte(0)
	}
	return strings.NewReader(b.String())
}

// ignorePattern is the line of an exclude file that matches one path from
// the root of the worktree, and nothing else (gitignore(5)). A path that ends
// in a slash is a folder. No line matches a name that holds a line end.
func ignorePattern(path string) string {
	if strings.ContainsAny(path, "\n\r") {
		return "#"
	}
	var b strings.Builder
	b.WriteByte('/')
	for _, c := range []byte(strings.TrimPrefix(path, "/")) {
		if strings.IndexByte(`\*?[] `, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
