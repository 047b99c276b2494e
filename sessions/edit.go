package sessions

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/recorder"
)

// kindEdited is the kind of event that gives a parameter of the optimizer another value.
const kindEdited = "edited"

var _ = register(kindEdited, kind{fold: recorder.FoldData((*State).edit), text: describeData(editedText), changesBelief: true})

type editedData struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	Old   any    `json:"old"`
}

// edit folds another value of a parameter.
func (st *State) edit(d editedData) error {
	params, err := st.Params.With(d.Key, d.Value)
	if err != nil {
		return err
	}
	st.Params, err = st.check(params)
	return err
}

// editedText describes an edit.
func editedText(_ State, d editedData) string {
	return fmt.Sprintf("%s changes from %v to %v", d.Key, d.Old, d.Value)
}

// check returns parameters, or an error if they do not fit the problem.
func (st State) check(params param.Set) (param.Set, error) {
	if st.Spec.Check != nil {
		st.Params = params
		if err := st.Spec.Check(st.inputWithoutData()); err != nil {
			return params, err
		}
	}
	return params, nil
}

// WithEdit is the state as it would be with another value of a parameter, given as text; nothing is recorded.
func (st State) WithEdit(key, text string) (State, error) {
	params, err := st.Params.WithText(key, text)
	if err != nil {
		return st, err
	}
	st.Params, err = st.check(params)
	return st, err
}

// edits are the entries that give parameters other values, from text, and the state after them. They are in an order in
// which each can follow those before it, so that values that are right together only can be given together.
func (st State) edits(values map[string]string) ([]recorder.Entry, State, error) {
	var entries []recorder.Entry
	for keys := slices.Sorted(maps.Keys(values)); len(keys) > 0; {
		var failed error
		i := slices.IndexFunc(keys, func(key string) bool {
			next, err := st.WithEdit(key, values[key])
			failed = cmp.Or(failed, err)
			if err != nil {
				return false
			}
			entries = append(entries, recorder.Entry{Kind: kindEdited,
				Data: editedData{Key: key, Value: next.Params.Value(key), Old: st.Params.Value(key)}})
			st = next
			return true
		})
		if i < 0 {
			return nil, st, failed
		}
		keys = slices.Delete(keys, i, i+1)
	}
	return entries, st, nil
}

// SuggestedValues are values to try for a parameter: those that it declares, and for a prior over weights the problem's
// regions.
func (st State) SuggestedValues(d param.Decl) []string {
	choices := slices.Clone(d.Choices)
	if d.Role == optimizers.RolePrior {
		for _, r := range st.Problem.Regions {
			choices = append(choices, r.Name)
		}
	}
	return choices
}

// Edit gives a parameter of the optimizer another value, from text.
func (s *Session) Edit(key, text string) error { return s.Set("", map[string]string{key: text}) }

// Set gives parameters other values, from text, and with the name of another optimizer lets that one go on, in one act:
// with the parameters that both have. Another optimizer begins a branch, as in Fork.
func (s *Session) Set(optimizer string, values map[string]string) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		st := *s.rec.State()
		other := false
		if optimizer != "" {
			set, err := st.withOptimizer(optimizer)
			if err != nil {
				return nil, err
			}
			other = set.spec != st.Spec
			if other {
				st.Config = set.config
				st.Spec = set.spec
				st.Params = set.params
			}
		}
		edits, st, err := st.edits(values)
		if err != nil {
			return nil, err
		}
		if !other {
			return edits, nil
		}
		params := map[string]any{}
		for _, d := range st.Params.Decls() {
			params[d.Key] = st.Params.Value(d.Key)
		}
		name := fmt.Sprintf("%s from step %d", st.Spec.Name, len(st.Iterations))
		return []recorder.Entry{{Kind: recorder.KindForked,
			Data: forkedData{Name: name, Optimizer: st.Spec.Name, Params: params}}}, nil
	})
	return err
}
