// Package sessions is the engine: it steps an optimizer on a problem and records all events. Acts record (Step, Ask and
// Tell, Edit, Correct, Note, Fork), moves go to another position of the record (Back, Seek, Switch), and getters return
// the current position (State, Snapshot, Branches).
//
// A session is a tree of events, each naming its parent by a hash; package eventlog reads and writes their lines and
// files. The state is the fold of the events from the root to the current position, by the table of kinds; stepping
// back, undoing and forking are moves in that tree. The format is described in FORMAT.md.
//
// Ask records the next point to evaluate, which is pending from then on, and Tell records its result; between them an
// evaluator, or a person, evaluates it, for as long as it takes. Step does both, with the evaluation between them.
//
// Package report computes read-only reports of a session, and package library finds sessions; this package knows no
// screen.
package sessions
