package testkit

import "strings"

// Stage adds paths to the index; without paths, everything.
func (r *Repo) Stage(paths ...string) *Repo {
	r.t.Helper()
	if len(paths) == 0 {
		r.Git("add", "-A")
		return r
	}
	r.Git(append([]string{"add", "--"}, paths...)...)
	return r
}

// Commit stages everything and commits it, also when nothing changed.
func (r *Repo) Commit(message string) *Repo {
	r.t.Helper()
	r.Stage()
	r.Git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", message)
	return r
}

// Head is the full id of HEAD's commit.
func (r *Repo) Head() string {
	r.t.Helper()
	return r.Git("rev-parse", "HEAD")
}

// Config sets a key in the repository's own configuration.
func (r *Repo) Config(key, value string) *Repo {
	r.t.Helper()
	r.Git("config", key, value)
	return r
}

// Unmerged leaves the index with a conflict in each of the paths, as a merge
// that stopped does. The worktree files hold conflict markers.
func (r *Repo) Unmerged(paths ...string) *Repo {
	r.t.Helper()
	blob := r.GitInput("one side\n", "hash-object", "-w", "--stdin")
	other := r.GitInput("other side\n", "hash-object", "-w", "--stdin")
	var info strings.Builder
	for _, p := range paths {
		info.WriteString("0 " + strings.Repeat("0", len(blob)) + "\t" + p + "\x00")
		info.WriteString("100644 " + blob + " 2\t" + p + "\x00")
		info.WriteString("100644 " + other + " 3\t" + p + "\x00")
		r.Write(p, "<<<<<<< ours\none side\n=======\nother side\n>>>>>>> theirs\n")
	}
	r.GitInput(info.String(), "update-index", "-z", "--index-info")
	return r
}
