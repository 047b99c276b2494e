// Package stats is what the numbers of a study say: curves on a common axis with bands over seeds, ranks, shares of
// targets reached (COCO's), performance and data profiles, and tests of pairs and of all methods with their corrections
// and the sizes of effects. It is pure: a table comes in, as far as its runs have come, and numbers and words come out.
// Everything is lower is better here; what is greater is better in its table counts with its sign turned.
//
// Methods are compared over blocks: a block is one problem and one seed, where all methods share the start. A block
// counts from when every method has come so far in it, so that a study that is not yet complete compares no method with
// another's luckier problems. A cell that failed is worse than every one that came as far as is asked.
package stats

import (
	"math"
	"sort"

	"bandscope/sessions/study"
)

// Axis is what values are drawn over.
type Axis int

// The axes. By default cost is taken on problems with a budget in cost, and evaluations on all others.
const (
	DefaultAxis Axis = iota
	Evaluations
	Iterations
	Cost
)

// Problem is what the curves of one problem of a study have in common.
type Problem struct {
	Name    string // with its key=value pairs, as cells have it
	Dim     int
	Measure study.Measure // that Values of its curves are of
	Sign    float64       // +1, or −1 where the measure is greater is better: Values are Sign times the measure
	Axis    Axis
	Known   bool    // the optimum: Progress of its curves is the simple regret
	End     float64 // of the axis, the greatest of its curves' Budgets
}

// Curve is one run of a study: what it had reached where.
type Curve struct {
	Problem, Method string
	Seed            uint64
	Dim             int
	Status          study.Status

	At     []float64 // on the axis, rising
	Values []float64 // of the measure, lower is better; NaN while nothing has succeeded
	// the best so far: of the simple regret where the optimum is known, otherwise of the value or of a measure of
	// several objectives; lower is better
	Progress []float64
	Counts   []int // evaluations so far

	Budget     float64 // where its own budget ends on the axis, as far as it can be known
	KnownUntil float64 // where it is known: up to the last of At, and once it is done to Budget
}

// Failed reports whether the cell was given up.
func (c *Curve) Failed() bool { return c.Status == study.Failed }

// axisTolerance is by how much a place of the axis may be off: parts of budgets and sums of costs are not exact.
const axisTolerance = 1e-12

// Value is what the run had reached at x: NaN where nothing had succeeded, and where it has not come to yet.
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

// ValueAtPart is the value by which a run is compared after a part of its own budget, 0 to 1: what it had reached, +Inf
// where it had reached nothing or failed before; there is none as long as it has not come so far.
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

// Final is what the run had reached at the end of its budget; NaN where nothing had succeeded, where it failed, and as
// long as it is not done.
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
	problems, methods, seeds := map[string]int{}, map[string]int{}, map[uint64]int{}
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
