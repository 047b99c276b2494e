package optimizers

import (
	"context"

	"bandscope/functions"
)

// Source is the problem behind an input, in its own units and directions.
type Source struct {
	Problem *functions.Problem
	Bounds  functions.Domain // where the next point may lie; nil: the whole domain

	// Point is a point of the unit cube in the problem's units. One that is on record is returned as it was recorded, to
	// the last digit.
	Point func(u []float64) []float64

	// Reason says why the evaluation at a point of the unit cube failed; empty where that is not known. It may be nil.
	Reason func(u []float64) string

	// States are the states that a program recorded with its suggestions, the latest first.
	States []State

	// Talker starts and asks programs; nil where none may be started.
	Talker Talker
}

// State is what a program remembers: opaque to the rest of the program, and recorded with a suggestion.
type State struct {
	Data   []byte // JSON
	Seen   int    // how many results the program had got
	Digest string // of the problem, the parameters and these results: the state is of no use with others
}

// Talker asks programs that speak lines of JSON.
type Talker interface {
	// Exchange sends a line to a command, whose dialogue began with the line hello, and returns the answers to both; see
	// external.Host. Without a line it only greets.
	Exchange(ctx context.Context, command string, hello, line []byte) (greeting, answer []byte, err error)
	// Restart ends the process, after an answer that is none: more of what it printed could be taken for the next one.
	Restart()
}
