package gitops

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// roomIdentity lets `git commit` and `git stash` work in a room. The user's
// own name is not told.
const roomIdentity = "[user]\n\tname = patchvet room\n\temail = patchvet@localhost\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n"

// writeRoomGit makes a room's .git: the base's pack, one commit, one branch,
// its own configuration, nothing shared with any other repository.
func (s *Sealed) writeRoomGit(dir string, exclude []string) error {
	gitDir := filepath.Join(dir, ".git")
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n" + s.settings.config() + roomIdentity
	if err := writeGitDir(gitDir, config); err != nil {
		return err
	}
	if err := s.writeRefs(gitDir); err != nil {
		return err
	}
	if err := s.writeInfo(gitDir, exclude); err != nil {
		return err
	}
	for _, ext := range []string{".pack", ".idx"} {
		if err := copyNew(s.pack+ext, filepath.Join(gitDir, "objects", "pack", filepath.Base(s.pack)+ext)); err != nil {
			return fmt.Errorf("copy the base's objects: %w", err)
		}
	}
	return nil
}

// copyNew copies a file, never by a hard link: a write through the copy must
// not reach the original. The kernel shares or copies the blocks where it can
// (os.File.ReadFrom).
func copyNew(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}
