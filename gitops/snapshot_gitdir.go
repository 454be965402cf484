package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// standIn makes a git folder that stands in for the user's while a snapshot is
// taken, because programs that git starts write there: git-lfs adds a key to
// the configuration, git-annex keeps content and a journal. It has
//   - the configuration in force, written out flat: includes, and conditions
//     on the folder's place, would not mean the same in another folder;
//   - copies of info/exclude, info/attributes and the shared indexes;
//   - links to what filters keep in the git folder, such as git-crypt's keys.
func (s *snapshotStore) standIn(ctx context.Context, head string) error {
	listed, err := s.repo.git(ctx, RunOptions{}, "config", "--list", "-z")
	if err != nil {
		return err
	}
	config, partial := flatConfig(listed)
	s.partial = partial
	if err := writeGitDir(s.gitDir, config); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.gitDir, "HEAD"), []byte(head+"\n"), 0o600); err != nil {
		return err
	}
	for _, name := range []string{"exclude", "attributes"} {
		if err := copyFile(filepath.Join(s.repo.CommonDir, "info", name), filepath.Join(s.gitDir, "info", name)); err != nil {
			return err
		}
	}
	shared, err := s.repo.sharedIndexes()
	if err != nil {
		return err
	}
	for _, name := range shared {
		if err := copyFile(filepath.Join(s.repo.GitDir, name), filepath.Join(s.gitDir, name)); err != nil {
			return err
		}
	}
	return s.linkTools()
}

// linkTools links what is in the git folder and not git's own.
func (s *snapshotStore) linkTools() error {
	entries, err := os.ReadDir(s.repo.CommonDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if isGitsOwn(name) || name == "lfs" || name == "annex" {
			continue
		}
		err := os.Symlink(filepath.Join(s.repo.CommonDir, name), filepath.Join(s.gitDir, name))
		if err != nil && !errors.Is(err, fs.ErrExist) && runtime.GOOS != "windows" { // where it needs a privilege
			return err
		}
	}
	return nil
}

// isGitsOwn knows the names of gitrepository-layout(5). Those in capitals are
// heads and messages.
func isGitsOwn(name string) bool {
	switch name {
	case "branches", "commondir", "config", "config.worktree", "description", "gitdir", "hooks", "index", "info", "logs", "modules",
		"objects", "packed-refs", "refs", "reftable", "rebase-apply", "rebase-merge", "rr-cache", "sequencer", "shallow", "worktrees":
		return true
	}
	return strings.ToUpper(name) == name || strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, "sharedindex.") || strings.HasPrefix(name, "gc.") || strings.HasPrefix(name, "fsmonitor")
}

// flatConfig writes `git config --list -z` ("key LF value NUL", or "key NUL"
// for a key alone) as one file, and tells whether the repository is a partial
// clone.
func flatConfig(listed []byte) (config string, partial bool) {
	var out strings.Builder
	for item := range bytes.SplitSeq(listed, []byte{0}) {
		key, value, hasValue := strings.Cut(string(item), "\n")
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		if first < 0 {
			continue
		}
		section, name := key[:first], key[last+1:]
		switch {
		case section == "include", section == "includeif", key == "core.worktree", key == "core.bare":
			continue
		case key == "extensions.partialclone", section == "remote" && name == "promisor" && value != "false":
			partial = true
		}
		if first < last {
			section += ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key[first+1:last]) + `"`
		}
		fmt.Fprintf(&out, "[%s]\n\t%s", section, name)
		if hasValue {
			fmt.Fprintf(&out, ` = "%s"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`).Replace(value))
		}
		out.WriteByte('\n')
	}
	out.WriteString("[core]\n\tbare = false\n")
	return out.String(), partial
}

// copyFile copies a regular file with its time; one that is missing is none.
func copyFile(from, to string) error {
	data, modified, err := readWithTime(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, modified, modified)
	}
	return err
}
