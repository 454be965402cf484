package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// settings is all that the private side takes over from the user's
// configuration: what decides how a blob of the base looks in a worktree, and
// which new files count as ignored. Never a program.
type settings struct {
	autocrlf   string // "true", "input" or "false" (git-config(1), core.autocrlf)
	eol        string // "lf", "crlf", "native" or "" (core.eol)
	fileMode   bool   // core.fileMode
	symlinks   bool   // core.symlinks
	ignoreCase bool   // core.ignoreCase
	precompose bool   // core.precomposeUnicode
	exclude    []byte // core.excludesFile, then info/exclude: the later line wins
	attributes []byte // info/attributes
	lfsStorage string // absolute folder of LFS content
}

// readSettings asks the user's git how it would check out this repository.
func readSettings(ctx context.Context, repo *Repository) (settings, error) {
	out, err := repo.git(ctx, RunOptions{}, "config", "--list", "-z")
	if err != nil {
		return settings{}, err
	}
	values := parseConfigList(out)
	s := settings{autocrlf: "false"}
	s.fileMode = gitBool(values, "core.filemode", true)
	s.symlinks = gitBool(values, "core.symlinks", true)
	s.ignoreCase = gitBool(values, "core.ignorecase", false)
	s.precompose = gitBool(values, "core.precomposeunicode", false)
	if v := values["core.autocrlf"]; v != nil && strings.EqualFold(*v, "input") {
		s.autocrlf = "input"
	} else if gitBool(values, "core.autocrlf", false) {
		s.autocrlf = "true"
	}
	if v := values["core.eol"]; v != nil {
		switch eol := strings.ToLower(*v); eol {
		case "lf", "crlf", "native":
			s.eol = eol
		}
	}
	s.lfsStorage = filepath.Join(repo.CommonDir, "lfs")
	if v := values["lfs.storage"]; v != nil && *v != "" {
		if s.lfsStorage = *v; !filepath.IsAbs(*v) {
			s.lfsStorage = filepath.Join(repo.CommonDir, *v)
		}
	}

	user, err := excludesFile(ctx, repo, values["core.excludesfile"] != nil)
	if err != nil {
		return settings{}, err
	}
	own, err := readSmall(filepath.Join(repo.CommonDir, "info", "exclude"))
	if err != nil {
		return settings{}, err
	}
	s.exclude = append(append(user, '\n'), own...)
	s.attributes, err = readSmall(filepath.Join(repo.CommonDir, "info", "attributes"))
	return s, err
}

// excludesFile is the content of core.excludesFile, or of its default place
// (gitignore(5)).
func excludesFile(ctx context.Context, repo *Repository, set bool) ([]byte, error) {
	if !set {
		dir := os.Getenv("XDG_CONFIG_HOME")
		if dir == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return nil, nil // no home, no file
			}
			dir = filepath.Join(home, ".config")
		}
		return readSmall(filepath.Join(dir, "git", "ignore"))
	}
	out, err := repo.git(ctx, RunOptions{}, "config", "-z", "--type=path", "--get", "core.excludesFile")
	if err != nil {
		return nil, err
	}
	path := strings.TrimSuffix(string(out), "\x00")
	if path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(repo.Root, path)
	}
	return readSmall(path)
}

// maxSmall is the most bytes that a file of ignore rules or attributes may
// have (git itself stops at 100 MiB for attributes).
const maxSmall = 100 << 20

// readSmall reads a regular file; nil when there is none.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(data) > maxSmall {
		err = fmt.Errorf("read %s: it has more than 100 MiB", path)
	}
	return data, err
}

// parseConfigList reads `git config --list -z`: "key LF value NUL", or "key
// NUL" for a key without a value. The last one of a key counts.
func parseConfigList(out []byte) map[string]*string {
	values := map[string]*string{}
	for item := range bytes.SplitSeq(out, []byte{0}) {
		key, value, ok := strings.Cut(string(item), "\n")
		if !ok {
			value = "true" // git-config(1): a key alone is true
		}
		if key != "" {
			values[key] = &value
		}
	}
	return values
}

// gitBool reads a boolean as git-config(1) spells it.
func gitBool(values map[string]*string, key string, otherwise bool) bool {
	v := values[key]
	if v == nil {
		return otherwise
	}
	switch strings.ToLower(*v) {
	case "true", "yes", "on", "1":
		return true
	case "false", "no", "off", "0", "":
		return false
	}
	return otherwise
}

// config is the part of a private repository's configuration that says how
// files look in a worktree.
func (s settings) config() string {
	eol := ""
	if s.eol != "" {
		eol = "\teol = " + s.eol + "\n"
	}
	return fmt.Sprintf("\tautocrlf = %s\n%s\tfilemode = %t\n\tsymlinks = %t\n\tignorecase = %t\n\tprecomposeunicode = %t\n",
		s.autocrlf, eol, s.fileMode, s.symlinks, s.ignoreCase, s.precompose)
}
