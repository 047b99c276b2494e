package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/acts"
)

// Request is a request of version 2.
type Request struct {
	ID        json.RawMessage // nil if the request has none
	Session   string          // empty: the session on the command line
	Act       *acts.Act       // nil: the request cancels another one
	Cancel    json.RawMessage // the id of that one
	Arguments json.RawMessage // an object
}

// maxID bounds an id in bytes.
const maxID = 1000

// ParseRequest reads a line of version 2: one object with the fields id, session and act, and the arguments of the act.
// second is false for a line of another version. The request that it returns with an error has the line's id, if it can
// be read.
func ParseRequest(text []byte) (r Request, second bool, err error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(text, &given) != nil || given == nil {
		return r, false, nil
	}
	r.ID = given["id"]
	if r.Cancel = given["cancel"]; r.Cancel == nil && given["act"] == nil {
		return r, false, nil
	}
	if len(r.ID) > maxID {
		r.ID = nil
		return r, true, acts.NewError(acts.CodeRequest, fmt.Errorf("an id can have at most %d bytes", maxID))
	}
	if r.Cancel != nil {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if name != "cancel" && name != "id" {
				return r, true, acts.NewError(acts.CodeRequest,
					didyoumean.NewUnknownError("field", name, []string{"cancel", "id"}))
			}
		}
		return r, true, nil
	}
	for name, into := range map[string]*string{"session": &r.Session, "act": new(string)} {
		raw, ok := given[name]
		if ok && (json.Unmarshal(raw, into) != nil || bytes.Equal(raw, []byte("null"))) {
			return r, true, acts.NewError(acts.CodeRequest, fmt.Errorf("%s must be a text, got %s", name, raw))
		}
		if name == "act" {
			if r.Act, err = acts.Find(*into); err != nil {
				return r, true, err
			}
		}
	}
	for _, name := range []string{"id", "session", "act"} {
		delete(given, name)
	}
	r.Arguments, err = json.Marshal(given)
	return r, true, err
}
