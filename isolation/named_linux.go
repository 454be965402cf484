package isolation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/patchvet/patchvet/isolation/launcher"
)

// namedMounts shows files and folders of the machine that a command line names
// by their absolute paths, read-only, to that command alone: a holdout or a
// hook lies outside of the repository and is there for nobody else. What the
// box shows already, or has of its own, is left as it is.
func (n *native) namedMounts(line string, jobs []Mount, shown []launcher.Mount) []Mount {
	var out []Mount
	for _, path := range absolutePaths(line) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		// A box's own folders are in memory: what lies in them here is not there.
		visible := slices.ContainsFunc(shown, func(m launcher.Mount) bool {
			return within(m.Target, path) || m.Kind != launcher.MountTmpfs && within(path, m.Target)
		})
		ours := slices.ContainsFunc(append(slices.Clone(jobs), out...), func(m Mount) bool {
			return within(path, m.Target) || within(m.Target, path)
		})
		reveals := slices.ContainsFunc(n.opt.Hide, func(dir string) bool { return within(dir, path) })
		if visible || ours || reveals {
			continue
		}
		out = append(out, Mount{Source: path, Target: path, ReadOnly: true, Keep: true})
	}
	return out
}

// absolutePaths are the words of a shell line that are paths from the root,
// also those behind an option's equals sign. Words with blanks in them are not
// found.
func absolutePaths(line string) []string {
	words := strings.FieldsFunc(line, func(r rune) bool {
		return strings.ContainsRune(" \t\n'\"`;|&()<>=", r)
	})
	var out []string
	for _, word := range words {
		if filepath.IsAbs(word) {
			out = append(out, filepath.Clean(word))
		}
	}
	return out
}
