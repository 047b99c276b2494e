// Package sessions holds what happened: the engine that steps an optimizer on a problem, the append-only log of events that
// is its memory, and what is made from a log: replay, verification, numbers for other programs, exports. It knows no screen.
//
// A session is a tree of events, each naming its parent by a hash. The state is the fold of the events from the root to the
// place where one stands; stepping back, undoing and forking are moves in that tree. The format is described in FORMAT.md.
//
// Ask records what is to be evaluated, which is out from then on, and Tell what came of it; between them an evaluator has it, or a person, for as long as it
// takes. Step is both, with the evaluation between them.
package sessions
