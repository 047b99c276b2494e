// Package library finds sessions: it manages the folder of sessions, with its names, lists and trash, and contains the
// built-in lessons and comparisons of methods.
//
// It takes a path or a name and returns a session, or an entry of a list. It does not decide what happens in a session
// or what its file contains.
package library
