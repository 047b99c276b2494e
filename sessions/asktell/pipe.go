package asktell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/sessions"
)

// Request is a request of version 1 as a line of JSON; sessions/PIPE.md is its grammar.
type Request struct {
	ID          json.RawMessage             `json:"id,omitempty"` // of the answer
	Ask         *int                        `json:"ask,omitempty"`
	OnlyNew     bool                        `json:"more,omitempty"`
	Shared      []string                    `json:"same,omitempty"`
	MinDistance float64                     `json:"apart,omitempty"`
	FixedPoints []map[string]encoding.Value `json:"beside,omitempty"`
	Tell        *Name                       `json:"tell,omitempty"`
	Add         map[string]encoding.Value   `json:"add,omitempty"`
	Values      map[string]number           `json:"values,omitempty"`
	SE          map[string]number           `json:"sd,omitempty"`
	At          map[string]encoding.Value   `json:"at,omitempty"`
	Failed      string                      `json:"failed,omitempty"`
	Note        string                      `json:"note,omitempty"`
	Cost        float64                     `json:"cost,omitempty"`
	Force       bool                        `json:"force,omitempty"`
	Status      bool                        `json:"status,omitempty"`
}

// number is a number that must not be null.
type number float64

// UnmarshalJSON reads a number.
func (n *number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return errors.New("null is not a number: leave it out, or report the point as failed")
	}
	return json.Unmarshal(b, (*float64)(n))
}

// The fields of a request, and for each of its kinds those that go with it.
var (
	fields = []string{"id", "ask", "more", "same", "apart", "beside", "tell", "add", "values", "sd", "at", "failed",
		"note", "cost", "force", "status"}
	goWith = map[string][]string{"ask": {"more", "same", "apart", "beside"},
		"tell": {"values", "sd", "at", "failed", "note", "cost", "force"},
		"add":  {"values", "sd", "failed", "note", "cost", "force"}, "status": {}}
)

// Answer is the answer to a request, or an error, as a line of JSON.
type Answer struct {
	ID          json.RawMessage `json:"id,omitempty"`
	Points      []Point         `json:"points,omitempty"`
	*TellResult                 // of a result
	Status      *Status         `json:"status,omitempty"`
	Error       string          `json:"error,omitempty"`
	Code        Code            `json:"code,omitempty"`   // of an error
	Notice      string          `json:"notice,omitempty"` // about the session's file
}

// Code is a kind of error, for programs.
type Code string

// The codes of errors.
const (
	CodeRequest     Code = "request"  // the line does not follow PIPE.md, or names something unknown
	CodeNotPending  Code = "not out"  // the point is not pending
	CodeAlreadyTold Code = "told"     // the point already has its result
	CodeNeedsForce  Code = "doubtful" // the result needs force
	CodeFailed      Code = "failed"   // the request is correct, but failed
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

// Do carries out a request; the answer has the error, if there is one.
func Do(ctx context.Context, s *sessions.Session, r Request) Answer {
	a, err := do(ctx, s, r)
	if err != nil {
		a.Error, a.Code = err.Error(), CodeFor(err)
	}
	return a
}

// Records reports whether the request records a result.
func (r Request) Records() bool { return r.Tell != nil || r.Add != nil }

// do carries out a request.
func do(ctx context.Context, s *sessions.Session, r Request) (Answer, error) {
	a := Answer{ID: r.ID}
	switch {
	case r.Ask != nil:
		w, err := r.askOptions(s)
		if err == nil {
			a.Points, err = Ask(ctx, s, w, nil)
		}
		return a, err
	case r.Tell != nil:
		result, err := r.result(s, r.At)
		if err != nil {
			return a, err
		}
		told, err := Tell(s, *r.Tell, result, r.Force)
		if err == nil {
			a.TellResult = &told
		}
		return a, err
	case r.Add != nil:
		result, err := r.result(s, r.Add)
		if err != nil {
			return a, err
		}
		told, err := Add(s, result, r.Force)
		if err == nil {
			a.TellResult = &told
		}
		return a, err
	}
	status, err := StatusFor(ctx, s, nil)
	if err == nil {
		a.Status = &status
	}
	return a, err
}

// askOptions are the options of an ask.
func (r Request) askOptions(s *sessions.Session) (AskOptions, error) {
	w := AskOptions{Points: *r.Ask, OnlyNew: r.OnlyNew, Shared: r.Shared, MinDistance: r.MinDistance}
	for _, at := range r.FixedPoints {
		x, err := encoding.DecodeMap(s.State().Problem.Domain, at)
		if err != nil {
			return w, errRequest{err}
		}
		w.FixedPoints = append(w.FixedPoints, x)
	}
	return w, nil
}

// result is the reported result of a point that was measured at at.
func (r Request) result(s *sessions.Session, at map[string]encoding.Value) (functions.Result, error) {
	x, err := encoding.DecodeMap(s.State().Problem.Domain, at)
	if err != nil {
		return functions.Result{}, errRequest{err}
	}
	return functions.Result{Values: numbers(r.Values), SE: numbers(r.SE), At: x, Failed: r.Failed, Note: r.Note,
		Cost: r.Cost}, nil
}

func numbers(m map[string]number) map[string]float64 {
	values := make(map[string]float64, len(m))
	for name, v := range m {
		values[name] = float64(v)
	}
	return values
}

// ParseLine is ParseRequest of a line that was read with an error, if it is not nil.
func ParseLine(text []byte, err error) (Request, error) {
	if err != nil {
		return Request{}, errRequest{err}
	}
	return ParseRequest(text)
}

// ParseRequest parses a line: exactly one object with fields that belong together. The request that it returns with an
// error has the line's id, if the id can be read.
func ParseRequest(text []byte) (Request, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return Request{}, errRequest{fmt.Errorf("a request is one JSON object on a line, such as {\"ask\":1}: %w",
			notObject(err))}
	}
	r := Request{ID: given["id"]}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(fields, name) {
			return r, errRequest{didyoumean.NewUnknownError("field", name, fields)}
		}
	}
	var kinds []string
	for _, kind := range []string{"ask", "tell", "add", "status"} {
		if given[kind] != nil {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) != 1 {
		return r, errRequest{errors.New("a request needs exactly one of ask, tell, add and status")}
	}
	for name := range given {
		if name != "id" && name != kinds[0] && !slices.Contains(goWith[kinds[0]], name) {
			return r, errRequest{fmt.Errorf("%s cannot be used with %s", name, kinds[0])}
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return Request{ID: r.ID}, errRequest{typeError(err)}
	}
	if r.Ask == nil && r.Tell == nil && r.Add == nil && !r.Status {
		return r, errRequest{fmt.Errorf("%s must not be %s", kinds[0], given[kinds[0]])}
	}
	return r, nil
}

// notObject says why a text is not a JSON object.
func notObject(err error) error {
	if err == nil {
		return errors.New("it is null")
	}
	return typeError(err)
}

// typeError names a wrong type in the words of PIPE.md.
func typeError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	what := map[string]string{"float64": "a number", "int": "a whole number", "bool": "true or false",
		"string": "text"}[wrong.Type.String()]
	if what == "" {
		what = "an object"
	}
	where := strings.TrimPrefix(wrong.Field, "Request.")
	if where == "" {
		return fmt.Errorf("it must be %s, got %s", what, wrong.Value)
	}
	return fmt.Errorf("%s must be %s, got %s", where, what, wrong.Value)
}
