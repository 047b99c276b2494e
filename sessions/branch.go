package sessions

import (
	"fmt"
	"maps"
	"slices"

	"bandscope/optimizers/param"
	"bandscope/sessions/recorder"
)

var _ = register(recorder.KindForked, kind{fold: recorder.FoldData((*State).fork), text: describeData(forkedText)})

type forkedData struct {
	Name      string         `json:"name"`
	Optimizer string         `json:"optimizer,omitempty"` // another method from here on
	Params    map[string]any `json:"params,omitempty"`    // all of its parameters
}

// fork folds the beginning of a branch.
func (st *State) fork(d forkedData) error {
	st.Branch = d.Name
	if d.Optimizer == "" {
		return nil
	}
	cfg := st.Config
	cfg.Optimizer, cfg.Params = d.Optimizer, d.Params
	known, _ := cfg.dropUnknownParams()
	set, err := find(known, true)
	if err != nil {
		return err
	}
	st.Config = set.config
	st.Spec = set.spec
	st.Params = set.params
	st.modelID = st.Head
	return nil
}

// forkedText describes a fork.
func forkedText(st State, _ forkedData) string {
	return fmt.Sprintf("begins the branch %q with %s", st.Branch, st.Spec.Name)
}

// Fork begins a named branch at the current position; events recorded after it stay on the branch before. With the name
// of another optimizer, that method continues, with the changed parameters that it knows.
func (s *Session) Fork(name, optimizer string) error {
	return s.rec.Fork(name, func(name string) (any, error) {
		d := forkedData{Name: name}
		if optimizer != "" && optimizer != s.rec.State().Spec.Name {
			set, err := s.rec.State().withOptimizer(optimizer)
			if err != nil {
				return nil, err
			}
			d.Optimizer, d.Params = set.spec.Name, set.config.Params
		}
		return d, nil
	})
}

// withOptimizer is the state's configuration with another optimizer and the changed parameters that it knows.
func (st State) withOptimizer(optimizer string) (setup, error) {
	cfg, err := st.configWithOptimizer(optimizer)
	if err != nil {
		return setup{}, err
	}
	return resolve(cfg)
}

// configWithOptimizer is withOptimizer before anything is found.
func (st State) configWithOptimizer(optimizer string) (Config, error) {
	cfg := st.Config
	cfg.Optimizer, cfg.Params = optimizer, map[string]any{}
	spec, err := cfg.FindOptimizer(optimizer)
	if err != nil {
		return cfg, err
	}
	params := param.Defaults(spec.ParamsForInputs(len(st.Problem.Objectives), st.Problem.Dim()))
	changed := st.Params.Changed()
	for _, key := range slices.Sorted(maps.Keys(changed)) {
		if next, err := params.With(key, changed[key]); err == nil {
			params, cfg.Params[key] = next, changed[key]
		}
	}
	return cfg, nil
}

// Branch is one way through the tree of a session's events, from the start to an end.
type Branch = recorder.Branch[State]
