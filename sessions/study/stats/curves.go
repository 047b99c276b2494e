// Package stats computes the statistics of a study: curves on a common axis with bands over seeds, ranks, shares of
// targets reached (COCO's), performance and data profiles, and tests of pairs and of all methods with their corrections
// and effect sizes. It is pure: the input is a table, which may be incomplete, and the output is numbers and words.
// Lower is better here; measures of which greater is better change their sign.
//
// Methods are compared over blocks: a block is one problem and one seed, where all methods share the initial points. A
// block counts only if every method has reached the compared part of the budget, so that an incomplete study does not
// compare methods on different problems. A failed cell is worse than all cells that reached that part.
package stats

import (
	"math"
	"sort"

	"bandscope/sessions/study"
)

// Axis is the quantity of the horizontal axis.
type Axis int

// The axes. The default is cost on problems with a cost budget, and evaluations on all others.
const (
	DefaultAxis Axis = iota
	Evaluations
	Iterations
	Cost
)

// Problem is the common data of the curves of one problem of a study.
type Problem struct {
	Name    string // with its key=value pairs, as cells have it
	Dim     int
	Measure study.Measure // that Values of its curves are of
	// the measure as text, such as "hypervolume within limits"
	Quantity string
	Sign     float64 // +1, or −1 if greater is better: Values are Sign times the measure
	Axis     Axis
	Known    bool    // the optimum: Progress of its curves is the simple regret
	End      float64 // of the axis, the greatest of its curves' Budgets
}

// Curve is one run of a study, as values over the axis.
type Curve struct {
	Problem, Method string
	Seed            uint64
	Dim             int
	Status          study.Status

	At     []float64 // on the axis, rising
	Values []float64 // of the measure, lower is better; NaN while nothing has succeeded
	// the best so far: of the simple regret if the optimum is known, otherwise of the value or of a measure of several
	// objectives; lower is better
	Progress []float64
	Counts   []int // evaluations so far
	// evaluations of points that were evaluated before; NaN if they were not counted
	Repeats float64

	Budget     float64 // the end of its own budget on the axis, an estimate if it is not known
	KnownUntil float64 // where its values are known: up to the last of At, and for a finished run up to Budget
}

// Failed reports whether the cell failed.
func (c *Curve) Failed() bool { return c.Status == study.Failed }

// axisTolerance is the relative tolerance of places on the axis: parts of budgets and sums of costs are not exact.
const axisTolerance = 1e-12

// Value is the value of the run at x: NaN before the first success, and where the run has not come to yet.
func (c *Curve) Value(x float64) float64 {
	if x > c.KnownUntil*(1+axisTolerance) {
		return math.NaN()
	}
	i := sort.Search(len(c.At), func(i int) bool { return c.At[i] > x*(1+axisTolerance) })
	if i == 0 {
		return math.NaN()
	}
	return c.Values[i-1]
}

// ValueAtPart is the value of a run after a part of its own budget, 0 to 1, for comparisons: +Inf if it has none or
// failed before; ok is false if the run has not come so far.
func (c *Curve) ValueAtPart(part float64) (value float64, ok bool) {
	x := part * c.Budget
	v := c.Value(x)
	switch {
	case !math.IsNaN(v):
		return v, true
	case c.Failed(), len(c.At) > 0 && x <= c.KnownUntil*(1+axisTolerance):
		return math.Inf(1), true
	}
	return 0, false
}

// Final is the value of the run at the end of its budget; NaN if no evaluation succeeded, if it failed, or if it is not
// done.
func (c *Curve) Final() float64 {
	if c.Status != study.Done {
		return math.NaN()
	}
	return c.Value(c.Budget)
}

// Runs are the curves of a study: of every problem, method and seed of its table, begun or not.
type Runs struct {
	Problems []Problem
	Methods  []string // as cells have them
	Labels   []string // short names of the methods
	Seeds    []uint64

	curves []Curve // problem by problem, method by method, seed by seed; one without a row in the table has no method
}

// Curves are the curves of a problem and a method, in the order of Seeds.
func (r *Runs) Curves(problem, method int) []Curve {
	from := (problem*len(r.Methods) + method) * len(r.Seeds)
	return r.curves[from : from+len(r.Seeds)]
}

// CurvesFor takes a table apart into curves over an axis.
func CurvesFor(t *study.Table, axis Axis) *Runs {
	r := &Runs{}
	problems := map[string]int{}
	methods := map[string]int{}
	seeds := map[uint64]int{}
	for i := range t.Rows {
		row := &t.Rows[i]
		if _, ok := problems[row.Problem]; !ok {
			problems[row.Problem] = len(problems)
		}
		if _, ok := methods[row.Method]; !ok {
			methods[row.Method] = len(methods)
			r.Methods = append(r.Methods, row.Method)
		}
		if _, ok := seeds[row.Seed]; !ok {
			seeds[row.Seed] = len(seeds)
			r.Seeds = append(r.Seeds, row.Seed)
		}
	}
	r.Labels = study.Labels(r.Methods)
	rows := make([][]*study.Row, len(problems))
	for i := range t.Rows {
		p := problems[t.Rows[i].Problem]
		rows[p] = append(rows[p], &t.Rows[i])
	}
	r.curves = make([]Curve, len(problems)*len(methods)*len(seeds))
	for p := range rows {
		about := newProblemInfo(t.Declaration, rows[p], axis)
		for _, row := range rows[p] {
			c := about.curve(row)
			r.Curves(p, methods[row.Method])[seeds[row.Seed]] = c
			about.End = max(about.End, c.Budget)
		}
		r.Problems = append(r.Problems, about.Problem)
	}
	return r
}
