package isolation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// validate says what is wrong with a job before anything of it is done.
// own: the command sees a root of its own, and the folder is not this machine's.
func (j Job) validate(own bool) error {
	switch {
	case j.Command.Shell == "" && len(j.Command.Argv) == 0:
		return errors.New("the command is empty")
	case j.Command.Shell != "" && len(j.Command.Argv) > 0:
		return errors.New("the command is given twice, as a shell line and as an argv")
	case len(j.Command.Argv) > 0 && j.Command.Argv[0] == "":
		return errors.New("the command's name is empty")
	case !filepath.IsAbs(j.Dir):
		return fmt.Errorf("the working directory %q is not absolute", j.Dir)
	case !filepath.IsAbs(j.Log):
		return fmt.Errorf("the log's path %q is not absolute", j.Log)
	case j.Limits.Timeout < 0 || j.Limits.MaxOutput < 0 || j.Limits.OutputBudget < 0 || j.Limits.Memory < 0 || j.Limits.PIDs < 0:
		return errors.New("a limit is negative")
	}
	for _, text := range append([]string{j.Command.Shell}, j.Command.Argv...) {
		if strings.Contains(text, "\x00") {
			return fmt.Errorf("the command %q holds a NUL byte, which no program can be given", text)
		}
	}
	for _, entry := range j.Env {
		if strings.Contains(entry, "\x00") || strings.IndexByte(entry, '=') < 1 {
			// The value may be a secret; the name is enough to find it.
			name, _, _ := strings.Cut(entry, "=")
			return fmt.Errorf("the environment entry %q is not NAME=value without a NUL byte", name)
		}
	}
	if own {
		return j.validateMounts()
	}
	info, err := os.Stat(j.Dir)
	if err != nil {
		return fmt.Errorf("the working directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the working directory %s is not a folder", j.Dir)
	}
	return nil
}

// validateMounts says which mount cannot be made.
func (j Job) validateMounts() error {
	for _, m := range j.Mounts {
		switch {
		case !filepath.IsAbs(m.Source) || !filepath.IsAbs(m.Target):
			return fmt.Errorf("the mount of %q at %q is not absolute", m.Source, m.Target)
		case strings.Contains(m.Source+m.Target, "\x00"):
			return fmt.Errorf("the mount of %q holds a NUL byte", m.Source)
		}
		if _, err := os.Lstat(m.Source); err != nil {
			return fmt.Errorf("the mount at %s: %w", m.Target, err)
		}
	}
	return nil
}
