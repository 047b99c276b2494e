package acts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// errNeedsForce is wrapped by the error for an unexpected result, which is recorded only with force.
var errNeedsForce = errors.New("is this correct?")

// Result is a reported result.
type Result struct {
	Values map[string]float64 `json:"values,omitempty" items:"1000" arg:"NAME=VALUE" words:"objectives" jsonschema:"the values by objective or limit, in its unit"`
	SD     map[string]float64 `json:"sd,omitempty" items:"1000" words:"objectives" jsonschema:"standard errors of the values"`
	Failed string             `json:"failed,omitempty" length:"10000" jsonschema:"why the evaluation failed, instead of values"`
	Cost   float64            `json:"cost,omitempty" jsonschema:"measured cost of the evaluation"`
	Note   string             `json:"note,omitempty" length:"100000" jsonschema:"note about the result"`
	Block  string             `json:"block,omitempty" length:"64" jsonschema:"plate, day or batch of the measurement, whose common shift the model estimates; that of its plate if not given"`
	Force  bool               `json:"force,omitempty" jsonschema:"record unexpected values"`
}

// at is the result, measured at an input.
func (r Result) at(input map[string]float64) functions.Result {
	return functions.Result{Values: r.Values, SE: r.SD, At: input, Failed: r.Failed, Note: r.Note, Cost: r.Cost,
		Block: r.Block}
}

// TellArgs are the arguments of tell.
type TellArgs struct {
	Point Name  `json:"point" arg:"POINT" words:"pending" jsonschema:"the number of the pending point"`
	At    Input `json:"at,omitempty" items:"1000" words:"inputs" jsonschema:"variables that had other values than suggested"`
	Result
}

// AddArgs are the arguments of add.
type AddArgs struct {
	Inputs Input `json:"inputs" short:"x" items:"1000" words:"inputs" jsonschema:"the values of all variables"`
	Result
}

// TellAnswer is the recorded result of a point.
type TellAnswer struct {
	Point   Name              `json:"point"`
	Step    int               `json:"step,omitempty" jsonschema:"of its suggestion, if the results are complete"`
	Values  map[string]Number `json:"values" jsonschema:"the reported ones"`
	Missing []string          `json:"missing,omitempty" jsonschema:"quantities without a value"`
	Failed  string            `json:"failed,omitempty"`
	Breaks  string            `json:"breaks,omitempty" jsonschema:"the constraints that it violates where it was measured, with the numbers"`

	problem *functions.Problem
}

// Text names the recorded values.
func (a TellAnswer) Text() string {
	text := fmt.Sprintf("point %v:", a.Point)
	if a.Step > 0 {
		text = fmt.Sprintf("point %v is step %d:", a.Point, a.Step)
	}
	for _, o := range a.problem.Outputs() {
		if v, ok := a.Values[o.Name]; ok {
			text += "  " + strings.TrimSpace(o.Name+" = "+numfmt.Exact(float64(v))+" "+o.Unit)
		}
	}
	if a.Failed != "" {
		text += "  failed (" + a.Failed + ")"
	}
	if len(a.Missing) > 0 {
		text += "  still missing: " + strings.Join(a.Missing, ", ")
	}
	if a.Breaks != "" {
		text += "  (recorded although " + a.Breaks + ")"
	}
	return textOf(text)
}

// Tell is the act of reporting the result of a pending point.
var Tell = declare(Act{Name: "tell", Title: "Report the result of a pending point", Changes: true,
	About: "Report the result of a pending point, or a part of it; then the point stays pending for the rest."},
	func(_ context.Context, t Turn, a TellArgs) (TellAnswer, error) {
		input, err := encoding.DecodeMap(t.Session.State().Problem.Domain, a.At)
		if err != nil {
			return TellAnswer{}, asWrong(err)
		}
		return tell(t.Session, a.Point, a.at(input), a.Force)
	})

// tell records the result of a pending point, or a part of it; then the point stays pending. With an error it records
// nothing. A result outside of the expected range is errNeedsForce, unless force is set.
func tell(s *sessions.Session, n Name, r functions.Result, force bool) (TellAnswer, error) {
	b := newSnapshot(s, time.Now())
	p, err := b.find(n)
	if err != nil {
		return TellAnswer{}, b.known(n, err)
	}
	answer, err := b.tell(s, p, r, force)
	if err != nil {
		return TellAnswer{}, b.known(n, fmt.Errorf("point %v: %w", n, err))
	}
	return answer, nil
}

func (b snapshot) tell(s *sessions.Session, p Point, r functions.Result, force bool) (TellAnswer, error) {
	o, err := read(b.state, p.Input(), r, force)
	if err != nil {
		return TellAnswer{}, err
	}
	it, err := TellOutcome(s, p.iteration, p.index, o)
	if err != nil {
		return TellAnswer{}, err
	}
	return newTellAnswer(b.state.Problem, p.Name, it, p.index), nil
}

