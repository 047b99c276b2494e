package acts

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Code is a kind of error, for programs.
type Code string

// The codes of errors.
const (
	CodeRequest    Code = "request"     // the arguments are wrong
	CodeNotPending Code = "not pending" // the point is not pending
	CodeTold       Code = "told"        // the point already has its result
	CodeDoubtful   Code = "doubtful"    // the result is recorded with force only
	CodeInfeasible Code = "infeasible"  // no such point, or a point that breaks a constraint
	CodeExhausted  Code = "exhausted"   // every point of a finite space is evaluated, pending or discarded
	CodeBusy       Code = "busy"        // somebody else is writing, or has changed the session meanwhile
	CodeFailed     Code = "failed"      // the request is right, but failed
)

// Codes are all codes.
var Codes = []Code{CodeRequest, CodeNotPending, CodeTold, CodeDoubtful, CodeInfeasible, CodeExhausted, CodeBusy, CodeFailed}

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

// asWrong marks an error of a function as one of its arguments; nil stays nil. Errors of files, of the context and of
// other writers stay as they are.
func asWrong(err error) error {
	if err == nil || codeFor(err) != CodeFailed || errors.Is(err, context.Canceled) {
		return err
	}
	return NewError(CodeRequest, err)
}

// codeFor is the kind of an error.
func codeFor(err error) Code {
	var known *Error
	var locked *eventlog.LockedError
	switch {
	case errors.As(err, &known):
		return known.Code
	case search.IsExhausted(err):
		return CodeExhausted
	case errors.As(err, &locked), errors.Is(err, recorder.ErrMoved):
		return CodeBusy
	}
	switch asktell.CodeFor(err) {
	case asktell.CodeRequest:
		if errors.Is(err, functions.ErrInfeasible) {
			return CodeInfeasible
		}
		return CodeRequest
	case asktell.CodeNotPending:
		return CodeNotPending
	case asktell.CodeAlreadyTold:
		return CodeTold
	case asktell.CodeNeedsForce:
		return CodeDoubtful
	}
	switch {
	case errors.Is(err, functions.ErrInfeasible):
		return CodeInfeasible
	case errors.Is(err, didyoumean.ErrUnknown):
		return CodeRequest
	}
	return CodeFailed
}

// explain is an error of the act with its code and a hint.
func (a *Act) explain(err error) *Error {
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
	var alreadyToldError asktell.AlreadyToldError
	switch {
	case errors.As(err, &alreadyToldError) && alreadyToldError.Step != "":
		return fmt.Sprintf(`correct it with {"act": "correct", "step": %s, "values": {…}}`, quoted(alreadyToldError.Step))
	case errors.As(err, &alreadyToldError):
		return fmt.Sprintf(`correct it with {"act": "correct", "point": %s, "values": {…}}`, quoted(alreadyToldError.Point))
	case errors.Is(err, context.Canceled):
		return "the act was cancelled, and nothing was recorded"
	case errors.Is(err, eventlog.ErrReadOnly):
		return "the file cannot be changed; continue in a copy"
	case errors.Is(err, functions.ErrNotFinite):
		return `report a failure with its reason: "failed": "…"`
	case errors.Is(err, sessions.ErrPreferences):
		return "take the answers and the prior back with steer first"
	}
	switch code {
	case CodeRequest:
		return a.usage()
	case CodeNotPending:
		return "status lists the pending points; ask suggests one"
	case CodeDoubtful:
		return `repeat it with "force": true if the values are right`
	case CodeInfeasible:
		return "choose a point that fulfils all constraints, or widen the bounds with narrow"
	case CodeBusy:
		return "repeat the request"
	}
	return ""
}

// quoted is the number of a step or a point in JSON: a number, or a string in a batch.
func quoted(name string) string {
	if strings.Contains(name, ".") {
		return strconv.Quote(name)
	}
	return name
}
