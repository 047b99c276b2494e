package sessions

import (
	"encoding/json"
	"fmt"

	"bandscope/sessions/eventlog"
)

// Decision is one thing that was decided on the way through a session, as opposed to their results.
type Decision struct {
	Step int    // the iteration that it belongs to, from 1
	Text string // the decision, in the problem's units
	Key  string // equal for decisions that are the same
}

// Decisions lists the decisions on the branch with an id, from the first on: points, parameters, priors, answers,
// corrections.
func (s *Session) Decisions(branch string) ([]Decision, error) {
	s.rec.Lock()
	defer s.rec.Unlock()
	tip := s.rec.Tree.Find(branch)
	if tip == nil {
		return nil, fmt.Errorf("there is no branch %q", branch)
	}
	start, err := s.rec.Fold(s.rec.Tree.Root())
	if err != nil {
		return nil, err
	}
	root := start.Title()
	list := []Decision{{Step: 1, Text: "starts with " + root, Key: root}}
	for _, e := range tip.PathFromRoot()[1:] {
		st, err := s.rec.Fold(e)
		if err != nil {
			return nil, err
		}
		if text, key := describeDecision(*st, e); text != "" {
			step := s.rec.Steps(e.Parent) + 1
			if e.Kind == kindSuggested { // perhaps after other pending suggestions
				step = st.Pending[len(st.Pending)-1].Step
			}
			list = append(list, Decision{Step: step, Text: text, Key: key})
		}
	}
	return list, nil
}

// describeDecision returns the text of an event's decision, after which the state is st, and a key that is equal for
// equal decisions; empty if the event decides nothing.
func describeDecision(st State, e *eventlog.Event) (text, key string) {
	k := kinds[e.Kind]
	if k.text == nil {
		return "", ""
	}
	text, err := k.text(st, e.Data)
	if err != nil {
		return "", ""
	}
	if k.decision == nil {
		return text, e.Kind + string(e.Data)
	}
	part, err := k.decision(e.Data)
	if err != nil {
		return text, e.Kind + string(e.Data)
	}
	b, err := json.Marshal(part)
	if err != nil {
		return text, e.Kind + string(e.Data)
	}
	return text, e.Kind + string(b)
}
