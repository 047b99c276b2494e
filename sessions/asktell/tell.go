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

// ErrNeedsForce is wrapped by the error for an unexpected result, which is recorded only with force.
var ErrNeedsForce = errors.New("is this correct?")

// TellResult is the recorded result of a point.
type TellResult struct {
	Name    Name                     `json:"told"`
	Step    int                      `json:"step,omitempty"`    // of its suggestion, if the results are complete
	Values  map[string]report.Number `json:"values"`            // the reported ones
	Missing []string                 `json:"missing,omitempty"` // quantities without a value
	Failed  string                   `json:"failed,omitempty"`
	// the constraints that it violates where it was measured, with the numbers
	Breaks string `json:"breaks,omitempty"`
}

// Tell records the result of a pending point, or a part of it; then the point stays pending. With an error it records
// nothing. A result outside of the expected range is ErrNeedsForce, unless force is set.
func Tell(s *sessions.Session, n Name, r functions.Result, force bool) (TellResult, error) {
	b := newSnapshot(s, time.Now())
	p, err := b.find(n)
	if err != nil {
		return TellResult{}, b.known(n, err)
	}
	result, err := b.tell(s, p, r, force)
	if err != nil {
		return TellResult{}, b.known(n, fmt.Errorf("point %v: %w", n, err))
	}
	return result, nil
}

func (b snapshot) tell(s *sessions.Session, p Point, r functions.Result, force bool) (TellResult, error) {
	o, err := read(b.state.Problem, p.Input(), r, force)
	if err != nil {
		return TellResult{}, err
	}
	outcomes := make([]functions.Outcome, len(p.iteration.Points))
	for i := range outcomes {
		outcomes[i].Partial = true // other points of the batch have no result yet
	}
	outcomes[p.index] = o
	it, err := s.Tell(p.iteration.ID, outcomes...)
	if err != nil {
		return TellResult{}, err
	}
	return newTellResult(b.state.Problem, p.Name, it, p.index), nil
}

// Add records a result without a suggestion, at the point r.At with the values of all variables. A point that violates
// a constraint is ErrNeedsForce, unless force is set.
func Add(s *sessions.Session, r functions.Result, force bool) (TellResult, error) {
	s.Refresh() // recording meets the same error
	s.Last()
	p := s.State().Problem
	x, err := inputFor(p, r.At, "a result without a suggestion needs the values of all variables")
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

// inputFor is an input in the order of the variables. An error for missing values begins with telling.
func inputFor(p *functions.Problem, values map[string]float64, telling string) ([]float64, error) {
	var x []float64
	var names, missing []string
	for _, v := range p.Domain {
		names = append(names, v.Name)
		value, ok := values[v.Name]
		x = append(x, value)
		if !ok {
			missing = append(missing, v.Name)
		}
	}
	for name := range values {
		if !slices.Contains(names, name) {
			return nil, didyoumean.NewUnknownError("variable", name, names)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s; missing: %s", telling, strings.Join(missing, ", "))
	}
	return x, p.Domain.Check(x)
}

// read turns a result at a point into an outcome.
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

// readStrict is read without the check for unexpected values.
func readStrict(p *functions.Problem, x []float64, r functions.Result) (functions.Outcome, error) {
	if r.Cost < 0 || math.IsNaN(r.Cost) || math.IsInf(r.Cost, 0) {
		return functions.Outcome{}, fmt.Errorf("the cost must be positive and finite, got %g", r.Cost)
	}
	for _, v := range p.Domain {
		if _, ok := r.Values[v.Name]; ok {
			return functions.Outcome{}, fmt.Errorf(
				"%s is a variable and not an objective: put the actual value of a variable in at", v.Name)
		}
	}
	return p.Outcome(x, r)
}

// newTellResult is the recorded result of point i of an iteration.
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
