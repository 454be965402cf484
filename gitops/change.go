package gitops

// Kind says how a path of a tree differs from the base.
type Kind string

// The kinds of a change. A path that changes type or mode and bytes has the
// kind of the rarer difference: type before mode before modified.
const (
	Added    Kind = "added"
	Modified Kind = "modified"
	Deleted  Kind = "deleted"
	Type     Kind = "type" // file, symlink or gitlink turned into another of the three
	Mode     Kind = "mode" // the executable bit
)

// Change is one path in which two trees differ. Paths are slash-separated
// bytes as git stores them, not necessarily UTF-8.
type Change struct {
	Path    string
	Kind    Kind
	OldMode string // six octal digits as in a tree object, "" for Added
	NewMode string // "" for Deleted
	OldID   string // object id, "" for Added
	NewID   string // "" for Deleted
}

// Rejection is one path that may not be part of a candidate, and why.
type Rejection struct {
	Path   string
	Rule   string // closed list: see the Rule constants
	Reason string // one sentence
}
