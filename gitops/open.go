package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Open finds the repository that the folder dir belongs to, as git does: from
// any folder of a worktree, linked worktree or submodule, or from inside a
// bare repository. GIT_DIR and its kin in the environment do not count. A
// folder inside the git folder of a repository with a worktree is refused
// with ErrInsideGitDir: there the worktree that the caller means is unknown.
// The other errors that a caller may tell apart are ErrNotRepository,
// *UnsafeRepositoryError and *UnsupportedError.
func Open(ctx context.Context, r *Runner, dir string) (*Repository, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("open repository: %s: %w", printable(dir), reasonOf(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("open repository: %s is not a folder", printable(dir))
	}
	const flags = 4
	out, err := revParse(ctx, r, dir, flags, "--is-bare-repository", "--is-inside-git-dir",
		"--is-inside-work-tree", "--show-object-format", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return nil, openError(dir, err)
	}
	repo := &Repository{
		Bare: out[0] == "true", GitDir: filepath.FromSlash(out[4]), CommonDir: filepath.FromSlash(out[5]), runner: r,
	}
	if format := out[3]; format != "sha1" {
		return nil, &UnsupportedError{Dir: dir, Feature: "object format " + format, Remedy: "patchvet reads SHA-1 repositories"}
	}
	if repo.Bare {
		return repo, nil
	}
	if out[1] == "true" || out[2] != "true" {
		return nil, fmt.Errorf("open repository: %s: %w", printable(dir), ErrInsideGitDir)
	}
	out, err = revParse(ctx, r, dir, 0, "--show-toplevel", "--show-prefix")
	if err != nil {
		return nil, openError(dir, err)
	}
	repo.Root = filepath.FromSlash(out[0])
	repo.Prefix = strings.TrimSuffix(out[1], "/")
	return repo, nil
}

// revParse asks several questions in one call and returns one answer each;
// the first flags answers are single words. Git has no NUL-terminated form of
// this: where a path holds a line end, the count is wrong and every question
// is asked again alone.
func revParse(ctx context.Context, r *Runner, dir string, flags int, questions ...string) ([]string, error) {
	out, err := r.Run(ctx, dir, RunOptions{}, append([]string{"rev-parse"}, questions...)...)
	if err != nil {
		return nil, err
	}
	var asked, modifiers []string
	for _, q := range questions {
		if strings.HasPrefix(q, "--path-format") {
			modifiers = append(modifiers, q)
		} else {
			asked = append(asked, q)
		}
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) == len(asked) {
		return answers, nil
	}
	if len(answers) < len(asked) {
		return nil, fmt.Errorf("git rev-parse in %s gave %d answers to %d questions", printable(dir), len(answers), len(asked))
	}
	for i := flags; i < len(asked); i++ {
		args := append(append([]string{"rev-parse"}, modifiers...), asked[i])
		if out, err = r.Run(ctx, dir, RunOptions{}, args...); err != nil {
			return nil, err
		}
		answers[i] = strings.TrimSuffix(string(out), "\n")
	}
	return answers[:len(asked)], nil
}

// reasonOf is the error below a path error, whose text holds the path raw.
func reasonOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// openError turns what git says on a folder into what a caller can act on.
func openError(dir string, err error) error {
	var failed *CommandError
	if !errors.As(err, &failed) {
		return fmt.Errorf("open repository: %w", err)
	}
	text := failed.Stderr
	switch {
	case strings.Contains(text, "safe.directory "), strings.Contains(text, "unsafe repository ("):
		return &UnsafeRepositoryError{Dir: dir, Remedy: "git config --global --add safe.directory " + unsafePath(text, dir)}
	case strings.Contains(text, "safe.bareRepository"):
		return &UnsafeRepositoryError{Dir: dir, Remedy: "git config --global safe.bareRepository all"}
	case strings.Contains(text, "unknown repository extension"), strings.Contains(text, "Expected git repo version"):
		return &UnsupportedError{Dir: dir, Feature: afterFatal(text), Remedy: "a newer git may read it"}
	case strings.Contains(text, "not a git repository"):
		return fmt.Errorf("open repository: %s: %w", printable(dir), ErrNotRepository)
	}
	return fmt.Errorf("open repository: %w", err)
}

// unsafePath is the path as git quotes it for the shell in its own advice, or,
// from a git older than 2.35.3, the path in its complaint.
func unsafePath(text, dir string) string {
	if _, path, ok := strings.Cut(text, "safe.directory "); ok {
		return strings.TrimSuffix(path, "\n")
	}
	_, path, _ := strings.Cut(text, "unsafe repository ('")
	if i := strings.LastIndex(path, "' is owned by"); i >= 0 {
		return shellQuote(path[:i])
	}
	return shellQuote(dir)
}

// shellQuote makes one word for sh of any text.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%=:,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// afterFatal is the message of the first fatal line and what follows it, on
// one line.
func afterFatal(text string) string {
	_, rest, _ := strings.Cut(text, "fatal: ")
	return printable(strings.Join(strings.Fields(rest), " "))
}
