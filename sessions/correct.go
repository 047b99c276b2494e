package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/digits"
)

// Correction is a change of what was observed at one point; the values before stay on record.
type Correction struct {
	Point  int       // of the batch, from 0
	Old    []float64 // as it was observed, or corrected before
	New    []float64 // nil: the observation was withdrawn
	Reason string
}

// Rejection is a suggestion that a person refused to evaluate.
type Rejection struct {
	Step   int // of the suggestion, from 1
	X      [][]float64
	Reason string
}

type correctedData struct {
	Step   int     `json:"step"`        // from 1
	Point  int     `json:"point"`       // of its batch, from 0
	Y      []Float `json:"y,omitempty"` // what it should have been; absent if the observation is withdrawn
	Old    []Float `json:"old"`
	Reason string  `json:"reason,omitempty"`
}

type rejectedData struct {
	Reason string `json:"reason,omitempty"`
}

type boundedData struct {
	Variable string `json:"variable"`
	Low      Float  `json:"low"` // problem's units; equal bounds pin the variable
	High     Float  `json:"high"`
	Reason   string `json:"reason,omitempty"`
}

// correct folds a corrected observation.
func (st *State) correct(e *event) error {
	var d correctedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
	old, err := st.valuesAt(d.Step, d.Point)
	if err != nil {
		return err
	}
	y := cast[float64](d.Y)
	if y != nil && len(y) != len(st.Problem.Objectives) {
		return fmt.Errorf("it corrects %d values, %s has %d objectives", len(y), st.Problem.Name, len(st.Problem.Objectives))
	}
	all := slices.Clone(st.Iterations) // earlier snapshots keep theirs
	it := &all[d.Step-1]
	it.Corrections = append(slices.Clip(it.Corrections), Correction{Point: d.Point, Old: old, New: y, Reason: d.Reason})
	it.Y, it.Failed = slices.Clone(it.Y), slices.Clone(it.Failed)
	if y == nil {
		y = slices.Repeat([]float64{math.NaN()}, len(old))
	}
	it.Y[d.Point], it.Failed[d.Point] = y, !functions.Finite(y)
	st.Iterations, st.used = all, nil
	return nil
}

// valuesAt are the values at a point, whether they are finite or not.
func (st State) valuesAt(step, point int) ([]float64, error) {
	if step < 1 || step > len(st.Iterations) {
		return nil, fmt.Errorf("there is no step %d: the session has %d", step, len(st.Iterations))
	}
	it := st.Iterations[step-1]
	if point < 0 || point >= len(it.Y) {
		return nil, fmt.Errorf("there is no point %d at step %d, which has %d", point+1, step, len(it.Y))
	}
	return it.Y[point], nil
}

// reject folds a refused suggestion.
func (st *State) reject(e *event) error {
	var d rejectedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
	if st.Pending == nil {
		return errors.New("it rejects what was not suggested")
	}
	st.Rejected = append(slices.Clip(st.Rejected), Rejection{Step: st.Pending.Step, X: st.Pending.X, Reason: d.Reason})
	st.Pending = nil
	return nil
}

// bound folds new bounds of a variable.
func (st *State) bound(e *event) error {
	var d boundedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
	j, err := st.variable(d.Variable)
	if err != nil {
		return err
	}
	if err := st.checkBounds(j, float64(d.Low), float64(d.High)); err != nil {
		return err
	}
	bounds := slices.Clone(st.Bounds)
	if bounds == nil {
		bounds = slices.Clone(st.Problem.Domain)
	}
	bounds[j].Low, bounds[j].High = float64(d.Low), float64(d.High)
	st.Bounds = bounds
	return nil
}

// variable is the number of a variable by its name.
func (st State) variable(name string) (int, error) {
	j := slices.IndexFunc(st.Problem.Domain, func(v functions.Variable) bool { return v.Name == name })
	if j < 0 {
		return 0, fmt.Errorf("%s has no variable %q", st.Problem.Name, name)
	}
	return j, nil
}

func (st State) checkBounds(j int, low, high float64) error {
	v := st.Problem.Domain[j]
	if !(v.Low <= low && low <= high && high <= v.High) {
		return fmt.Errorf("the bounds of %s must lie in [%g, %g], the lower one first; got [%g, %g]", v.Name, v.Low, v.High, low, high)
	}
	return nil
}

// Space is where the next point may lie, in the problem's units: the domain, unless a person narrowed it.
func (st State) Space() functions.Domain {
	if st.Bounds == nil {
		return st.Problem.Domain
	}
	return st.Bounds
}

// Correct records that an observation should have been y; nil withdraws it. Later beliefs are those of the corrected data.
func (s *Session) Correct(step, point int, y []float64, reason string) error {
	_, err := s.act(func() ([]entry, error) {
		old, err := s.state.valuesAt(step, point)
		if err != nil {
			return nil, err
		}
		if y != nil && (len(y) != len(old) || !functions.Finite(y)) {
			return nil, fmt.Errorf("a correction needs %d finite values, got %v", len(old), y)
		}
		return []entry{{kindCorrected, correctedData{Step: step, Point: point, Y: cast[Float](y), Old: cast[Float](old), Reason: reason}}}, nil
	})
	return err
}

