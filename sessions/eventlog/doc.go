// Package eventlog is the memory of a session as lines: what a line is, how a file of them is read whatever happened to
// it, how lines are appended to it while it is locked, and the tree that they form, as each names the line that it
// follows by a hash.
//
// It knows the kinds of line and their data as names and raw JSON. What they mean is the engine's, package sessions,
// which folds them to a state; only the marks, which are about the file and not about the search, are known here. The
// format is described in sessions/FORMAT.md.
package eventlog
