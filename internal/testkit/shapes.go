package testkit

import "path/filepath"

// Submodule adds other as a submodule at rel and stages it.
func (r *Repo) Submodule(rel string, other *Repo) *Repo {
	r.t.Helper()
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--", other.Dir, rel)
	return r
}

// In is the repository whose worktree root is at rel: a submodule, or a
// nested repository.
func (r *Repo) In(rel string) *Repo { return &Repo{Dir: r.Path(rel), t: r.t} }

// Nest makes an untracked nested repository with one commit at rel.
func (r *Repo) Nest(rel string) *Repo {
	r.t.Helper()
	NewRepoAt(r.t, r.Path(rel)).Write("inner.txt", "inner\n").Commit("inner")
	return r
}

// Worktree adds a linked worktree on a new branch and returns it.
func (r *Repo) Worktree(branch string) *Repo {
	r.t.Helper()
	dir := filepath.Join(realTemp(r.t), branch)
	r.Git("worktree", "add", "-q", "-b", branch, dir)
	return &Repo{Dir: dir, t: r.t}
}

// Bare is a bare clone.
func (r *Repo) Bare() *Repo {
	r.t.Helper()
	return r.clone("bare.git", "--bare")
}

// Shallow is a clone of the last depth commits.
func (r *Repo) Shallow(depth string) *Repo {
	r.t.Helper()
	return r.clone("shallow", "--no-local", "--depth", depth)
}

// Clone is an ordinary clone; args go to git clone.
func (r *Repo) Clone(args ...string) *Repo {
	r.t.Helper()
	return r.clone("clone", args...)
}

func (r *Repo) clone(name string, args ...string) *Repo {
	r.t.Helper()
	dir := filepath.Join(realTemp(r.t), name)
	r.Git(append(append([]string{"clone", "-q"}, args...), "--", r.Dir, dir)...)
	return &Repo{Dir: dir, t: r.t}
}

// Sparse limits the worktree to some folders, in cone mode.
func (r *Repo) Sparse(folders ...string) *Repo {
	r.t.Helper()
	r.Git(append([]string{"sparse-checkout", "set", "--cone"}, folders...)...)
	return r
}
