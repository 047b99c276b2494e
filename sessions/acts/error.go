package acts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Code is a kind of error, for programs.
type Code string

// The codes of errors.
const (
	CodeRequest    Code = "request"     // the arguments are wrong
	CodeNotPending Code = "not pending" // the point is not pending
	CodeReported   Code = "reported"    // the point already has its result
	CodeUnexpected Code = "unexpected"  // the result is recorded with force only
	CodeInfeasible Code = "infeasible"  // no such point, or a point that breaks a constraint
	CodeExhausted  Code = "exhausted"   // every point of a finite space is evaluated, pending or discarded
	CodeBusy       Code = "busy"        // somebody else is writing, or has changed the session meanwhile
	CodeFailed     Code = "failed"      // the request is right, but failed
)

// Codes are all codes.
var Codes = []Code{CodeRequest, CodeNotPending, CodeReported, CodeUnexpected, CodeInfeasible,
	CodeExhausted, CodeBusy, CodeFailed}

// Error is why an act was not performed, and what would be right.
type Error struct {
	Code Code   `json:"code"`
	Text string `json:"text" jsonschema:"the problem"`
	Hint string `json:"hint,omitempty" jsonschema:"what would be right"`

	err error
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.err }

// NewError is an error with a code.
func NewError(code Code, err error) *Error { return &Error{Code: code, Text: err.Error(), err: err} }

// wrong is an error in the arguments.
func wrong(format string, args ...any) error {
	return NewError(CodeRequest, fmt.Errorf(format, args...))
}

// asRequest is wrong for an error that is there.
func asRequest(err error) error { return NewError(CodeRequest, err) }

// asWrong marks an error of a function as one of its arguments; nil stays nil. Errors of files, of the context and of
// other writers stay as they are.
func asWrong(err error) error {
	var disk *fs.PathError
	for _, other := range []error{context.Canceled, eventlog.ErrReadOnly, recorder.ErrClosed, sessions.ErrFixedObjectives,
		sessions.ErrFixedVariables, sessions.ErrPreferences} {
		if errors.Is(err, other) {
			return err
		}
	}
	if err == nil || codeFor(err) != CodeFailed || errors.As(err, &disk) {
		return err
	}
	return NewError(CodeRequest, err)
}

// codeFor is the kind of an error.
func codeFor(err error) Code {
	var known *Error
	var locked *eventlog.LockedError
	switch {
	case errors.As(err, &known) && known.Code == CodeRequest && errors.Is(err, functions.ErrInfeasible):
		return CodeInfeasible
	case errors.As(err, &known):
		return known.Code
	case search.IsExhausted(err):
		return CodeExhausted
	case errors.As(err, &locked), errors.Is(err, recorder.ErrMoved):
		return CodeBusy
	case errors.Is(err, sessions.ErrNotPending):
		return CodeNotPending
	case errors.Is(err, sessions.ErrAlreadyTold):
		return CodeReported
	case errors.Is(err, errNeedsForce):
		return CodeUnexpected
	case errors.Is(err, functions.ErrInfeasible):
		return CodeInfeasible
	case errors.Is(err, didyoumean.ErrUnknown):
		return CodeRequest
	}
	return CodeFailed
}

// Explain is an error of the act with its code and a hint.
func (a *Act) Explain(err error) *Error {
	e := &Error{Code: codeFor(err), Text: err.Error(), err: err}
	var known *Error
	if errors.As(err, &known) {
		e.Hint = known.Hint
	}
	if e.Hint == "" {
		e.Hint = a.hint(e.Code, err)
	}
	return e
}

// hint says what would be right.
func (a *Act) hint(code Code, err error) string {
	var known alreadyToldError
	switch {
	case errors.As(err, &known) && known.Step != "":
		return "if it is wrong, correct step " + known.Step
	case errors.As(err, &known) && known.Rest:
		return "you can correct it after you report the other points of its batch"
	case errors.As(err, &known):
		return "if it is wrong, correct point " + known.Point
	case errors.Is(err, context.Canceled):
		return "the act was cancelled, and nothing was recorded"
	case errors.Is(err, eventlog.ErrReadOnly):
		return "the file cannot be changed; continue in a copy"
	case errors.Is(err, functions.ErrNotFinite):
		return "report the reason of the failure with failed"
	case errors.Is(err, sessions.ErrDomain):
		return "set with variable widens it, as in --variable dose --high 25, or widen dose 14..25 on the screen"
	case errors.Is(err, sessions.ErrPreferences):
		return "take the answers and the prior back with steer first"
	}
	switch code {
	case CodeRequest:
		return a.usage()
	case CodeNotPending:
		return "show (the act status) lists the pending points; ask suggests one"
	case CodeUnexpected:
		return "nothing was recorded; repeat it with force (--force) if the values are right"
	case CodeInfeasible:
		return "choose a point that fulfils all constraints, or widen the bounds with set"
	case CodeExhausted:
		return "set with variable widens the space of your own experiment"
	case CodeBusy:
		return "repeat the request"
	}
	return ""
}
