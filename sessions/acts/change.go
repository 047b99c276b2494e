package acts

import (
	"context"
	"fmt"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
)

// CorrectArgs are the arguments of correct.
type CorrectArgs struct {
	Step   *asktell.Name      `json:"step,omitempty" jsonschema:"the step whose result is wrong; a point of a batch as in 7.2"`
	Point  *asktell.Name      `json:"point,omitempty" jsonschema:"instead of a step: a pending point with a part of its result"`
	Values map[string]float64 `json:"values,omitempty" items:"1000" jsonschema:"the right values; others stay"`
	SD     map[string]float64 `json:"sd,omitempty" items:"1000" jsonschema:"the right standard errors"`
	At     Input              `json:"at,omitempty" items:"1000" jsonschema:"where it was measured; other variables stay"`
	Cost   float64            `json:"cost,omitempty" jsonschema:"the right cost"`
	Drop   bool               `json:"drop,omitempty" jsonschema:"withdraw the result of the step"`
	Reason string             `json:"reason,omitempty" length:"10000" jsonschema:"why, for the record"`
}

// Correct is the act of correcting a result.
var Correct = declare(Act{Name: "correct", Changes: true, Destructive: true, Idempotent: true,
	About: "Correct or withdraw a reported result; the old one stays on record."}, CorrectResult)

// CorrectResult corrects a result.
func CorrectResult(_ context.Context, t Turn, a CorrectArgs) (Said, error) {
	c := asktell.Correction{Values: a.Values, SE: a.SD, At: a.At, Cost: a.Cost, Reason: a.Reason}
	switch {
	case (a.Step == nil) == (a.Point == nil):
		return Said{}, wrong("which result? Give step, or the number of a pending point, and not both")
	case a.Drop && (a.Point != nil || a.Values != nil || a.SD != nil || a.At != nil || a.Cost != 0):
		return Said{}, wrong("drop withdraws the whole result of a step; it goes with step and reason only")
	case a.Drop:
		text, err := asktell.Withdraw(t.Session, *a.Step, a.Reason)
		return Said{text}, asWrong(err)
	case a.Point != nil:
		c.Pending, c.Name = true, *a.Point
	default:
		c.Name = *a.Step
	}
	text, err := c.Apply(t.Session)
	return Said{text}, asWrong(err)
}

// DiscardArgs are the arguments of discard.
type DiscardArgs struct {
	Point  *asktell.Name `json:"point,omitempty" jsonschema:"the pending point; without it the oldest, or else the next suggestion"`
	Reason string        `json:"reason,omitempty" length:"10000" jsonschema:"why, for the record"`
}

// Discard is the act of discarding a suggestion.
var Discard = declare(Act{Name: "discard", Changes: true, Destructive: true,
	About: "Discard a pending point without a result; the search avoids its neighbourhood from now on."},
	func(ctx context.Context, t Turn, a DiscardArgs) (Said, error) {
		n := 0
		if a.Point != nil {
			n = a.Point.Suggestion
		}
		text, err := asktell.Discard(ctx, t.Session, n, a.Reason, t.Progress)
		return Said{text}, err
	})

// Narrowing are new bounds of a variable.
type Narrowing struct {
	Variable string          `json:"variable" length:"1000" jsonschema:"the name of the variable"`
	Bounds   *[2]float64     `json:"bounds,omitempty" jsonschema:"the new ends, the lower one first"`
	Step     *float64        `json:"step,omitempty" jsonschema:"with bounds: the distance between suggested values, from the lower bound of the domain on; 0 for none"`
	Value    *encoding.Value `json:"value,omitempty" jsonschema:"the value to pin it at"`
	Free     bool            `json:"free,omitempty" jsonschema:"restore its whole domain"`
}

// NarrowArgs are the arguments of narrow.
type NarrowArgs struct {
	Narrowing
	Others []Narrowing `json:"others,omitempty" items:"1000" jsonschema:"further variables that change in the same act"`
	Reason string      `json:"reason,omitempty" length:"10000" jsonschema:"why, for the record"`
}

// DomainAnswer is the domain after a change.
type DomainAnswer struct {
	Said
	Domain map[string]VariableDomain `json:"domain" jsonschema:"by variable"`
}

