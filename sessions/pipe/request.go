package pipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/acts"
)

// Request is a request: a line of the input.
type Request struct {
	ID        json.RawMessage // nil if the request has none
	Session   string          // empty: the session on the command line
	Act       *acts.Act       // nil: the request cancels another one
	Cancel    json.RawMessage // the id of that one
	Arguments json.RawMessage // an object
}

// maxID bounds an id in bytes.
const maxID = 1000

// ParseRequest reads a line: one object with the fields id, session and act, and the arguments of the act. The request
// that it returns with an error has the line's id, if it can be read.
func ParseRequest(text []byte) (r Request, err error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || fields == nil {
		return r, acts.NewError(acts.CodeRequest,
			errors.New(`a request is one JSON object on a line, such as {"session": "s.jsonl", "act": "status"}`))
	}
	r.ID = fields["id"]
	r.Cancel = fields["cancel"]
	if len(r.ID) > maxID {
		r.ID = nil
		return r, acts.NewError(acts.CodeRequest, fmt.Errorf("an id can have at most %d bytes", maxID))
	}
	if r.Cancel != nil {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if name != "cancel" && name != "id" {
				return r, acts.NewError(acts.CodeRequest,
					didyoumean.NewUnknownError("field", name, []string{"cancel", "id"}))
			}
		}
		return r, nil
	}
	if fields["act"] == nil {
		return r, acts.NewError(acts.CodeRequest, errors.New("act is missing"))
	}
	for name, into := range map[string]*string{"session": &r.Session, "act": new(string)} {
		raw, ok := fields[name]
		if ok && (json.Unmarshal(raw, into) != nil || bytes.Equal(raw, []byte("null"))) {
			return r, acts.NewError(acts.CodeRequest, fmt.Errorf("%s must be a text, got %s", name, raw))
		}
		if name == "act" {
			r.Act, err = acts.Find(*into)
			if err != nil {
				return r, err
			}
		}
	}
	for _, name := range []string{"id", "session", "act"} {
		delete(fields, name)
	}
	r.Arguments, err = json.Marshal(fields)
	return r, err
}
