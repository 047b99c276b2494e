package sessions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Correction is a change of the result at one point; the old result stays on record.
type Correction struct {
	Point   int       // of the batch, from 0
	Old     []float64 // as it was observed, or corrected before
	New     []float64 // nil: the observation was withdrawn
	OldSE   []float64 // the standard errors before, NaN where none was known; nil where they stayed
	OldAt   []float64 // where it was said to be evaluated before; nil where that stayed
	OldCost float64   // before; 0 where it stayed
	Reason  string

	domain functions.Domain // of the problem
}

// DescribeOld formats the old result.
func (c Correction) DescribeOld() string {
	text := numfmt.ExactList(c.Old)
	if c.OldSE != nil {
		errors := make([]string, len(c.OldSE))
		for k, se := range c.OldSE {
			errors[k] = numfmt.Exact(se)
			if math.IsNaN(se) {
				errors[k] = "?"
			}
		}
		text += " ± " + strings.Join(errors, ", ")
	}
	if c.OldAt != nil {
		text += " at " + pointText(c.domain, c.OldAt)
	}
	if c.OldCost != 0 {
		text += " with cost " + numfmt.Exact(c.OldCost)
	}
	return text
}

// Describe formats the old result and the reason of the change.
func (c Correction) Describe() string { return c.DescribeOld() + because(c.Reason) }

// kindCorrected is the kind of event by which an observation should have been another, or is withdrawn.
const kindCorrected = "corrected"

var _ = register(kindCorrected, kind{fold: recorder.FoldData((*State).correct), text: describeData(correctedText),
	changesBelief: true})

type correctedData struct {
	Step  int              `json:"step"`         // from 1
	Point int              `json:"point"`        // of its batch, from 0
	Y     []eventlog.Float `json:"y,omitempty"`  // what it should have been; absent if the observation is withdrawn
	SE    []eventlog.Float `json:"se,omitempty"` // absent where the standard errors stay
	// without noise, where it was evaluated; absent if that stays or is unknown
	Truth  []eventlog.Float `json:"truth,omitempty"`
	At     []eventlog.Float `json:"x,omitempty"`    // where it was evaluated; absent where that stays
	Cost   eventlog.Float   `json:"cost,omitempty"` // absent where it stays
	Old    []eventlog.Float `json:"old"`
	Reason string           `json:"reason,omitempty"`
}

// correct folds a corrected observation.
func (st *State) correct(d correctedData) error {
	old, err := st.valuesAt(d.Step, d.Point)
	if err != nil {
		return err
	}
	k := len(st.Problem.Outputs())
	for _, row := range [][]eventlog.Float{d.Y, d.SE, d.Truth} {
		if row != nil && len(row) != k {
			return fmt.Errorf("the event corrects %s, but %s has %s", numfmt.Count(len(row), "value"), st.Problem.Name,
				st.Problem.OutputSummary())
		}
	}
	list, used := recorder.CopyShared(st.Iterations) // earlier snapshots keep theirs
	it := &list[d.Step-1]
	c := Correction{Point: d.Point, Old: old, Reason: d.Reason, domain: st.Problem.Domain}
	it.Points = slices.Clone(it.Points)
	if err := it.revise(st.Problem, d, &c); err != nil {
		return err
	}
	y := nanValues(k)
	if d.Y != nil {
		y = eventlog.Cast[float64](d.Y)
		c.New = y
	} else { // nothing more can be reported
		it.Points[d.Point].Missing = nil
	}
	it.Points[d.Point].Y, it.Points[d.Point].Failed = y, !functions.Finite(y)
	it.Corrections = append(slices.Clip(it.Corrections), c)
	st.Iterations, st.used = list, used
	return nil
}

// revise applies the parts of a correction other than values, and keeps the old ones in c. The iteration must own its
// points.
func (it *Iteration) revise(p *functions.Problem, d correctedData, c *Correction) error {
	pt := &it.Points[d.Point]
	if d.SE != nil {
		c.OldSE = nanValues(len(p.Outputs()))
		copy(c.OldSE, pt.SE)
		pt.SE = eventlog.Cast[float64](d.SE)
		if !slices.ContainsFunc(it.Points, func(pt Point) bool { return anyKnown(pt.SE) }) {
			for i := range it.Points {
				it.Points[i].SE = nil
			}
		}
	}
	if d.Cost != 0 {
		c.OldCost, pt.Cost = pt.Cost, float64(d.Cost)
	}
	if d.At != nil {
		c.OldAt = pt.X
		if err := pt.ranAt(p, eventlog.Cast[float64](d.At)); err != nil {
			return err
		}
		switch {
		case pt.Truth == nil:
		case d.Truth != nil:
			pt.Truth = eventlog.Cast[float64](d.Truth)
		case p.Truth == nil: // it is unknown there
			for i := range it.Points {
				it.Points[i].Truth = nil
			}
		}
	}
	return nil
}

