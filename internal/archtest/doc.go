// Package archtest holds the tests that keep the packages in their order:
// imports go down only, no package is a drawer for odds and ends, and nothing
// that changes lives at package level. It has no code of its own.
package archtest
