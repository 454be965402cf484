package gitops

// policy says which changes of a path a role allows.
type policy string

const (
	frozen policy = "frozen" // new files may be added; those of the base may not change
	closed policy = "closed" // neither
	noNew  policy = "no-new" // those of the base may change, new ones may not be added
)

// role is one rule of the default ratchet: what kind of file a path names,
// told by the path alone. A role is a row of data in the tables of the files
// role_*.go.
type role struct {
	name     string
	policy   policy
	test     bool     // a part of the tests, as against what runs them
	patterns []string // doublestar, see glob
	but      []string // exceptions from patterns
	files    bool     // patterns describe a file's own name, and no folder above it
	when     []string // the role counts only if the oracle runs one of these programs; nil: always
	what     string   // completes "it is ..."
}

// roles are all rows, those of the tests first.
func roles() []role {
	var all []role
	all = append(all, testRoles()...)
	all = append(all, materialRoles()...)
	all = append(all, runnerRoles()...)
	all = append(all, buildRoles()...)
	return append(all, startupRoles()...)
}

// allows says whether a role lets a path of the base change (exists), or a new
// one appear.
func (p policy) allows(exists bool) bool {
	return p == frozen && !exists || p == noNew && exists
}
