package stats

import (
	"math"
	"slices"
	"strings"

	"bandscope/sessions/study"
)

// problemInfo is the data of a problem and of all of its runs.
type problemInfo struct {
	Problem
	cost float64 // the cost budget, 0 if there is none
	best float64 // the sign of the best value
}

func newProblemInfo(d *study.Declaration, rows []*study.Row, axis Axis) problemInfo {
	name := rows[0].Problem
	a := problemInfo{Problem: Problem{Name: name, Dim: rows[0].Dim, Measure: study.MeasureFor(d, name), Sign: 1,
		Axis: axis},
		best: 1}
	a.Known = slices.ContainsFunc(rows, func(row *study.Row) bool { return row.Trace.SimpleRegret != nil })
	if strings.Contains(name, " cost_budget=") { // rare, and reading an entry takes time
		for _, row := range rows {
			if cfg, err := row.Config(d.Own...); err == nil { // not of a method that this version does not know
				a.cost = cfg.CostBudget
				break
			}
		}
	}
	if a.Axis == DefaultAxis {
		a.Axis = Evaluations
		if a.cost > 0 {
			a.Axis = Cost
		}
	}
	if !a.Known && study.BestValue.GreaterIsBetter(d, name) { // only then the best value counts
		a.best = -1
	}
	a.Quantity = a.Measure.Quantity(d, name)
	if a.Measure.GreaterIsBetter(d, name) {
		a.Sign = -1
	}
	return a
}

// curve is the run of a row.
func (a *problemInfo) curve(row *study.Row) Curve {
	t := &row.Trace
	c := Curve{Problem: row.Problem, Method: row.Method, Seed: row.Seed, Dim: row.Dim, Status: row.Status,
		Counts: t.Evaluations, Repeats: math.NaN()}
	if n := len(t.Repeats); n > 0 {
		c.Repeats = t.Repeats[n-1]
	}
	n := len(t.Evaluations)
	c.Values = signed(t.Values(a.Measure), a.Sign, n)
	c.Progress = a.progress(t, c.Values)
	c.At, c.Budget = a.place(row)
	if n > 0 {
		c.KnownUntil = c.At[n-1]
	}
	if row.Status == study.Done {
		c.KnownUntil = max(c.KnownUntil, c.Budget)
	}
	return c
}

// place is the places of a row's iterations on the axis, and the end of its budget. A trace may be thinned: then
// it has fewer numbers than the run had steps.
func (a *problemInfo) place(row *study.Row) (point []float64, budget float64) {
	t, n := &row.Trace, len(row.Trace.Evaluations)
	point = make([]float64, n)
	steps := float64(max(row.Steps, n))
	for i, e := range t.Evaluations {
		switch a.Axis {
		case Iterations:
			point[i] = float64(i + 1)
			if n < row.Steps {
				point[i] = float64(e) * steps / float64(t.Evaluations[n-1])
			}
		case Cost:
			point[i] = math.NaN()
			if i < len(t.Spent) {
				point[i] = t.Spent[i]
			}
		default:
			point[i] = float64(e)
		}
	}
	switch {
	case a.Axis == Cost && a.cost > 0:
		budget = a.cost
	case n > 0: // the steps that are missing as those before
		budget = point[n-1] * max(1, float64(row.Budget)/steps)
	default:
		budget = float64(row.Budget)
	}
	return point, budget
}

// progress is the best value of a run so far.
func (a *problemInfo) progress(t *study.Trace, values []float64) []float64 {
	switch {
	case a.Known && a.Measure != study.Hypervolume && a.Measure != study.BayesRegret:
		values = signed(t.SimpleRegret, 1, len(values))
	case a.Measure == study.CumulativeRegret, a.Measure == study.WeightedRegret, a.Measure == study.SimpleRegret:
		values = signed(t.Best, a.best, len(values))
	}
	if isNonIncreasing(values) {
		return values
	}
	lowest, least := make([]float64, len(values)), math.NaN()
	for i, v := range values {
		if !(v >= least) && !math.IsNaN(v) {
			least = v
		}
		lowest[i] = least
	}
	return lowest
}

// isNonIncreasing reports whether values never rise, once there are any.
func isNonIncreasing(values []float64) bool {
	for i := 1; i < len(values); i++ {
		if !(values[i] <= values[i-1]) && !math.IsNaN(values[i-1]) {
			return false
		}
	}
	return true
}

// signed is a slice of n values times a sign; NaN if the run has no such values.
func signed(v []float64, sign float64, n int) []float64 {
	if sign == 1 && len(v) == n {
		return v
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
		if i < len(v) {
			out[i] = sign * v[i]
		}
	}
	return out
}
