// Package sessions is the engine: it steps an optimizer on a problem and keeps what happened. Acts record (Step, Ask
// and Tell, Edit, Correct, Note, Fork), moves go elsewhere on the record (Back, Seek, Switch), and looks tell where one
// stands (State, Snapshot, Branches).
//
// A session is a tree of events, each naming its parent by a hash; package log has their lines and files. The state is
// the fold of the events from the root to the place where one stands, by the table of kinds; stepping back, undoing and
// forking are moves in that tree. The format is described in FORMAT.md.
//
// Ask records what is to be evaluated, which is out from then on, and Tell what came of it; between them an evaluator
// has it, or a person, for as long as it takes. Step is both, with the evaluation between them.
//
// What is computed from a session without changing it is in package report, where sessions are found in package shelf;
// no screen is known here.
package sessions
