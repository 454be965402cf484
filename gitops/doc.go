// Package gitops reads the user's repository, seals the base of a run into a
// private one, makes rooms from it and freezes what was left in a room to a
// git tree.
//
// # Two sides
//
// The user's side is Runner, Repository and Snapshot. It uses the git command
// and nothing else, and only to read: git alone understands everything that a
// repository can be set up with (split and sparse indexes, worktree
// configuration, filters, LFS, alternates, excludes). New objects of a snapshot
// go to the scratch folder.
//
// The private side is Sealed and Room. It works on repositories that this
// package wrote itself, in the simplest format there is:
//
//   - Bulk is the git command's: rev-list and pack-objects copy the base out of
//     the user's repository, read-tree checks it out into a room, diff-tree and
//     apply make and prove a patch. They are several times faster than any
//     library at it, and their patch is the one that git apply reads.
//   - Questions whose answer is git's to give are the git command's, too:
//     check-ignore, check-attr, and the conversion of line ends, encodings and
//     $Id$ keywords. They are asked in a folder that holds the base's
//     .gitignore and .gitattributes files and nothing else.
//   - Single objects are go-git's: it reads the trees and blobs of the sealed
//     pack and writes those that a frozen tree adds. Trees are compared and
//     edited here, on the raw bytes of their entries, so that no name is
//     changed on the way.
//
// A git command on the private side sees no configuration of the user or the
// system, but for what is copied on purpose: how files look in a worktree
// (core.autocrlf, core.eol, core.fileMode, core.symlinks, core.ignoreCase,
// core.precomposeUnicode, info/attributes) and what is ignored (info/exclude,
// core.excludesFile). No filter, hook or other program of the user runs.
//
// # Rooms
//
// After a room was handed to a hook no git command runs in it or on it: its
// configuration, index, attributes and .git may be the hook's work, and git
// would run programs that they name. A room is read by lstat and raw bytes,
// through os.Root, and compared with the manifest that was taken when it was
// made.
//
// # A run
//
//	scratch, err := NewScratch(cacheRoot, runID)  // and scratch.Close at the end, whatever happens
//	base, err := repo.Snapshot(ctx, scratch)      // or repo.ResolveCommit
//	sealed, err := Seal(ctx, runner, repo, base, scratch, SealOptions{})
//	room, err := sealed.NewRoom(ctx, RoomSpec{Name: "edit-1"})
//	...                                           // a hook works in room.Dir, and everything it started ends
//	frozen, err := sealed.Freeze(ctx, room, FreezeOptions{})
//	clean, err := sealed.NewRoom(ctx, RoomSpec{Name: "clean-1", Tree: frozen.Tree})
//	...                                           // verifiers run in clean.Dir
//	changed, err := clean.Compare(ctx, nil)
//	patch, err := sealed.Diff(ctx, frozen.Tree)
//
// Ids are full SHA-1 object ids in hex. Paths are slash-separated bytes as git
// stores them, not necessarily UTF-8.
package gitops
