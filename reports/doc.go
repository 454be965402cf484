// Package reports turns the journal of a run into what people and machines
// read: the ledger with its envelope, the hand-off and completion reports, the
// summary and the tables for other tools. Everything here but the writing of
// files and Replay's reading of them is a pure function of the events.
//
// Two rules hold in every text. What was not checked is said, in the first
// line where it matters. And of the holdout nothing appears but whether there
// was one, how often it ran and its verdict.
package reports
