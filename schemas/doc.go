// Package schemas holds the JSON Schemas (draft 2020-12) of what patchvet
// writes for other programs: the ledger, its envelope, the journal's events and
// the feedback of a fix hook. They are generated from the Go types; after a
// change of those, go test ./schemas -update writes them anew. A test fails
// while they differ, and another validates real documents against them.
package schemas
