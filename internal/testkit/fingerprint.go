package testkit

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Fingerprint is all that a user can notice about a repository: what git says
// of it, and every file and folder of worktree and git folder by bytes, mode
// and modification time. So it sees a refreshed index, an object file whose
// time was set, and a lock file that came and went.
type Fingerprint struct {
	repo    *Repo
	skip    []string
	entries map[string]string
}

// TakeFingerprint reads a repository. skip names entries at the top of the
// worktree that may change, such as the run folder.
func TakeFingerprint(t testing.TB, dir string, skip ...string) *Fingerprint {
	t.Helper()
	f := &Fingerprint{repo: &Repo{Dir: dir, t: t}, skip: skip}
	f.entries = f.read()
	return f
}

// Check reads the repository again and fails the test on every difference.
func (f *Fingerprint) Check(t testing.TB) {
	t.Helper()
	if diff := f.Diff(); len(diff) > 0 {
		t.Errorf("the repository %s was touched:\n%s", f.repo.Dir, strings.Join(diff, "\n"))
	}
}

// Diff reads the repository again and tells every difference.
func (f *Fingerprint) Diff() []string {
	f.repo.t.Helper()
	now := f.read()
	var diff []string
	for name, was := range f.entries {
		if is, ok := now[name]; !ok {
			diff = append(diff, fmt.Sprintf("%q is gone", name))
		} else if is != was {
			diff = append(diff, fmt.Sprintf("%q was %q, is %q", name, was, is))
		}
	}
	for name := range now {
		if _, ok := f.entries[name]; !ok {
			diff = append(diff, fmt.Sprintf("%q is new", name))
		}
	}
	slices.Sort(diff)
	return diff
}

func (f *Fingerprint) read() map[string]string {
	f.repo.t.Helper()
	entries := map[string]string{}
	gitDir := f.repo.Git("rev-parse", "--absolute-git-dir")
	common := f.repo.Git("rev-parse", "--path-format=absolute", "--git-common-dir")
	f.tree(entries, "git/", common, nil)
	if gitDir != common && !strings.HasPrefix(gitDir, common+"/") {
		f.tree(entries, "own-git/", gitDir, nil)
	}
	if f.repo.Git("rev-parse", "--is-bare-repository") == "false" {
		f.tree(entries, "worktree/", f.repo.Dir, f.skip)
		// A status sets the time of a shared index, and may ask fsmonitor.
		defer keepTimes(gitDir)()
		status := []string{"-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "--ignored", "--untracked-files=all", "-z", "--", "."}
		for _, name := range f.skip {
			status = append(status, ":(exclude,top,literal)"+name)
		}
		entries["status"] = f.say(status...)
	}
	entries["refs"] = f.say("for-each-ref")
	entries["head"] = f.say("symbolic-ref", "-q", "HEAD")
	entries["stash"] = f.say("stash", "list")
	entries["worktrees"] = f.say("worktree", "list", "--porcelain")
	entries["config"] = f.say("config", "--list", "--show-origin", "-z")
	return entries
}

// keepTimes returns a function that sets the times of the shared indexes of a
// git folder back to what they are now.
func keepTimes(gitDir string) func() {
	times := map[string]os.FileInfo{}
	names, _ := filepath.Glob(filepath.Join(gitDir, "sharedindex.*"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			times[name] = info
		}
	}
	return func() {
		for name, info := range times {
			os.Chtimes(name, info.ModTime(), info.ModTime())
		}
	}
}

// say is what git prints; a command that fails, as on an unmerged or broken
// repository, counts by its message.
func (f *Fingerprint) say(args ...string) string {
	out, err := f.repo.TryGit(args...)
	if err != nil {
		return out + err.Error()
	}
	return out
}

func (f *Fingerprint) tree(entries map[string]string, prefix, root string, skip []string) {
	f.repo.t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() { // unreadable: what can be seen of it counts
				entries[prefix+path] += " unreadable"
				return nil
			}
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if slices.Contains(skip, rel) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		text, err := describe(path, rel == "." && len(skip) > 0)
		entries[prefix+path] = text
		return err
	})
	if err != nil {
		f.repo.t.Fatal(err)
	}
}

// describe is one entry on one line.
func describe(path string, anyTime bool) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	text := info.Mode().String()
	if !anyTime {
		text += info.ModTime().Format(" 2006-01-02T15:04:05.000000000")
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return text + " -> " + target, err
	case info.Mode().IsRegular():
		file, err := os.Open(path)
		if err != nil {
			return text + " unreadable", nil
		}
		defer file.Close()
		hash := sha256.New()
		if _, err := io.Copy(hash, file); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %d %x", text, info.Size(), hash.Sum(nil)), nil
	}
	return text, nil
}
