package sessions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/optimizers/methods"
	"bandscope/optimizers/param"
	"bandscope/sessions/log"
)

// kindForked is the kind of event that begins a branch, with a name and perhaps another method.
const kindForked = "forked"

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
	known, _ := cfg.known()
	set, err := find(known, true)
	if err != nil {
		return err
	}
	st.Config, st.Spec, st.Params, st.model = set.config, set.spec, set.params, st.Head
	return nil
}

// forkedText tells a fork.
func forkedText(st State, _ forkedData) string {
	return fmt.Sprintf("branches off as %q, with %s", st.Branch, st.Spec.Name)
}

// MaxBranchName bounds a branch's name in bytes.
const MaxBranchName = 200

// Fork begins a branch with a name where the session stands; what is recorded ahead stays on the branch before. With the name of another
// optimizer that method chooses from here on; parameters that were changed, and that it knows, it takes over.
func (s *Session) Fork(name, optimizer string) error {
	name = strings.TrimSpace(name)
	if len(name) > MaxBranchName {
		return fmt.Errorf("the name of a branch may have %d bytes, this one has %d", MaxBranchName, len(name))
	}
	_, err := s.act(func() ([]entry, error) {
		if name == "" {
			name = fmt.Sprintf("fork %d", len(s.tree.Branches()))
		}
		d := forkedData{Name: name}
		if optimizer != "" && optimizer != s.state.Spec.Name {
			set, err := s.state.as(optimizer)
			if err != nil {
				return nil, err
			}
			d.Optimizer, d.Params = set.spec.Name, set.config.Params
		}
		return []entry{{kindForked, d}}, nil
	})
	return err
}

// as is the state's configuration with another optimizer, which takes over what was changed and it knows.
func (st State) as(optimizer string) (setup, error) {
	cfg := st.Config
	cfg.Optimizer, cfg.Params = optimizer, map[string]any{}
	spec, err := methods.Find(optimizer)
	if err != nil {
		return setup{}, err
	}
	params := param.Defaults(spec.DeclaredFor(len(st.Problem.Objectives), st.Problem.Dim()))
	changed := st.Params.Changed()
	for _, key := range slices.Sorted(maps.Keys(changed)) {
		if next, err := params.With(key, changed[key]); err == nil {
			params, cfg.Params[key] = next, changed[key]
		}
	}
	return resolve(cfg)
}

// Branch is one way through the tree of a session's events, from the start to an end.
type Branch struct {
	ID      string // of its last event
	Name    string
	Of      int // the branch that it left, as an index; −1 for the first
	From    int // the iterations that it shares with that one
	State   State
	Current bool
}

// Branches lists the branches, in the order in which they were begun.
func (s *Session) Branches() ([]Branch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ways := s.tree.Branches()
	list := make([]Branch, len(ways))
	for i, w := range ways {
		st, err := s.folds.at(w.End)
		if err != nil {
			return nil, err
		}
		list[i] = Branch{ID: w.End.ID, Name: s.branchName(w, i), Of: w.Of, From: s.folds.iterations(w.From), State: st, Current: w.End == s.tip}
	}
	return list, nil
}

// branchName is the name that was given to a branch itself, not to one that it left.
func (s *Session) branchName(b log.Branch, i int) string {
	for e := b.End; e != nil && e.Branch() == i; e = e.Parent {
		if e.Kind != kindForked {
			continue
		}
		if st, err := s.folds.at(e); err == nil {
			return st.Branch
		}
	}
	if b.Of < 0 {
		return "main"
	}
	return fmt.Sprintf("branch %d", i+1)
}

// Switch goes to the end of the branch with an id.
func (s *Session) Switch(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tree.Find(id)
	if e == nil || e.Mark() {
		return fmt.Errorf("there is no branch %q", id)
	}
	s.tip = e
	return s.stand(e)
}
