package sessions

import (
	"encoding/json"

	"bandscope/sessions/log"
)

// kind is what the engine knows of a kind of event. A new one is a file with its data, its fold, its text and the act that records it, a line
// in kinds, and a row in FORMAT.md.
type kind struct {
	// fold changes a state by an event, of which Head is the id already. Where it returns an error, the event cannot follow the ones before it.
	fold func(st *State, data json.RawMessage) error
	// text says what was decided by an event, after which the state is st; nil where nothing is decided.
	text func(st State, data json.RawMessage) (string, error)
	// decision is the part of the data that was decided; nil where it is all of them.
	decision func(data json.RawMessage) (any, error)
	// then are the events that an act records with it.
	then func(st State) []entry
	// belief says that what the optimizer believes depends on it.
	belief bool
}

// kinds are all kinds of event that change the state. An event of another kind changes nothing.
var kinds = map[string]kind{
	kindSuggested: {fold: folded((*State).suggest), text: told(suggestedText), decision: part(suggestedPoints)},
	kindObserved:  {fold: folded((*State).observe), then: State.freeze, belief: true},
	kindMeasured:  {fold: folded((*State).measured), then: State.settle},
	kindDeclared:  {fold: folded((*State).declare), text: told(declaredText), then: State.settle},
	kindEdited:    {fold: folded((*State).edit), text: told(editedText), belief: true},
	kindCompared:  {fold: folded((*State).compare), text: told(comparedText), belief: true},
	kindRetracted: {fold: folded((*State).retract), text: told(retractedText), belief: true},
	kindNoted:     {fold: folded((*State).note)},
	kindForked:    {fold: folded((*State).fork), text: told(forkedText)},
	kindCorrected: {fold: folded((*State).correct), text: told(correctedText), belief: true},
	kindRejected:  {fold: folded((*State).reject), text: told(rejectedText), belief: true},
	kindBounded:   {fold: folded((*State).bound), text: told(boundedText), belief: true},
	kindRanged:    {fold: folded((*State).ranged), belief: true},
}

// folded is a fold by data of a type.
func folded[D any](fold func(*State, D) error) func(*State, json.RawMessage) error {
	return func(st *State, raw json.RawMessage) error {
		var d D
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		return fold(st, d)
	}
}

// told is a text about data of a type.
func told[D any](text func(State, D) string) func(State, json.RawMessage) (string, error) {
	return func(st State, raw json.RawMessage) (string, error) {
		var d D
		err := json.Unmarshal(raw, &d)
		return text(st, d), err
	}
}

// part is a part of data of a type.
func part[D, P any](of func(D) P) func(json.RawMessage) (any, error) {
	return func(raw json.RawMessage) (any, error) {
		var d D
		err := json.Unmarshal(raw, &d)
		return of(d), err
	}
}

// apply changes the state by one event.
func (st *State) apply(e *log.Event) error {
	st.Head = e.ID
	k := kinds[e.Kind]
	if k.fold == nil {
		return nil
	}
	if err := k.fold(st, e.Data); err != nil {
		return err
	}
	if k.belief {
		st.model = e.ID
	}
	return nil
}
