// Package eventlog reads and writes the lines of a session: the form of a line, a reader that keeps the intact lines of
// a damaged file, a locked file that lines are appended to, and the tree of the lines, each of which names its parent
// by a hash. Kinds of line and their data are names and raw JSON here; package sessions folds them to a state. Only the
// marks, which are about the file and not about the search, have a meaning here. The format is described in
// sessions/FORMAT.md.
//
// It knows the kinds of line and their data as names and raw JSON. What they mean is the engine's, package sessions,
// which folds them to a state; only the marks, which are about the file and not about the search, are known here. The
// format is described in sessions/FORMAT.md.
package eventlog
