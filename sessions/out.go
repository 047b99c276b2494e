package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/sessions/log"
)

// Errors of what is told.
var (
	ErrTold   = errors.New("its outcome is told already; correct it if it was another")
	ErrNotOut = errors.New("it is not out")
)

// The kinds of event that make an iteration: between them the points are out, for as long as it takes.
const (
	kindSuggested = "suggested" // a point, or a batch, is to be evaluated
	kindObserved  = "observed"  // what the evaluation gave
)

type suggestedData struct {
	X           [][]log.Float `json:"x"` // problem's units, one row a point of the batch
	By          string        `json:"by"`
	Mean        []log.Float   `json:"mean,omitempty"` // what was believed there
	SD          []log.Float   `json:"sd,omitempty"`
	Acquisition []log.Float   `json:"acquisition,omitempty"`
	Weights     []log.Float   `json:"weights,omitempty"` // λ, of several objectives
	Seconds     log.Float     `json:"seconds"`           // to find the suggestion
	Note        string        `json:"note,omitempty"`
}

type observedData struct {
	Y       [][]log.Float `json:"y"`               // problem's units and directions, with noise
	Truth   [][]log.Float `json:"truth,omitempty"` // without noise; absent where nobody knows
	Failed  []bool        `json:"failed,omitempty"`
	Cost    []log.Float   `json:"cost,omitempty"`    // of each point; absent where all cost 1
	Reasons []string      `json:"reasons,omitempty"` // why each failed; absent where none is known
	Of      string        `json:"of,omitempty"`      // the id of the suggestion; absent where it is the latest one that is out
}

// suggest folds what is to be evaluated.
func (st *State) suggest(d suggestedData) error {
	x := log.CastRows[float64](d.X)
	if len(x) == 0 {
		return errors.New("it suggests no point")
	}
	for _, row := range x {
		if err := st.Problem.Domain.Check(row); err != nil {
			return fmt.Errorf("it suggests %v, which is no input of %s: %w", row, st.Problem.Name, err)
		}
	}
	st.Out = append(slices.Clip(st.Out), Iteration{ID: st.Head, Step: len(st.Iterations) + len(st.Out) + 1, X: x, By: d.By, Seconds: float64(d.Seconds),
		Mean: log.Cast[float64](d.Mean), SD: log.Cast[float64](d.SD), Acquisition: log.Cast[float64](d.Acquisition),
		Weights: log.Cast[float64](d.Weights), Note: d.Note})
	return nil
}

// suggestedText tells a suggestion.
func suggestedText(st State, _ suggestedData) string {
	it := st.Out[len(st.Out)-1]
	rows := make([]string, len(it.X))
	for i, x := range it.X {
		rows[i] = pointText(x)
	}
	return it.By + " evaluates " + strings.Join(rows, ", ")
}

// pointText writes an input, cut after four values.
func pointText(x []float64) string {
	if len(x) > 5 {
		return "(" + digits.GivenList(x[:4]) + ", …)"
	}
	return "(" + digits.GivenList(x) + ")"
}

// suggestedPoints is what a suggestion decides, whatever was believed of the points and however long they took.
func suggestedPoints(d suggestedData) [][]log.Float { return d.X }

// observe folds what came of it.
func (st *State) observe(d observedData) error {
	it, err := st.takeBack(d.Of)
	if err != nil {
		return fmt.Errorf("it observes what was not suggested: %w", err)
	}
	if len(d.Y) != len(it.X) || d.Truth != nil && len(d.Truth) != len(it.X) {
		return fmt.Errorf("it observes %d points, %d were suggested", len(d.Y), len(it.X))
	}
	it.Y = log.CastRows[float64](d.Y)
	if d.Truth != nil {
		it.Truth = log.CastRows[float64](d.Truth)
	}
	it.Failed = make([]bool, len(it.X))
	for i := range it.Y {
		if k := len(st.Problem.Objectives); len(it.Y[i]) != k || it.Truth != nil && len(it.Truth[i]) != k {
			return fmt.Errorf("it observes %d values, %s has %d objectives", len(it.Y[i]), st.Problem.Name, k)
		}
		it.Failed[i] = !functions.Finite(it.Y[i])
	}
	it.Cost = slices.Repeat([]float64{1}, len(it.X))
	if d.Cost != nil {
		if len(d.Cost) != len(it.X) {
			return fmt.Errorf("it has the cost of %d points, %d were suggested", len(d.Cost), len(it.X))
		}
		it.Cost = log.Cast[float64](d.Cost)
	}
	if len(d.Reasons) == len(it.X) {
		it.Reasons = d.Reasons
	}
	it.Step = len(st.Iterations) + 1
	st.add(it)
	return nil
}

// takeBack takes what is out under an id, which is no longer out then; without an id it is the latest.
func (st *State) takeBack(id string) (Iteration, error) {
	i := len(st.Out) - 1
	if id != "" {
		i = st.outAt(id)
	}
	if i < 0 {
		return Iteration{}, ErrNotOut
	}
	it := st.Out[i]
	st.Out = slices.Concat(st.Out[:i], st.Out[i+1:]) // earlier states keep theirs
	if len(st.Out) == 0 {
		st.Out = nil
	}
	return it, nil
}

// outAt is where among what is out an id is, from 0; −1 if it is not out.
func (st State) outAt(id string) int {
	return slices.IndexFunc(st.Out, func(it Iteration) bool { return it.ID == id })
}

