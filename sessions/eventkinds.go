package sessions

import (
	"encoding/json"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// kind is what the engine knows of a kind of event. A new one is a file with its name, which it registers, its data,
// its fold, its text and the act that records it, and a row in FORMAT.md.
type kind struct {
	// fold changes a state by an event, of which Head is the id already. Where it returns an error, the event cannot
	// follow the ones before it.
	fold func(st *State, data json.RawMessage) error
	// text describes the decision of an event, after which the state is st; nil for kinds without a decision.
	text func(st State, data json.RawMessage) (string, error)
	// decision is the part of the data that was decided; nil where it is all of them.
	decision func(data json.RawMessage) (any, error)
	// followUps are the events that an act records with it.
	followUps func(st State) []recorder.Entry
	// belief says that what the optimizer believes depends on it.
	changesBelief bool
}

// kinds are the kinds of event that change the state, by their names. An event of another kind changes nothing but the
// notes.
var kinds = map[string]kind{}

// register adds a kind of event, in a declaration beside its data.
func register(name string, k kind) struct{} {
	kinds[name] = k
	return struct{}{}
}

// followUps are the events that are recorded with one of a kind.
func followUps(st State, name string) []recorder.Entry {
	if k := kinds[name]; k.followUps != nil {
		return k.followUps(st)
	}
	return nil
}

// describeData is a description of data of a type.
func describeData[D any](text func(State, D) string) func(State, json.RawMessage) (string, error) {
	return func(st State, raw json.RawMessage) (string, error) {
		var d D
		err := json.Unmarshal(raw, &d)
		return text(st, d), err
	}
}

// extractData reads data of a type and returns a part of them.
func extractData[D, P any](apply func(D) P) func(json.RawMessage) (any, error) {
	return func(raw json.RawMessage) (any, error) {
		var d D
		err := json.Unmarshal(raw, &d)
		return apply(d), err
	}
}

// apply changes the state by one event.
func (st *State) apply(e *eventlog.Event) error {
	st.Head = e.ID
	st.author = e.By
	st.foreign = e.Foreign
	k := kinds[e.Kind]
	if k.fold == nil {
		return nil
	}
	if err := k.fold(st, e.Data); err != nil {
		return err
	}
	if k.changesBelief {
		st.modelID = e.ID
	}
	return nil
}
