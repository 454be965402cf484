package gitops

import (
	"bytes"
	"os"
	"path"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// normalizer is a worktree that holds the base's .gitignore and
// .gitattributes files and nothing else, with a git folder of its own. Every
// question about ignore rules and attributes is asked there, so that nothing
// that a hook wrote has a say. It is written once and then only read.
type normalizer struct {
	place
	fresh      string // folder for new objects
	attributes bool   // some file gives attributes
	filters    bool   // and speaks of filters
	converts   bool   // core.autocrlf changes files without any attribute
	settings   settings
}

func (s *Sealed) newNormalizer() (*normalizer, error) {
	dir := s.scratch.Path(normalFolder)
	n := &normalizer{
		place:      place{runner: s.runner, gitDir: filepath.Join(dir, "git"), workTree: filepath.Join(dir, "tree")},
		fresh:      filepath.Join(s.scratch.Path(freshFolder), "objects"),
		attributes: len(bytes.TrimSpace(s.settings.attributes)) > 0,
		converts:   s.settings.autocrlf != "false",
		filters:    bytes.Contains(s.settings.attributes, []byte("filter")),
		settings:   s.settings,
	}
	n.index = filepath.Join(dir, "no-index")
	if err := os.MkdirAll(n.workTree, 0o777); err != nil {
		return nil, err
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" + s.settings.config()
	if err := writeGitDir(n.gitDir, config); err != nil {
		return nil, err
	}
	if err := s.writeInfo(n.gitDir, nil); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(n.workTree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for name, e := range s.entries {
		// Git does not follow these two where they are symbolic links.
		base := path.Base(name)
		if !isFile(e.mode) || base != ".gitignore" && base != ".gitattributes" {
			continue
		}
		data, err := s.store.read(plumbing.BlobObject, e.id)
		if err != nil {
			return nil, err
		}
		if base == ".gitattributes" {
			n.attributes = true
			n.filters = n.filters || bytes.Contains(data, []byte("filter"))
		}
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return nil, err
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// writeInfo writes info/exclude and info/attributes of a git folder: the
// user's, and the paths that a room keeps to itself.
func (s *Sealed) writeInfo(gitDir string, exclude []string) error {
	rules := append([]byte{}, s.settings.exclude...)
	if len(exclude) > 0 {
		rules = append(rules, '\n')
	}
	for _, p := range exclude {
		rules = append(append(rules, ignorePattern(p)...), '\n')
	}
	if err := os.WriteFile(filepath.Join(gitDir, "info", "exclude"), rules, 0o666); err != nil {
		return err
	}
	if len(s.settings.attributes) == 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(gitDir, "info", "attributes"), s.settings.attributes, 0o666)
}