// named is how an event names what is out: by its id, unless it is the latest.
func (st State) named(id string) string {
	if st.outAt(id) == len(st.Out)-1 {
		return ""
	}
	return id
}

// Ask records what the method suggests to be evaluated besides what is out already, in the problem's units. Its points are out from then on, under the ID
// of what is returned, until Tell says what came of them: in any order, after any time, also in another session over the same file. Whoever stands elsewhere
// by the time gets ErrMoved.
func (s *Session) Ask(ctx context.Context, progress Progress) (Iteration, error) {
	s.mu.Lock()
	at, st := s.at, s.snapshot()
	s.mu.Unlock()
	ask, err := s.suggestion(ctx, at, st, progress)
	if err != nil {
		return Iteration{}, err
	}
	return ask()
}

// suggestion finds what is to be evaluated next where the session stood, and returns what records it.
func (s *Session) suggestion(ctx context.Context, at *log.Event, st State, progress Progress) (func() (Iteration, error), error) {
	sug, spent, err := st.propose(ctx, &s.fits, progress)
	if err != nil {
		return nil, err
	}
	return func() (Iteration, error) {
		return s.giveOut(func() (Iteration, error) {
			if s.at != at {
				return Iteration{}, ErrMoved
			}
			return st.pointsOf(sug, spent), nil
		})
	}, nil
}

// AskFor records that a point which a person names is to be evaluated, in the problem's units.
func (s *Session) AskFor(x []float64) (Iteration, error) {
	if err := s.setup.problem.Domain.Check(x); err != nil {
		return Iteration{}, err
	}
	return s.giveOut(func() (Iteration, error) { return Iteration{By: ByPerson, X: [][]float64{slices.Clone(x)}}, nil })
}

// giveOut records what decide, which is called with the lock held, says is to be evaluated.
func (s *Session) giveOut(decide func() (Iteration, error)) (Iteration, error) {
	if s.setup.unread != nil {
		return Iteration{}, s.setup.unread
	}
	e, err := s.act(func() ([]entry, error) {
		it, err := decide()
		if err != nil {
			return nil, err
		}
		return []entry{suggested(it)}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	out := s.stateOf(e).Out
	return out[len(out)-1], nil
}

// suggested records what is to be evaluated.
func suggested(it Iteration) entry {
	return entry{kindSuggested, suggestedData{X: log.CastRows[log.Float](it.X), By: it.By, Mean: log.Cast[log.Float](it.Mean), SD: log.Cast[log.Float](it.SD),
		Acquisition: log.Cast[log.Float](it.Acquisition), Weights: log.Cast[log.Float](it.Weights), Seconds: log.Float(it.Seconds), Note: it.Note}}
}

// Tell records what came of what is out under an ID, an outcome of each of its points. It is recorded at the end of the current branch if it is out there,
// otherwise where the branch ends on which it is; whoever went elsewhere stays there. The error is ErrTold if the outcome is known, and ErrNotOut if nothing
// is out under the ID; what is wrong with an outcome changes nothing, and the points stay out.
func (s *Session) Tell(id string, outcomes ...functions.Outcome) (Iteration, error) {
	s.mu.Lock()
	_, st, err := s.whereOut(id)
	s.mu.Unlock()
	if err != nil {
		return Iteration{}, err
	}
	d, err := st.observation(st.Out[st.outAt(id)], outcomes)
	if err != nil {
		return Iteration{}, err
	}
	e, err := s.actAfter(func() (*log.Event, []entry, error) {
		after, st, err := s.whereOut(id)
		if err != nil {
			return nil, nil, err
		}
		d.Of = st.named(id)
		return after, []entry{{kindObserved, d}}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.results, id)
	its := s.folds[e].Iterations
	return its[len(its)-1], nil
}

// whereOut finds the event behind which to record what came of what is out under an id, with the state there. The caller holds the lock.
func (s *Session) whereOut(id string) (*log.Event, State, error) {
	e := s.tree.Find(id)
	if e == nil || e.Kind != kindSuggested {
		return nil, State{}, fmt.Errorf("%s: %w", id, ErrNotOut)
	}
	ends := []*log.Event{s.tip}
	if !e.Leads(s.tip) {
		ends = ends[:0]
		for _, b := range slices.Backward(s.tree.Branches()) {
			if e.Leads(b.End) {
				ends = append(ends, b.End)
			}
		}
	}
	why := ErrNotOut // it was rejected
	for _, end := range ends {
		st, err := s.folds.at(end)
		switch {
		case err != nil:
			return nil, State{}, err
		case st.outAt(id) >= 0:
			return end, st, nil
		case slices.ContainsFunc(st.Iterations, func(it Iteration) bool { return it.ID == id }):
			why = ErrTold
		}
	}
	return nil, State{}, fmt.Errorf("%s: %w", id, why)
}

// ByImport stands in By for an observation that was made before the session.
const ByImport = "import"

// Record records a batch of points that were observed elsewhere, with the values that came of them. What these are without noise is the problem's to say.
func (s *Session) Record(x, y [][]float64) error {
	if len(x) == 0 {
		return nil
	}
	it := Iteration{X: x, By: ByImport}
	outcomes := make([]functions.Outcome, len(y))
	for i, v := range y {
		outcomes[i].Values = v
	}
	d, err := s.State().observation(it, outcomes)
	if err != nil {
		return err
	}
	_, err = s.act(func() ([]entry, error) { return []entry{suggested(it), {kindObserved, d}}, nil })
	return err
}
