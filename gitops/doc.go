// Package gitops reads the user's repository, seals the base of a run into a
// private one, makes rooms from it and freezes what was left in a room to a
// git tree.
package gitops
