package asktell

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// ErrNeedsForce is what the error wraps of a result that is taken only if it is told by force.
var ErrNeedsForce = errors.New("really?")

// TellResult is what is on record of a point.
type TellResult struct {
	Name    Name                     `json:"told"`
	Step    int                      `json:"step,omitempty"`    // that its suggestion is, once nothing is missing of it
	Values  map[string]report.Number `json:"values"`            // of what is measured and known
	Missing []string                 `json:"missing,omitempty"` // the others, which are waited for
	Failed  string                   `json:"failed,omitempty"`
	// which constraints it breaks where it was run, with the numbers
	Breaks string `json:"breaks,omitempty"`
}

// Tell records what came of a point that is out, or a part of it: then the point waits for the rest. Whatever is wrong,
// nothing is recorded. A result that lies outside of what is expected is ErrNeedsForce, unless it is told by force.
func Tell(s *sessions.Session, n Name, r functions.Result, force bool) (TellResult, error) {
	b := newSnapshot(s, time.Now())
	p, err := b.find(n)
	if err != nil {
		return TellResult{}, b.known(n, err)
	}
	told, err := b.tell(s, p, r, force)
	if err != nil {
		return TellResult{}, b.known(n, fmt.Errorf("point %v: %w", n, err))
	}
	return told, nil
}

func (b snapshot) tell(s *sessions.Session, p Point, r functions.Result, force bool) (TellResult, error) {
	o, err := read(b.state.Problem, p.Input(), r, force)
	if err != nil {
		return TellResult{}, err
	}
	outcomes := make([]functions.Outcome, len(p.iteration.Points))
	for i := range outcomes {
		outcomes[i].Partial = true // nothing is told of the other points of the batch
	}
	outcomes[p.index] = o
	it, err := s.Tell(p.iteration.ID, outcomes...)
	if err != nil {
		return TellResult{}, err
	}
	return newTellResult(b.state.Problem, p.Name, it, p.index), nil
}

// Add records a result without a suggestion, at a point that r.At gives with the values of all variables. One that
// breaks a constraint is ErrNeedsForce, unless it is told by force.
func Add(s *sessions.Session, r functions.Result, force bool) (TellResult, error) {
	s.Last()
	p := s.State().Problem
	x, err := inputFor(p, r.At, "a result without a suggestion tells where it was measured")
	if err != nil {
		return TellResult{}, errRequest{err}
	}
	if err := p.CheckConstraints(x); err != nil && !force {
		return TellResult{}, fmt.Errorf("%w: %w", err, ErrNeedsForce)
	}
	r.At = nil
	o, err := read(p, x, r, force)
	if err != nil {
		return TellResult{}, err
	}
	it, err := s.Record(sessions.ByPerson, [][]float64{x}, o)
	if err != nil {
		return TellResult{}, err
	}
	return newTellResult(p, Name{Suggestion: it.Number}, it, 0), nil
}

// inputFor is an input by variable in their order; telling says that all variables are told.
func inputFor(p *functions.Problem, at map[string]float64, telling string) ([]float64, error) {
	var x []float64
	var names, missing []string
	for _, v := range p.Domain {
		names = append(names, v.Name)
		value, ok := at[v.Name]
		if x = append(x, value); !ok {
			missing = append(missing, v.Name)
		}
	}
	for name := range at {
		if !slices.Contains(names, name) {
			return nil, didyoumean.NewUnknownError("variable", name, names)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s: %s is missing", telling, strings.Join(missing, ", "))
	}
	return x, p.Domain.Check(x)
}

// read reads a result at a point.
func read(p *functions.Problem, x []float64, r functions.Result, force bool) (functions.Outcome, error) {
	o, err := readStrict(p, x, r)
	if err != nil {
		return o, errRequest{err}
	}
	if doubts := p.Warnings(o); len(doubts) > 0 && !force {
		return o, fmt.Errorf("%s: %w", strings.Join(doubts, "; "), ErrNeedsForce)
	}
	return o, nil
}

// readStrict is read without doubts.
func readStrict(p *functions.Problem, x []float64, r functions.Result) (functions.Outcome, error) {
	if r.Cost < 0 || math.IsNaN(r.Cost) || math.IsInf(r.Cost, 0) {
		return functions.Outcome{}, fmt.Errorf("a cost is positive and finite, got %g", r.Cost)
	}
	for _, v := range p.Domain {
		if _, ok := r.Values[v.Name]; ok {
			return functions.Outcome{}, fmt.Errorf(
				"%s is a variable and no objective: where it was measured is told apart, as at", v.Name)
		}
	}
	return p.Outcome(x, r)
}

// newTellResult is what is on record of point i of an iteration.
func newTellResult(p *functions.Problem, n Name, it sessions.Iteration, i int) TellResult {
	t := TellResult{Name: n, Values: map[string]report.Number{}}
	if !it.Incomplete() {
		t.Step = it.Step
	}
	if err := p.CheckConstraints(it.Points[i].X); err != nil {
		t.Breaks = err.Error()
	}
	t.Missing, t.Failed = it.Points[i].Missing, it.Points[i].Reason
	if !it.HasResults() {
		return t
	}
	for k, o := range p.Outputs() {
		if v := it.Points[i].Y[k]; functions.Finite([]float64{v}) {
			t.Values[o.Name] = report.Number(v)
		}
	}
	return t
}
