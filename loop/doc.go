// Package loop is the engine: it takes a plan, judges the base, calls the fix
// hook and judges what the hook left, and tells a sink of every step. The
// journal of these events is the account of a run; everything that people and
// machines read later is a function of it.
package loop
