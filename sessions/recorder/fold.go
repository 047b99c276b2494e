package recorder

import (
	"encoding/json"

	"bandscope/sessions/eventlog"
)

// Folds change a state S by the events of each kind. Where one returns an error, the event cannot follow the ones before
// it.
type Folds[S any] map[string]func(st *S, data json.RawMessage) error

// FoldData is a fold by data of a type.
func FoldData[S, D any](fold func(*S, D) error) func(*S, json.RawMessage) error {
	return func(st *S, raw json.RawMessage) error {
		var d D
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		return fold(st, d)
	}
}

// Apply changes a state by an event. One of another kind changes nothing.
func (f Folds[S]) Apply(st *S, e *eventlog.Event) error {
	if fold := f[e.Kind]; fold != nil {
		return fold(st, e.Data)
	}
	return nil
}
