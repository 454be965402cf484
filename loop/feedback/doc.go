// Package feedback turns the log of a failed command into what a fix hook can
// use: the failing tests by name, what was compared, and places in the
// candidate's tree, most useful first. It also says what the log proves about
// the run: that the tests were never reached, that no test ran at all, or that
// the runner's own report and the exit code disagree.
//
// A log is untrusted text: the code under test writes into it. So nothing here
// ever turns a red result green; a reading can only make a verdict weaker
// (build-fail, inconclusive). Only lines that a runner prints itself, at the
// position where it prints them, count for such a reading; everything else is
// at most a place worth looking at.
//
// Localize reads a log once, front to back, in bounded memory. Each format is
// one file with one row in the table of runners.go.
package feedback