// VariableDomain is where a variable may lie.
type VariableDomain struct {
	Low     encoding.Value `json:"low"`
	High    encoding.Value `json:"high" jsonschema:"equal to low if the variable is pinned"`
	Whole   bool           `json:"whole" jsonschema:"these are the bounds of its declaration"`
	Step    float64        `json:"step,omitempty" jsonschema:"the distance between suggested values"`
	Unit    string         `json:"unit,omitempty"`
	Choices []string       `json:"choices,omitempty"`
}

// Narrow is the act of changing the bounds of variables.
var Narrow = declare(Act{Name: "narrow", Changes: true, Idempotent: true,
	About: "Change the bounds of variables, pin them, or restore their domain, from now on; all results are kept."},
	func(ctx context.Context, t Turn, a NarrowArgs) (DomainAnswer, error) {
		var list []asktell.VariableBounds
		for _, n := range append([]Narrowing{a.Narrowing}, a.Others...) {
			b, err := n.bounds()
			if err != nil {
				return DomainAnswer{}, err
			}
			list = append(list, b)
		}
		text, err := asktell.NarrowVariables(ctx, t.Session, a.Reason, list...)
		return DomainAnswer{Said{text}, domainOf(t.Session.State())}, asWrong(err)
	})

// bounds are the bounds as text.
func (n Narrowing) bounds() (asktell.VariableBounds, error) {
	b := asktell.VariableBounds{Name: n.Variable}
	count := 0
	if n.Bounds != nil {
		b.Ends, count = []string{numfmt.Exact(n.Bounds[0]), numfmt.Exact(n.Bounds[1])}, count+1
	}
	if n.Step != nil {
		b.Step = numfmt.Exact(*n.Step)
		if n.Bounds == nil {
			return b, wrong("the step of %s needs its bounds too", n.Variable)
		}
	}
	if n.Value != nil {
		b.Ends, count = []string{n.Value.String()}, count+1
	}
	if n.Free {
		count++
	}
	if count != 1 {
		return b, wrong("%s needs exactly one of bounds, value and free", n.Variable)
	}
	return b, nil
}

// domainOf is where the variables may lie.
func domainOf(st sessions.State) map[string]VariableDomain {
	all := map[string]VariableDomain{}
	for j, v := range st.Problem.Domain {
		now := v
		if st.Bounds != nil {
			now = st.Bounds[j]
		}
		all[v.Name] = VariableDomain{Low: encoding.Encode(v, now.Low), High: encoding.Encode(v, now.High),
			Whole: now.Low == v.Low && now.High == v.High, Step: v.Step, Unit: v.Unit, Choices: v.Choices}
	}
	return all
}

// DeclareArgs are the arguments of declare.
type DeclareArgs struct {
	Change    string `json:"change" enum:"add|drop|turn|range|noise|worthwhile|bound" jsonschema:"add or drop an objective, reverse its direction, change its expected range and scale, its noise or its smallest worthwhile improvement, or change the limits of a measured quantity"`
	Name      string `json:"name" length:"1000" jsonschema:"of the objective or the limit"`
	Direction string `json:"direction,omitempty" enum:"minimize|maximize" jsonschema:"of a new objective"`
	Unit      string `json:"unit,omitempty" length:"1000" jsonschema:"of a new objective or limit"`
	Range     Range  `json:"range,omitempty" jsonschema:"the expected range"`
	Scale     string `json:"scale,omitempty" enum:"linear|log"`
	Noise     Bound  `json:"noise,omitempty" jsonschema:"the standard deviation of a measurement"`
	Least     Bound  `json:"worthwhile,omitempty" jsonschema:"the smallest improvement that is worth an evaluation; on a log scale a factor"`
	AtMost    Bound  `json:"at_most,omitempty" jsonschema:"upper limit"`
	AtLeast   Bound  `json:"at_least,omitempty" jsonschema:"lower limit"`
	Method    string `json:"method,omitempty" length:"200" jsonschema:"to continue with, if the present one cannot handle the change"`
}

// ObjectivesAnswer are the objectives and limits after a change.
type ObjectivesAnswer struct {
	Said
	Objectives []Quantity `json:"objectives"`
	Limits     []Quantity `json:"limits,omitempty" jsonschema:"measured quantities that are no objectives"`
}

// Quantity is an objective or a limit.
type Quantity struct {
	Name      string   `json:"name"`
	Direction string   `json:"direction,omitempty"`
	Unit      string   `json:"unit,omitempty"`
	Range     *Range   `json:"range,omitempty"`
	Scale     string   `json:"scale,omitempty"`
	Noise     float64  `json:"noise,omitempty"`
	Least     float64  `json:"worthwhile,omitempty"`
	AtMost    *float64 `json:"at_most,omitempty"`
	AtLeast   *float64 `json:"at_least,omitempty"`
}

