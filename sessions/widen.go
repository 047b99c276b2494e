package sessions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// ErrFixedVariables is returned (wrapped) where the variables of a test function are to be others.
var ErrFixedVariables = errors.New("a test function's variables are fixed; those of your own experiment are not")

// ErrDomain is wrapped by the error of bounds outside of a domain that can become wider.
var ErrDomain = errors.New("the domain is narrower")

// CanWiden reports whether the domain can become wider: that of your own experiment, unless it is a table.
func (st State) CanWiden() bool { return st.Config.Experiment != nil && st.Problem.Table == nil }

// WidenedFrom is the domain of the beginning, with the bounds of today for choices and further variables; nil while the
// domain is the same.
func (st State) WidenedFrom() functions.Domain {
	if st.Original == nil {
		return nil
	}
	d := slices.Clone(st.Problem.Domain)
	for j, v := range st.Original {
		if v.Kind != functions.Choice {
			d[j].Low, d[j].High = v.Low, v.High
		}
	}
	return d
}

// kindWidened is the kind of event after which an experiment has a further variable, or one that takes more values.
const kindWidened = "widened"

var _ = register(kindWidened, kind{fold: recorder.FoldData((*State).widen), text: describeData(widenedText),
	changesBelief: true})

type widenedData struct {
	Variable functions.Variable `json:"variable"` // as it is from here on
	Earlier  *eventlog.Float    `json:"earlier,omitempty"`
	Reason   string             `json:"reason,omitempty"`
}

// Widening is a change of the domain that keeps all inputs valid: a variable that takes more values, or a further one.
type Widening struct {
	Variable functions.Variable // with the name of the variable that changes, or a new one
	Earlier  float64            // what a new variable was at all earlier points; NaN for one that exists
}

// widen folds a wider domain.
func (st *State) widen(d widenedData) error {
	w := Widening{Variable: d.Variable, Earlier: math.NaN()}
	if d.Earlier != nil {
		w.Earlier = float64(*d.Earlier)
	}
	wider, err := st.widened(w, true)
	if err == nil {
		*st = wider
	}
	return err
}

// widened is the state with a wider domain. All results keep their inputs, to which the value of a new variable is
// added. The variable may take all of its values next; other bounds stay.
func (st State) widened(w Widening, recorded bool) (State, error) {
	if st.Config.Experiment == nil {
		return st, fmt.Errorf("%s: %w", st.Problem.Name, ErrFixedVariables)
	}
	if st.Problem.Table != nil {
		return st, fmt.Errorf("the rows of the table are the only inputs of %s", st.Problem.Name)
	}
	j := slices.IndexFunc(st.Problem.Domain, func(v functions.Variable) bool { return v.Name == w.Variable.Name })
	isNew := j < 0
	d := *st.Config.Experiment
	d.Variables = slices.Clone(d.Variables)
	if isNew {
		j = len(d.Variables)
		d.Variables = append(d.Variables, w.Variable)
	} else if err := checkWider(d.Variables[j], w.Variable); err != nil {
		return st, err
	}
	d.Variables[j] = w.Variable
	if err := d.Check(); err != nil {
		return st, err
	}
	if err := w.Variable.Check(w.Earlier); isNew && err != nil {
		return st, fmt.Errorf("the value at the earlier points: %w", err)
	}
	if st.Original == nil {
		st.Original = st.Problem.Domain
	}
	st.Config.Experiment, st.Problem = &d, d.Problem()
	cfg, err := st.configWithOptimizer(st.Spec.Name)
	if err != nil {
		return st, err
	}
	set, err := find(cfg, recorded)
	if err != nil {
		return st, err
	}
	return st.moveTo(set, j, w.Earlier), nil
}

// moveTo is the state with the problem of a setup, whose variable j takes more values, or is new and was earlier at all
// points.
func (st State) moveTo(set setup, j int, earlier float64) State {
	domain := set.problem.Domain
	st.Config, st.Problem, st.Spec, st.Params = set.config, set.problem, set.spec, set.params
	isNew := !math.IsNaN(earlier)
	if st.Bounds != nil {
		st.Bounds = slices.Clone(st.Bounds)
		if isNew {
			st.Bounds = append(st.Bounds, domain[j])
		}
		st.Bounds[j] = domain[j]
	}
	if !isNew {
		return st
	}
	longer := func(x []float64) []float64 { return append(slices.Clip(x), earlier) }
	iterations, used := recorder.CopyShared(st.Iterations) // earlier states keep theirs
	st.Pending = slices.Clone(st.Pending)
	for _, list := range [][]Iteration{iterations, st.Pending} {
		for i := range list {
			list[i].Points = slices.Clone(list[i].Points)
			for k := range list[i].Points {
				pt := &list[i].Points[k]
				pt.X = longer(pt.X)
				if pt.Suggested != nil {
					pt.Suggested = longer(pt.Suggested)
				}
			}
		}
	}
	st.Iterations, st.used = iterations, used
	st.Rejections = slices.Clone(st.Rejections)
	for i, r := range st.Rejections {
		rows := make([][]float64, len(r.X))
		for k, x := range r.X {
			rows[k] = longer(x)
		}
		st.Rejections[i].X = rows
	}
	return st
}

