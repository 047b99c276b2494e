package asktell

import (
	"errors"

	"bandscope/sessions"
)

// Code is a kind of error, for programs.
type Code string

// The codes of errors.
const (
	CodeRequest     Code = "request"     // the request is wrong, or names something unknown
	CodeNotPending  Code = "not pending" // the point is not pending
	CodeAlreadyTold Code = "told"        // the point already has its result
	CodeNeedsForce  Code = "doubtful"    // the result needs force
	CodeFailed      Code = "failed"      // the request is correct, but failed
)

// errRequest marks an error in a request.
type errRequest struct{ error }

func (e errRequest) Unwrap() error { return e.error }

// CodeFor is the code of an error of this package.
func CodeFor(err error) Code {
	switch {
	case errors.As(err, &errRequest{}):
		return CodeRequest
	case errors.Is(err, sessions.ErrNotPending):
		return CodeNotPending
	case errors.Is(err, sessions.ErrAlreadyTold):
		return CodeAlreadyTold
	case errors.Is(err, ErrNeedsForce):
		return CodeNeedsForce
	}
	return CodeFailed
}