// Reject refuses the point, or batch, that would be evaluated next. The search stays away from it (optimizers.AvoidRadius).
func (s *Session) Reject(ctx context.Context, reason string, progress Progress) error {
	s.mu.Lock()
	at, st := s.at, s.snapshot()
	s.mu.Unlock()
	sug, spent, err := s.fits.of(st).suggest(ctx, st, progress)
	if err != nil {
		return err
	}
	release, err := s.evaluation.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.act(func() ([]entry, error) {
		if s.at != at {
			return nil, ErrMoved
		}
		rejected := entry{kindRejected, rejectedData{Reason: reason}}
		if st.Pending != nil {
			return []entry{rejected}, nil
		}
		return []entry{suggested(st.pointsOf(sug, spent)), rejected}, nil
	})
	return err
}

// Bound narrows a variable to [low, high] in the problem's units, or gives it back what it had; equal bounds pin it. The data stay.
func (s *Session) Bound(variable string, low, high float64, reason string) error {
	_, err := s.act(func() ([]entry, error) {
		j, err := s.state.variable(variable)
		if err != nil {
			return nil, err
		}
		if err := s.state.checkBounds(j, low, high); err != nil {
			return nil, err
		}
		return []entry{{kindBounded, boundedData{Variable: variable, Low: Float(low), High: Float(high), Reason: reason}}}, nil
	})
	return err
}

// Change makes a correction that is given as text:
//
//	step 7 = 1.25                  the observation of step 7 should have been 1.25; of several objectives all values, with commas
//	step 7.2 = 1.25                of its second point, in a batch
//	drop step 7                    the observation is withdrawn
//	x1 in 0..0.5   x1 = 0.3        the variable is narrowed, or pinned, from here on
//	free x1                        it has its whole domain again
//	reject                         the suggestion is refused, and the search stays away from it
//
// Behind any of them, "because …" gives the reason. It returns what was done in a sentence.
func (s *Session) Change(ctx context.Context, text string, progress Progress) (string, error) {
	c, err := parseChange(text)
	if err != nil {
		return "", err
	}
	switch c.kind {
	case kindRejected:
		return "the suggestion is rejected: the search stays away from it", s.Reject(ctx, c.reason, progress)
	case kindCorrected:
		if c.values == nil {
			return fmt.Sprintf("the observation of step %d is withdrawn", c.step), s.Correct(c.step, c.point, nil, c.reason)
		}
		return fmt.Sprintf("step %d is corrected to %s", c.step, numbers(c.values)), s.Correct(c.step, c.point, c.values, c.reason)
	}
	if c.values == nil {
		j, err := s.State().variable(c.variable)
		if err != nil {
			return "", err
		}
		v := s.State().Problem.Domain[j]
		return c.variable + " has its whole domain again", s.Bound(c.variable, v.Low, v.High, c.reason)
	}
	said := fmt.Sprintf("%s stays within [%s, %s] from here on", c.variable, digits.Given(c.values[0]), digits.Given(c.values[1]))
	if c.values[0] == c.values[1] {
		said = fmt.Sprintf("%s is pinned at %s from here on", c.variable, digits.Given(c.values[0]))
	}
	return said, s.Bound(c.variable, c.values[0], c.values[1], c.reason)
}

func numbers(v []float64) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = digits.Given(x)
	}
	return strings.Join(parts, ", ")
}

// change is a correction that was read.
type change struct {
	kind        string
	step, point int
	variable    string
	values      []float64
	reason      string
}

// parseChange reads a correction.
func parseChange(text string) (change, error) {
	text, reason, _ := strings.Cut(text, "because")
	c := change{reason: strings.TrimSpace(reason)}
	words := strings.Fields(text)
	switch {
	case len(words) == 1 && words[0] == "reject":
		c.kind = kindRejected
		return c, nil
	case len(words) == 3 && words[0] == "drop" && words[1] == "step":
		c.kind = kindCorrected
		return c, c.readStep(words[2])
	case len(words) == 2 && words[0] == "free":
		c.kind, c.variable = kindBounded, words[1]
		return c, nil
	case len(words) >= 4 && words[0] == "step" && words[2] == "=":
		c.kind = kindCorrected
		if err := c.readStep(words[1]); err != nil {
			return c, err
		}
		return c, c.numbers(strings.Split(strings.Join(words[3:], ""), ","))
	case len(words) == 3 && words[1] == "=":
		c.kind, c.variable = kindBounded, words[0]
		return c, c.numbers([]string{words[2], words[2]})
	case len(words) == 3 && words[1] == "in":
		low, high, ok := strings.Cut(words[2], "..")
		if !ok {
			return c, fmt.Errorf("bounds are written low..high, as in x1 in 0..0.5; got %q", words[2])
		}
		c.kind, c.variable = kindBounded, words[0]
		return c, c.numbers([]string{low, high})
	}
	return c, errors.New("say: step 7 = 1.25, drop step 7, x1 in 0..0.5, x1 = 0.3, free x1, or reject; and because … if you like")
}

// readStep reads a step, and a point of its batch behind a dot.
func (c *change) readStep(text string) error {
	step, point, batch := strings.Cut(text, ".")
	var err error
	if c.step, err = strconv.Atoi(step); err != nil || c.step < 1 {
		return fmt.Errorf("%q is no step", text)
	}
	if batch {
		if c.point, err = strconv.Atoi(point); err != nil || c.point < 1 {
			return fmt.Errorf("%q is no point of a step", text)
		}
		c.point--
	}
	return nil
}

func (c *change) numbers(texts []string) error {
	for _, t := range texts {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is no finite number", t)
		}
		c.values = append(c.values, v)
	}
	return nil
}