// Declare is the act of changing objectives and limits.
var Declare = declare(Act{Name: "declare", Changes: true, Destructive: true,
	About: "Change the objectives and limits of an experiment from now on; all results are kept."},
	func(_ context.Context, t Turn, a DeclareArgs) (ObjectivesAnswer, error) {
		verb := map[string]string{"add": asktell.AddObjective, "drop": asktell.DropObjective,
			"turn": asktell.ReverseObjective, "range": asktell.ExpectObjective, "noise": asktell.ExpectObjective,
			"worthwhile": asktell.ExpectObjective,
			"bound":      asktell.LimitObjective}[a.Change]
		text, err := ChangeObjective(t.Session, asktell.Objective{Verb: verb, Name: a.Name, Direction: a.Direction,
			Unit: a.Unit, Range: string(a.Range), Scale: a.Scale, Noise: string(a.Noise), AtMost: string(a.AtMost),
			AtLeast: string(a.AtLeast), Method: a.Method, Worthwhile: string(a.Least)})
		if err != nil {
			return ObjectivesAnswer{}, err
		}
		return objectivesOf(t.Session.State(), text), nil
	})

// ChangeObjective changes an objective or a limit as a person writes it, and returns a sentence about the change.
func ChangeObjective(s *sessions.Session, o asktell.Objective) (string, error) {
	text, err := o.Apply(s)
	return text, asWrong(err)
}

func objectivesOf(st sessions.State, text string) ObjectivesAnswer {
	a := ObjectivesAnswer{Said: Said{text}}
	for k, o := range st.Problem.Outputs() {
		q := Quantity{Name: o.Name, Direction: string(o.Direction), Unit: o.Unit, Scale: string(o.Scale),
			Noise: o.Noise, Least: o.Worthwhile, AtMost: o.AtMost, AtLeast: o.AtLeast}
		if o.Range != nil {
			r := Range(fmt.Sprintf("%s,%s", numfmt.Exact(o.Range[0]), numfmt.Exact(o.Range[1])))
			q.Range = &r
		}
		if k < len(st.Problem.Objectives) {
			a.Objectives = append(a.Objectives, q)
		} else {
			a.Limits = append(a.Limits, q)
		}
	}
	return a
}

// NoteArgs are the arguments of note.
type NoteArgs struct {
	Text string `json:"text,omitempty" length:"100000" jsonschema:"the note, in Markdown"`
	Step *int   `json:"step,omitempty" bounds:"0..10000000" jsonschema:"the step that it is about; without it the current one"`
	Mark bool   `json:"mark,omitempty" jsonschema:"mark the step"`
}

// Note is the act of writing a note.
var Note = declare(Act{Name: "note", Changes: true, About: "Write a note on a step, or mark the step."},
	func(_ context.Context, t Turn, a NoteArgs) (Said, error) { return WriteNote(t, a) })

// WriteNote writes a note on a step; the session stays at its place.
func WriteNote(t Turn, a NoteArgs) (Said, error) {
	s := t.Session
	if a.Text == "" && !a.Mark {
		return Said{}, wrong("the note is empty: give text, or mark")
	}
	if a.Step != nil {
		if n := len(s.State().Iterations) + s.State().Ahead; *a.Step > n {
			return Said{}, wrong("there is no step %d; the branch has %s", *a.Step, numfmt.Count(n, "step"))
		}
		back := returnOrEnd(s)
		s.Seek(*a.Step)
		defer back()
	}
	step := len(s.State().Iterations)
	write := func() error { return s.Note(a.Text) }
	if a.Mark {
		write = func() error { return s.MarkedNote(a.Text) }
	}
	if err := write(); err != nil {
		return Said{}, asWrong(err)
	}
	if a.Text == "" {
		return Said{fmt.Sprintf("step %d is marked", step)}, nil
	}
	return Said{fmt.Sprintf("the note on step %d is recorded", step)}, nil
}

// returnOrEnd returns a function that takes a session back to its current place, also at the end.
func returnOrEnd(s *sessions.Session) func() {
	if s.AtEnd() {
		return s.Last
	}
	if t := s.Timeline(); t.At < len(t.Stops)-1 {
		return func() { s.GoTo(t.At) }
	}
	return s.Last
}
