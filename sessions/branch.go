package sessions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

type forkedData struct {
	Name      string         `json:"name"`
	Optimizer string         `json:"optimizer,omitempty"` // another method from here on
	Params    map[string]any `json:"params,omitempty"`    // all of its parameters
}

// fork folds the beginning of a branch.
func (st *State) fork(e *event) error {
	var d forkedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
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
	st.Config, st.Spec, st.Params, st.model = set.config, set.spec, set.params, e.id
	return nil
}

// maxBranchName bounds a branch's name in bytes.
const maxBranchName = 200

// Fork begins a branch with a name where the session stands; what is recorded ahead stays on the branch before. With the name of another
// optimizer that method chooses from here on; parameters that were changed, and that it knows, it takes over.
func (s *Session) Fork(name, optimizer string) error {
	name = strings.TrimSpace(name)
	if len(name) > maxBranchName {
		return fmt.Errorf("the name of a branch may have %d bytes, this one has %d", maxBranchName, len(name))
	}
	_, err := s.act(func() ([]entry, error) {
		if name == "" {
			name = fmt.Sprintf("fork %d", len(s.branches()))
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
	spec, err := optimizers.Find(optimizer)
	if err != nil {
		return setup{}, err
	}
	params := param.Defaults(spec.Declared(len(st.Problem.Objectives)))
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
	list := s.branches()
	for i := range list {
		b := &list[i]
		st, err := s.stateAt(s.events[b.ID])
		if err != nil {
			return nil, err
		}
		b.State, b.Name = st, s.branchName(*b, i)
		b.Current = b.ID == s.tip.id
	}
	return list, nil
}

// branchName is the name that was given to a branch itself, not to one that it left.
func (s *Session) branchName(b Branch, i int) string {
	for e := s.events[b.ID]; e != nil && e.branch == i; e = e.parent {
		if e.kind != kindForked {
			continue
		}
		if st, err := s.stateAt(e); err == nil {
			return st.Branch
		}
	}
	if b.Of < 0 {
		return "main"
	}
	return fmt.Sprintf("branch %d", i+1)
}

// branches finds the branches: at every event the first one that follows goes on with its branch, the others begin new ones.
func (s *Session) branches() []Branch {
	list := []Branch{{ID: s.root.id, Of: -1}}
	continued := map[*event]bool{}
	for _, e := range s.order {
		if e == s.root || e.mark() {
			continue
		}
		e.branch = e.parent.branch
		if continued[e.parent] {
			list = append(list, Branch{Of: e.branch, From: s.iterationsAt(e.parent)})
			e.branch = len(list) - 1
		}
		continued[e.parent] = true
		list[e.branch].ID = e.id
	}
	return list
}

// iterationsAt counts the observations up to an event.
func (s *Session) iterationsAt(e *event) int {
	if e.state != nil {
		return len(e.state.Iterations)
	}
	n := 0
	for ; e != nil; e = e.parent {
		if e.kind == kindObserved {
			n++
		}
	}
	return n
}

// Switch goes to the end of the branch with an id.
func (s *Session) Switch(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.events[id]
	if e == nil || e.mark() {
		return fmt.Errorf("there is no branch %q", id)
	}
	s.tip = e
	return s.stand(e)
}

// Seek goes to the last stop after so many iterations on the current branch, or as far as it goes.
func (s *Session) Seek(step int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stops := s.stops()
	to := stops[0]
	for _, e := range stops[1:] {
		if s.iterationsAt(e) > step {
			break
		}
		to = e
	}
	s.stand(to)
}

// forks are the steps of the current branch at which others leave it. The caller holds the lock.
func (s *Session) forks() []int {
	var steps []int
	for _, b := range s.branches()[1:] {
		if e := s.events[b.ID]; e != nil && e.branch != s.tip.branch && b.Of == s.tip.branch {
			steps = append(steps, b.From)
		}
	}
	return steps
}
