// Package testkit makes what the tests of patchvet need: throwaway git
// repositories of every shape, and a fingerprint that proves that a user's
// repository was not touched. It imports no other package of the module, so
// that every package's tests can use it.
package testkit
