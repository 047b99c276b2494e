package acts

import (
	"time"

	"bandscope/sessions"
)

// The parts of acts for tests.
var (
	AskPoints = ask
	AskPlate  = askPlate
	TellPoint = tell
	AddPoint  = add
	StatusOf  = statusOf
	Shortfall = shortfall
)

// AlreadyToldError is the error about a result that is recorded.
type AlreadyToldError = alreadyToldError

// StatusWithoutModel is the part of the state of a session that needs no model.
func StatusWithoutModel(s *sessions.Session) StatusAnswer {
	return newSnapshot(s, time.Now()).status(s)
}

// PointOf is a point in the order of the variables.
func PointOf(b BestPoint) []float64 { return b.input }