// checkWider returns an error if a variable does not take all values of the one before.
func checkWider(was, now functions.Variable) error {
	switch {
	case was.Kind != now.Kind || was.Scale != now.Scale || was.Unit != now.Unit:
		return fmt.Errorf("the kind, the scale and the unit of %s stay; add another variable instead", was.Name)
	case was.Kind == functions.Choice:
		if len(now.Choices) < len(was.Choices) || !slices.Equal(was.Choices, now.Choices[:len(was.Choices)]) {
			return fmt.Errorf("the choices of %s stay, because earlier results have them; new ones come behind them", was.Name)
		}
	case was.Kind == functions.Ordered:
		for _, x := range was.Values {
			if !slices.Contains(now.Values, x) {
				return fmt.Errorf("%s takes %s in earlier points; it cannot be removed", was.Name, numfmt.Exact(x))
			}
		}
	case now.Low > was.Low || now.High < was.High:
		return fmt.Errorf("the domain of %s was [%s, %s] and can only become wider; narrow its bounds instead", was.Name,
			numfmt.Exact(was.Low), numfmt.Exact(was.High))
	}
	return nil
}

// widenedText describes a wider domain.
func widenedText(_ State, d widenedData) string {
	text := d.Variable.Name + " lies " + strings.TrimSpace(encoding.FormatBounds(d.Variable)+" "+d.Variable.Unit)
	if d.Variable.Kind == functions.Choice || d.Variable.Kind == functions.Ordered {
		text = d.Variable.Name + " takes " + numfmt.Count(d.Variable.Levels(), "value")
	}
	if d.Earlier != nil {
		text += "; it was " + d.Variable.Text(float64(*d.Earlier)) + " before"
	}
	return text + because(d.Reason)
}

// Widen gives the experiment a wider domain from here on. All results stay as they are.
func (s *Session) Widen(w Widening, reason string) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		return s.rec.State().widenEntries(w, reason)
	})
	return err
}

// widenEntries are the records of a wider domain.
func (st State) widenEntries(w Widening, reason string) ([]recorder.Entry, error) {
	if _, err := st.widened(w, false); err != nil {
		return nil, err
	}
	d := widenedData{Variable: w.Variable, Reason: reason}
	if !math.IsNaN(w.Earlier) {
		earlier := eventlog.Float(w.Earlier)
		d.Earlier = &earlier
	}
	return []recorder.Entry{{Kind: kindWidened, Data: d}}, nil
}

// reaching is the variable with bounds that include x, on the grid of its step; the variable itself where they do, and
// where it has no bounds that could reach further.
func reaching(v functions.Variable, x float64) functions.Variable {
	if v.Kind == functions.Choice || !functions.Finite([]float64{x}) || v.Scale == functions.Log && x <= 0 ||
		v.Kind == functions.Integer && x != math.Trunc(x) {
		return v
	}
	beyond := func(bound float64) float64 {
		if v.Step == 0 {
			return x
		}
		away := math.Ceil(math.Abs(x-bound)/v.Step-1e-9) * v.Step
		return numfmt.Round(bound + math.Copysign(away, x-bound))
	}
	if v.Kind == functions.Ordered && (x < v.Low || x > v.High) {
		v.Values = append(slices.Clone(v.Values), x)
		slices.Sort(v.Values)
	}
	switch {
	case x < v.Low:
		v.Low = beyond(v.Low)
	case x > v.High:
		v.High = beyond(v.High)
	}
	return v
}

// Reaching is the state as it would be if the domain included an input that was measured outside of its bounds, and the
// indices of the variables that would be wider. The next points stay within the bounds of before. Without such a
// variable it is the state itself.
func (st State) Reaching(x []float64) (wider State, outside []int, err error) {
	wider, outside, _, err = st.reach(x)
	return wider, outside, err
}

// reach is Reaching with the records of it.
func (st State) reach(x []float64) (wider State, outside []int, entries []recorder.Entry, err error) {
	for j, value := range x {
		if st.Config.Experiment == nil || j >= st.Problem.Dim() {
			break
		}
		v := reaching(st.Problem.Domain[j], value)
		if v.Low == st.Problem.Domain[j].Low && v.High == st.Problem.Domain[j].High {
			continue
		}
		before := st.Problem.Domain[j]
		if st.Bounds != nil {
			before = st.Bounds[j]
		}
		w := Widening{Variable: v, Earlier: math.NaN()}
		more, err := st.widenEntries(w, "")
		if err != nil {
			return st, nil, nil, err
		}
		kept := boundedData{Variable: v.Name, Low: eventlog.Float(before.Low), High: eventlog.Float(before.High)}
		st, err = st.widened(w, false)
		if err == nil {
			err = st.bound(kept)
		}
		if err != nil {
			return st, nil, nil, err
		}
		entries = append(append(entries, more...), recorder.Entry{Kind: kindBounded, Data: kept})
		outside = append(outside, j)
	}
	return st, outside, entries, nil
}

// Reach widens the domain to an input that was measured outside of its bounds, as of Reaching.
func (s *Session) Reach(x []float64) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		_, _, entries, err := s.rec.State().reach(x)
		return entries, err
	})
	return err
}