// valuesAt are the values at a point, whether they are finite or not.
func (st State) valuesAt(step, point int) ([]float64, error) {
	if step < 1 || step > len(st.Iterations) {
		return nil, fmt.Errorf("there is no step %d; the session has %s", step,
			numfmt.Count(len(st.Iterations), "step"))
	}
	it := st.Iterations[step-1]
	if point < 0 || point >= len(it.Points) {
		return nil, fmt.Errorf("there is no point %d at step %d, which has %s", point+1, step,
			numfmt.Count(len(it.Points), "point"))
	}
	return it.Points[point].Y, nil
}

// correctedText describes a correction.
func correctedText(st State, d correctedData) string {
	text := "is withdrawn"
	if d.Y != nil {
		now := Correction{Old: eventlog.Cast[float64](d.Y), OldSE: eventlog.Cast[float64](d.SE),
			OldAt: eventlog.Cast[float64](d.At), OldCost: float64(d.Cost), domain: st.Problem.Domain}
		text = "becomes " + now.DescribeOld()
	}
	return fmt.Sprintf("the observation of step %d %s", d.Step, text) + because(d.Reason)
}

// corrects reports whether there is a finite value of every objective that is not missing.
func (st State) corrects(step, point int, y []float64) bool {
	if len(y) != len(st.Problem.Outputs()) {
		return false
	}
	missing := st.Iterations[step-1].Points[point].Missing
	for k, o := range st.Problem.Outputs() {
		if functions.Finite(y[k:k+1]) == slices.Contains(missing, o.Name) {
			return false
		}
	}
	return true
}

// Correct records that an observation should have been y; nil withdraws it. Later beliefs are those of the corrected
// data.
func (s *Session) Correct(step, point int, y []float64, reason string) error {
	if y != nil {
		return s.CorrectOutcome(step, point, functions.Outcome{Values: y}, reason)
	}
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		old, err := s.rec.State().valuesAt(step, point)
		if err != nil {
			return nil, err
		}
		return []recorder.Entry{{Kind: kindCorrected,
				Data: correctedData{Step: step, Point: point, Old: eventlog.Cast[eventlog.Float](old),
					Reason: reason}}},
			nil
	})
	return err
}

// CorrectOutcome replaces the recorded result of an observed point: its Values, standard errors (SE, NaN if unknown),
// the point of the evaluation (At), its Cost. Nil fields, and a cost of 0, stay unchanged.
func (s *Session) CorrectOutcome(step, point int, o functions.Outcome, reason string) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		old, err := s.rec.State().valuesAt(step, point)
		if err != nil {
			return nil, err
		}
		d, err := s.rec.State().newCorrectedData(step, point, o)
		if err != nil {
			return nil, err
		}
		d.Old, d.Reason = eventlog.Cast[eventlog.Float](old), reason
		return []recorder.Entry{{Kind: kindCorrected, Data: d}}, nil
	})
	return err
}

// newCorrectedData is the record of a corrected outcome; the error reports an invalid outcome.
func (st State) newCorrectedData(step, point int, o functions.Outcome) (d correctedData, err error) {
	it := st.Iterations[step-1]
	switch {
	case o.Values == nil && o.SE == nil && o.At == nil && o.Cost == 0:
		return d, errors.New("nothing to correct; give a value, a standard error, the actual point or a cost")
	case o.Values == nil:
		o.Values = it.Points[point].Y
	case !st.corrects(step, point, o.Values):
		return d, fmt.Errorf("a correction needs %s, got %v", numfmt.Count(len(it.Points[point].Y), "finite value"),
			o.Values)
	}
	o.Partial = true // missing or failed values may stay so
	if _, err := st.Problem.NormalizeOutcome(it.Points[point].X, o); err != nil {
		return d, err
	}
	d = correctedData{Step: step, Point: point, Y: eventlog.Cast[eventlog.Float](o.Values),
		Cost: eventlog.Float(o.Cost)}
	if o.SE != nil {
		d.SE = eventlog.Cast[eventlog.Float](o.SE)
	}
	if o.At != nil {
		d.At = eventlog.Cast[eventlog.Float](o.At)
		if st.Problem.Truth != nil {
			truth, err := st.Problem.TrueValues(o.At)
			if err != nil {
				return d, err
			}
			d.Truth = eventlog.Cast[eventlog.Float](truth)
		}
	}
	return d, nil
}
