package gitops

import (
	"path"
	"strings"
)

// debrisRow is one sort of file that tools leave behind and nobody means to
// hand over, ignored or not.
type debrisRow struct {
	name   string // pattern of one name (path.Match)
	folder bool   // a folder and everything in it
	top    bool   // only at the root of the worktree
}

// debrisTable is applied to new paths only, and a row has no say in a folder
// where the base tracks something that it names. Not in it, because a repair
// may consist of them: node_modules, vendor, target, build, dist, *.egg-info,
// lock files.
var debrisTable = []debrisRow{
	{name: "__pycache__", folder: true},
	{name: "*.pyc"},
	{name: ".pytest_cache", folder: true},
	{name: ".mypy_cache", folder: true},
	{name: ".ruff_cache", folder: true},
	{name: ".hypothesis", folder: true},
	{name: ".coverage"},
	{name: ".coverage.*"},
	{name: ".nyc_output", folder: true},
	{name: ".DS_Store"},
	{name: "._.DS_Store"},
	{name: "Thumbs.db"},
	// The account of a run that a hook made inside the room.
	{name: ".patchvet", folder: true, top: true},
	// State of agents.
	{name: ".claude", folder: true, top: true},
	{name: ".codex", folder: true, top: true},
	{name: ".cursor", folder: true, top: true},
	{name: ".gemini", folder: true, top: true},
	{name: ".opencode", folder: true, top: true},
	{name: ".aider*", top: true},
	{name: ".aider*", folder: true, top: true},
}

// where is the path that a row takes for debris: p itself or a folder above
// it. It is "" when the row does not name p.
func (r debrisRow) where(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if r.top && i > 0 {
			break
		}
		if last := i == len(parts)-1; r.folder == last {
			continue
		}
		if ok, err := path.Match(r.name, part); ok && err == nil {
			return strings.Join(parts[:i+1], "/")
		}
	}
	return ""
}

// debris knows what of the table holds for one base.
type debris struct {
	tracked map[string]bool // "<row>/<folder>" in which the base has something that the row names
}

func newDebris(base map[string]treeEntry) *debris {
	d := &debris{tracked: map[string]bool{}}
	for p := range base {
		for i, row := range debrisTable {
			if at := row.where(p); at != "" {
				d.tracked[debrisKey(i, at)] = true
			}
		}
	}
	return d
}

// debrisKey names a row in a place: of a folder row the folder itself, of a
// file row the folder that the file is in.
func debrisKey(row int, at string) string {
	if !debrisTable[row].folder {
		at = path.Dir(at)
	}
	return string(rune('a'+row)) + "/" + at
}

// is says whether a new path is debris by the table.
func (d *debris) is(p string) bool {
	for i, row := range debrisTable {
		if at := row.where(p); at != "" && !d.tracked[debrisKey(i, at)] {
			return true
		}
	}
	return false
}
