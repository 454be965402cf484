package gitops

// Frozen is what was left in a room, read from outside and named as a tree.
type Frozen struct {
	// Tree is the id of T: the room's own tree with every deliverable change
	// in it. The paths of Rejected are in it as the base has them.
	Tree string
	// Changes is how T differs from the base, sorted by path.
	Changes []Change
	// Debris is what is new in the room and no part of T because the base's
	// ignore rules or the table of debris say so, sorted. A folder of which
	// nothing belongs to T is one line that ends in a slash.
	Debris []string
	// Suspicious is what belongs to T and deserves a look, sorted by path.
	Suspicious []Suspicion
	// Rejected is what cannot be, or may not be, part of T, sorted by path.
	Rejected []Rejection
}

// Suspicion is one path that is reported without a verdict.
type Suspicion struct {
	Path   string
	Reason string // one sentence
}
