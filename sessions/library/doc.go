// Package library is where sessions are found: the folder that they are kept in, with its names, lists and trash, and
// what comes with the program: the lessons and the comparisons of methods, as files in it.
//
// A path or a name comes in, and a session of the engine goes out, or an entry of a list that says enough to choose by.
// What happens in a session, and what its file holds, is not decided here.
package library
