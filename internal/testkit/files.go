package testkit

import (
	"os"
	"path/filepath"
)

// Path is the path of something in the worktree.
func (r *Repo) Path(rel string) string { return filepath.Join(r.Dir, filepath.FromSlash(rel)) }

// Write writes a file with mode 0644, and the folders above it.
func (r *Repo) Write(rel, content string) *Repo {
	r.t.Helper()
	return r.WriteMode(rel, content, 0o644)
}

// WriteMode writes a file with the given permissions.
func (r *Repo) WriteMode(rel, content string, mode os.FileMode) *Repo {
	r.t.Helper()
	path := r.Path(rel)
	r.do(os.MkdirAll(filepath.Dir(path), 0o755))
	r.do(os.WriteFile(path, []byte(content), mode))
	r.do(os.Chmod(path, mode))
	return r
}

// Read is the content of a file.
func (r *Repo) Read(rel string) string {
	r.t.Helper()
	data, err := os.ReadFile(r.Path(rel))
	r.do(err)
	return string(data)
}

// Symlink makes a symbolic link, in place of what is there.
func (r *Repo) Symlink(rel, target string) *Repo {
	r.t.Helper()
	path := r.Path(rel)
	r.do(os.MkdirAll(filepath.Dir(path), 0o755))
	r.do(os.RemoveAll(path))
	r.do(os.Symlink(target, path))
	return r
}

// Mkdir makes a folder and those above it.
func (r *Repo) Mkdir(rel string) *Repo {
	r.t.Helper()
	r.do(os.MkdirAll(r.Path(rel), 0o755))
	return r
}

// Remove removes a file or a folder with all that is in it.
func (r *Repo) Remove(rel string) *Repo {
	r.t.Helper()
	r.do(os.RemoveAll(r.Path(rel)))
	return r
}

// Chmod sets permissions.
func (r *Repo) Chmod(rel string, mode os.FileMode) *Repo {
	r.t.Helper()
	r.do(os.Chmod(r.Path(rel), mode))
	return r
}

func (r *Repo) do(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}
