package diagnostics

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// linearScale is the linear scale as commands write it.
const linearScale = "linear"

// Alternative is another value of one of the method's parameters, or another scale of an experiment's objective.
type Alternative struct {
	inspection.Alternative
	Name   string // the parameter's key, or "scale of" an objective
	Label  string // the name on screens
	Value  string // as typed
	Better bool   // by more than its uncertainty: it is recommended

	objective *functions.Objective // with the other scale; nil for a parameter
}

// Apply changes the session to an alternative.
func (a Alternative) Apply(s *sessions.Session) error {
	if o := a.objective; o != nil {
		return s.SetExpectation(*o)
	}
	return s.Edit(a.Decl.Key, a.Value)
}

// FormatGain formats a difference of log densities, with its sign.
func FormatGain(v float64) string {
	places := 2
	if math.Abs(v) >= 100 {
		places = 0
	}
	if text := fmt.Sprintf("%+.*f", places, v); text != "-0.00" {
		return text
	}
	return "+0.00"
}

// CommandLine is the command that applies the alternative.
func (a Alternative) CommandLine() string {
	if o := a.objective; o != nil {
		return fmt.Sprintf("bandscope set FILE --objective %s --scale %s --range %s", o.Name, a.Value,
			rangeText(o.Range))
	}
	return "--set in a new session"
}

// rangeText is a range as typed.
func rangeText(r *[2]float64) string {
	if r == nil {
		return "none"
	}
	return numfmt.Exact(r[0]) + "," + numfmt.Exact(r[1])
}

// compareScale compares the linear and the logarithmic scale of an experiment's objective, if its values and its
// declaration allow both. It compares densities of the values in their own unit.
func (e checker) compareScale(r *Check, k int, leaveOneOutFunc inspection.LeaveOneOutFunc, now []inspection.Predictions) error {
	other, value, ok := otherScale(e.state, k)
	if !ok {
		return nil
	}
	st := e.state
	problem := *st.Problem
	problem.Objectives = slices.Clone(problem.Objectives)
	problem.Objectives[k] = other
	st.Problem = &problem
	in := st.Input()
	in.Progress, in.Pending = e.in.Progress, nil
	held, _, err := leaveOneOutFunc(e.ctx, in)
	if e.ctx.Err() != nil {
		return e.ctx.Err()
	}
	if err != nil || len(held) != len(now) { // not comparable
		return nil
	}
	base, alternative := slices.Clone(now), slices.Clone(held)
	base[k], alternative[k] = now[k].Transform(logSlopes(e.state, k)), held[k].Transform(logSlopes(st, k))
	gain, se, same := inspection.ScoreDifference(base, alternative)
	if same || math.IsNaN(gain) {
		return nil
	}
	a := Alternative{Name: "scale of " + other.Name, Label: "scale of " + other.Name, Value: value, objective: &other}
	a.Gain = gain
	a.SE = se
	a.Evidence = math.NaN()
	a.Better = a.Alternative.Better(in.Data.Len())
	a.Alternative.Value = value
	r.Alternatives = append(r.Alternatives, a)
	return nil
}

// otherScale is an objective of an experiment on the other scale, with the name of that scale; false if values or the
// range have no logarithm, or if a noise is declared, whose unit would change. A logarithmic scale needs a range; if
// none is declared, it begins one decade below the decade of the smallest value and ends with the decade of the
// largest.
func otherScale(st sessions.State, k int) (o functions.Objective, value string, ok bool) {
	o = st.Problem.Objectives[k]
	if st.Config.Experiment == nil || o.Noise != 0 {
		return o, "", false
	}
	if o.Scale == functions.Log {
		o.Scale = ""
		return o, linearScale, true
	}
	o.Scale = functions.Log
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range Results(st) {
		least, most = min(least, r.Y[k]), max(most, r.Y[k])
	}
	if !(least > 0) || o.Range != nil && (!(o.Range[0] > 0) || least < o.Range[0]) {
		return o, "", false
	}
	if o.Range == nil {
		o.Range = &[2]float64{math.Pow(10, math.Floor(math.Log10(least))-1),
			math.Pow(10, math.Ceil(math.Log10(most)+1e-9))}
	}
	return o, string(functions.Log), true
}

// logSlopes are the logarithms of the slopes of an objective's transform at its values.
func logSlopes(st sessions.State, k int) []float64 {
	g := st.Problem.Objectives[k].Transform()
	var all []float64
	for _, r := range Results(st) {
		all = append(all, math.Log(g.ApplySE(r.Y[k], 1)))
	}
	return all
}
