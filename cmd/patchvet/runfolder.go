package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/patchvet/patchvet/gitops"
)

// runFolder is where one run leaves its account.
type runFolder struct {
	path string // absolute
	name string // as the user may type it
}

// makeRunFolder makes the folder of a run. Inside a worktree it ignores
// itself, so that git status and the next snapshot do not see it.
func makeRunFolder(repo *gitops.Repository, out, id string) (runFolder, error) {
	if out == "" {
		return defaultRunFolder(repo, id)
	}
	path, err := filepath.Abs(out)
	if err != nil {
		return runFolder{}, fmt.Errorf("--out %s: %w", out, err)
	}
	if where := insideGit(repo, path); where != "" {
		return runFolder{}, usagef("--out %s: lies inside %s, which belongs to git: choose another folder", out, where)
	}
	fresh, err := emptyOrAbsent(path)
	if err != nil {
		return runFolder{}, usagef("--out %s: %w", out, err)
	}
	inside := repo.Root != "" && within(realPath(repo.Root), realPath(path))
	for _, name := range []string{"journal.jsonl", "loop.json"} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return runFolder{}, usagef("--out %s: holds the account of an earlier run (%s): choose another folder", out, name)
		}
	}
	if inside && !fresh {
		return runFolder{}, usagef("--out %s: lies in the worktree and is not empty: choose an empty or new folder", out)
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return runFolder{}, usagef("--out %s: %w", out, err)
	}
	if inside {
		if err := os.WriteFile(filepath.Join(path, ".gitignore"), []byte("*\n"), 0o644); err != nil {
			return runFolder{}, fmt.Errorf("make the run folder %s: %w", out, err)
		}
	}
	return runFolder{path: path, name: out}, nil
}

// defaultRunFolder is .patchvet/runs/ID at the root of the worktree.
func defaultRunFolder(repo *gitops.Repository, id string) (runFolder, error) {
	if repo.Root == "" {
		return runFolder{}, usagef("a bare repository has no place for the run folder: give --out DIR")
	}
	// A link in a hostile repository must not lead the account elsewhere.
	for _, name := range []string{".patchvet", filepath.Join(".patchvet", "runs")} {
		info, err := os.Lstat(filepath.Join(repo.Root, name))
		if err == nil && !info.IsDir() {
			return runFolder{}, usagef("%s is not a folder: remove it, or give --out DIR", name)
		}
	}
	runs := filepath.Join(repo.Root, ".patchvet", "runs")
	path := filepath.Join(runs, id)
	if err := os.MkdirAll(path, 0o755); err != nil {
		return runFolder{}, fmt.Errorf("make the run folder: %w", err)
	}
	ignore := filepath.Join(runs, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return runFolder{}, fmt.Errorf("make the run folder: %w", err)
		}
	}
	name := path
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(realPath(wd), realPath(path)); err == nil {
			name = rel
		}
	}
	return runFolder{path: path, name: name}, nil
}

func emptyOrAbsent(path string) (bool, error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return len(entries) == 0, nil
}

// insideGit names the git folder that path lies in, or "".
func insideGit(repo *gitops.Repository, path string) string {
	for _, dir := range []string{repo.GitDir, repo.CommonDir} {
		if within(realPath(dir), realPath(path)) {
			return dir
		}
	}
	return ""
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPath resolves the links of the part of path that exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}
