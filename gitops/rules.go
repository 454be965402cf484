package gitops

// The rules of a Rejection: why a path of a room is not part of the frozen
// tree, or, from Room.Compare, how it differs from what the room began with.
const (
	// RuleFiltered: the bytes changed under a filter attribute (LFS, crypt),
	// whose program is never run on a candidate.
	RuleFiltered = "filtered-path"
	// RuleNoRoundTrip: the bytes are not those that git would check out again
	// after storing them under the base's eol, text, ident and
	// working-tree-encoding attributes (gitattributes(5)).
	RuleNoRoundTrip = "no-round-trip"
	// RuleHardLink: the file shares its bytes with another name.
	RuleHardLink = "hard-link"
	// RuleSpecial: a fifo, socket or device.
	RuleSpecial = "special-file"
	// RuleUnreadable: the walk could not read the file or folder.
	RuleUnreadable = "unreadable"
	// RuleNested: a folder that holds a .git of its own.
	RuleNested = "nested-repository"
	// RuleGitlink: the place of a submodule is no longer an empty folder.
	RuleGitlink = "gitlink"
	// RuleOutward: a symbolic link that leads out of the worktree.
	RuleOutward = "outward-symlink"
	// RuleGitTwin: a name that some file system takes for .git, or a link in
	// the place of .gitmodules. Git refuses both.
	RuleGitTwin = "git-twin"
	// RuleGitFolder: the room's own .git is no longer a folder.
	RuleGitFolder = "git-folder"
	// RuleTooLong: the path is longer than any program can open.
	RuleTooLong = "path-too-long"
	// RuleTooLarge: the changed bytes of the room are more than a patch holds.
	RuleTooLarge = "too-large"
	// RuleChanged: the path is not what it was when the room was made.
	RuleChanged = "changed"
	// RuleMissing: the path is no longer there.
	RuleMissing = "missing"
	// RuleRewritten: the file was written or replaced, and its bytes were put
	// back.
	RuleRewritten = "rewritten"
)
