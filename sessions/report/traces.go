package report

import (
	"math"

	"bandscope/functions"
	"bandscope/sessions"
)

// Traces are values per iteration of the first objective. Simple and Cumulative count noise-free values, and are nil
// where the optimum is not known. What is beyond a limit counts for nothing. A batch counts as one iteration, its best
// point taken (Dai et al. 2022, footnote 4). A value is NaN as long as nothing has succeeded.
type Traces struct {
	Best             []float64 // best observation so far
	SimpleRegret     []float64 // simple regret: the least of f(x) − f* so far
	CumulativeRegret []float64 // cumulative regret: the sum of f(x) − f*
	Cost             []float64 // the cost of all evaluations so far
	// cumulative regret with every evaluation weighted by its cost (Paria 2022, thesis, eq. 4.9); nil like the others
	WeightedRegret []float64

	Multiobjective *ObjectiveTraces // of several objectives; AllTracesFor fills it
}

// TracesFor are the traces up to a state: as far as they were computed before, along its branch, they are kept.
func TracesFor(st sessions.State) Traces {
	c := traceCacheFor(st).values("one objective", st.Iterations, func() func(sessions.Iteration) []float64 {
		return fold(st.Problem)
	})
	if len(c) == 0 { // of no iterations
		c = make([][]float64, 5)
	}
	t := Traces{Best: c[0], Cost: c[1]}
	if st.Problem.Optimum() != nil {
		t.SimpleRegret, t.CumulativeRegret, t.WeightedRegret = c[2], c[3], c[4]
	}
	return t
}

// fold folds iterations into the best value, what was spent, and the simple, the cumulative and the weighted regret.
func fold(p *functions.Problem) func(sessions.Iteration) []float64 {
	g, optimum := p.Objectives[0].Transform(), math.NaN()
	if p.Optimum() != nil {
		optimum = p.Optimum().Value
	}
	best, least, sum, spent, weighted := math.NaN(), math.Inf(1), 0.0, 0.0, 0.0
	return func(it sessions.Iteration) []float64 {
		regret := math.Inf(1)
		for _, pt := range it.Points {
			spent += pt.Cost
			if pt.Failed {
				continue
			}
			if y := pt.Y; p.Feasible(y) && !(g.Apply(y[0]) >= g.Apply(best)) {
				best = y[0]
			}
			if !p.Feasible(pt.Judged()) {
				continue
			}
			r := g.Sign * (pt.Judged()[0] - optimum)
			regret, weighted = min(regret, r), weighted+pt.Cost*r
		}
		if !math.IsInf(regret, 1) { // an evaluation that failed or is beyond a limit costs a step, but has no regret
			least, sum = min(least, regret), sum+regret
		}
		row := []float64{best, spent, math.NaN(), math.NaN(), math.NaN()}
		if !math.IsInf(least, 1) {
			row[2], row[3], row[4] = least, sum, weighted
		}
		return row
	}
}

// ByCost is the trace of a value over the cost that was spent (Paria 2022, thesis, eq. 4.8 and 4.9): the value after
// the last iteration that a part of the budget pays for, at count costs from 0 to the greatest; NaN where it pays for
// none, and behind the end of the run.
func ByCost(values, spent []float64, greatest float64, count int) []float64 {
	out := make([]float64, count)
	i := -1
	for k := range out {
		at := greatest * float64(k+1) / float64(count)
		for i+1 < len(spent) && spent[i+1] <= at*(1+1e-12) {
			i++
		}
		out[k] = math.NaN()
		if before := greatest * float64(k) / float64(count); i >= 0 && i < len(values) &&
			before < last(spent)*(1-1e-12) {
			out[k] = values[i]
		}
	}
	return out
}

func last(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return v[len(v)-1]
}
