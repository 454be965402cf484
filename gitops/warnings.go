package gitops

import (
	"context"
	"sort"
)

// findWarnings says what the rooms of this base lack.
func (s *Sealed) findWarnings(ctx context.Context) error {
	var missing []string
	var err error
	if s.lfs, missing, err = s.findLFS(ctx); err != nil {
		return err
	}
	var modules []string
	for path, e := range s.entries {
		if e.mode == modeGitlink {
			modules = append(modules, path)
		}
	}
	sort.Strings(modules)
	for _, p := range modules {
		s.warnings = append(s.warnings, "submodule "+printable(p)+" is left alone: its folder is empty in every room")
	}
	for _, p := range s.base.LeftOut {
		s.warnings = append(s.warnings, "nested repository "+printable(p)+" is not part of the snapshot")
	}
	for _, p := range s.base.Moved {
		s.warnings = append(s.warnings, "submodule "+printable(p)+" has another commit checked out: the recorded one counts")
	}
	for _, p := range s.base.Assumed {
		s.warnings = append(s.warnings, "file "+printable(p)+" is marked assume-unchanged or skip-worktree: what the index has counts")
	}
	for _, p := range missing {
		s.warnings = append(s.warnings, "the LFS content of "+printable(p)+" is not on this machine: rooms have its pointer (`git lfs pull` fetches it)")
	}
	return nil
}

// Warnings are one line each: submodules and nested repositories that are
// left out, LFS content that is not on this machine.
func (s *Sealed) Warnings() []string { return s.warnings }