// TellOutcome records the outcome of one point of a suggestion, from 0; the other points of its batch keep their values.
// If it was measured outside of the domain, that becomes wider.
func TellOutcome(s *sessions.Session, it sessions.Iteration, point int, o functions.Outcome) (sessions.Iteration, error) {
	outcomes := make([]functions.Outcome, len(it.Points))
	for i := range outcomes {
		outcomes[i].Partial = true
	}
	outcomes[point] = o
	if o.At != nil {
		if err := s.Reach(o.At); err != nil {
			return it, err
		}
	}
	return s.Tell(it.ID, outcomes...)
}

// Add is the act of reporting a result without a suggestion.
var Add = declare(Act{Name: "add", Title: "Report a result at a point that was not suggested", Changes: true,
	About: "Report a result at a point that was not suggested, with the values of all variables."},
	func(_ context.Context, t Turn, a AddArgs) (TellAnswer, error) {
		return add(t.Session, a.Inputs, a.at(nil), a.Force)
	})

// add records a result without a suggestion, at the values of all variables. A point that violates a constraint is
// errNeedsForce, unless force is set.
func add(s *sessions.Session, input Input, r functions.Result, force bool) (TellAnswer, error) {
	s.Refresh() // recording meets the same error
	s.Last()
	st := s.State()
	p := st.Problem
	x, err := valuesFor(p, input, "a result without a suggestion needs the values of all variables")
	if err != nil {
		return TellAnswer{}, asRequest(err)
	}
	if err := p.CheckConstraints(x); err != nil && !force {
		return TellAnswer{}, fmt.Errorf("%w: %w", err, errNeedsForce)
	}
	o, err := read(st, x, r, force)
	if err != nil {
		return TellAnswer{}, err
	}
	if err := s.Reach(x); err != nil {
		return TellAnswer{}, err
	}
	it, err := s.Record(sessions.ByPerson, [][]float64{x}, o)
	if err != nil {
		return TellAnswer{}, err
	}
	return newTellAnswer(p, Name{Suggestion: it.Number}, it, 0), nil
}

// read turns a result at a point into an outcome.
func read(st sessions.State, x []float64, r functions.Result, force bool) (functions.Outcome, error) {
	o, doubts, err := ReadOutcome(st, x, r)
	if err != nil {
		return o, asRequest(err)
	}
	if len(doubts) > 0 && !force {
		return o, fmt.Errorf("%s: %w", strings.Join(doubts, "; "), errNeedsForce)
	}
	return o, nil
}

// ReadOutcome turns a result at a point into an outcome, with its unlikely parts, which a person should confirm: values
// outside of their expected range, and inputs outside of the domain.
func ReadOutcome(st sessions.State, x []float64, r functions.Result) (functions.Outcome, []string, error) {
	actual := slices.Clone(x)
	for j, v := range st.Problem.Domain {
		if at, ok := r.At[v.Name]; ok {
			actual[j] = at
		}
	}
	wider, doubts, err := beyond(st, actual)
	if err != nil {
		return functions.Outcome{}, nil, err
	}
	o, err := readStrict(wider, x, r)
	return o, append(doubts, wider.Warnings(o)...), err
}

// beyond is the problem whose domain includes an input, and which of its values are outside of the present domain.
func beyond(st sessions.State, x []float64) (*functions.Problem, []string, error) {
	wider, outside, err := st.Reaching(x)
	var doubts []string
	for _, j := range outside {
		v := st.Problem.Domain[j]
		doubts = append(doubts, fmt.Sprintf("%s = %s is outside of its bounds, %s to %s", v.Name,
			strings.TrimSpace(numfmt.Exact(x[j])+" "+v.Unit), numfmt.Exact(v.Low), numfmt.Exact(v.High)))
	}
	return wider.Problem, doubts, err
}

// readStrict is read without the check for unexpected values.
func readStrict(p *functions.Problem, x []float64, r functions.Result) (functions.Outcome, error) {
	if r.Cost < 0 || math.IsNaN(r.Cost) || math.IsInf(r.Cost, 0) {
		return functions.Outcome{}, fmt.Errorf("the cost must be positive and finite, got %g", r.Cost)
	}
	for _, v := range p.Domain {
		if _, ok := r.Values[v.Name]; ok {
			return functions.Outcome{}, fmt.Errorf("%s is a variable and not an objective: put the actual value of a variable in at", v.Name)
		}
	}
	return p.Outcome(x, r)
}

// newTellAnswer is the recorded result of point i of an iteration.
func newTellAnswer(p *functions.Problem, n Name, it sessions.Iteration, i int) TellAnswer {
	a := TellAnswer{Point: n, Values: map[string]Number{}, problem: p, Missing: it.Points[i].Missing,
		Failed: it.Points[i].Reason}
	if !it.Incomplete() {
		a.Step = it.Step
	}
	if err := p.CheckConstraints(it.Points[i].X); err != nil {
		a.Breaks = err.Error()
	}
	if !it.HasResults() {
		return a
	}
	for k, o := range p.Outputs() {
		if v := it.Points[i].Y[k]; functions.Finite([]float64{v}) {
			a.Values[o.Name] = Number(v)
		}
	}
	return a
}
