package report

import (
	"math"

	"bandscope/functions"
	"bandscope/sessions"
)

// Traces are values per iteration of the first objective. The regrets use noise-free values, and are nil if the optimum
// is not known. Points beyond a limit do not count. A batch is one iteration with its best point (Dai et al. 2022,
// footnote 4). A value is NaN until an evaluation has succeeded.
type Traces struct {
	Best             []float64 // best result so far
	SimpleRegret     []float64 // simple regret: the smallest f(x) − f* so far
	CumulativeRegret []float64 // cumulative regret: the sum of f(x) − f*
	Cost             []float64 // the cost of all evaluations so far
	// cumulative regret with every evaluation weighted by its cost (Paria 2022, thesis, eq. 4.9); nil like the others
	WeightedRegret []float64

	Multiobjective *ObjectiveTraces // for several objectives; set by AllTracesFor
}

// TracesFor are the traces up to a state. Values that were computed before on its branch are cached.
func TracesFor(st sessions.State) Traces {
	c := traceCacheFor(st).values("one objective", st.Iterations, func() func(sessions.Iteration) []float64 {
		return fold(st.Problem)
	})
	if len(c) == 0 { // of no iterations
		c = make([][]float64, 5)
	}
	t := Traces{Best: c[0], Cost: c[1]}
	if st.Problem.Optimum() != nil {
		t.SimpleRegret = c[2]
		t.CumulativeRegret = c[3]
		t.WeightedRegret = c[4]
	}
	return t
}

// fold folds iterations into the best value, the total cost, and the simple, cumulative and weighted regret.
func fold(p *functions.Problem) func(sessions.Iteration) []float64 {
	g, optimum := p.Objectives[0].Transform(), math.NaN()
	if p.Optimum() != nil {
		optimum = p.Optimum().Value
	}
	best := math.NaN()
	least := math.Inf(1)
	sum := 0.0
	spent := 0.0
	weighted := 0.0
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
			r := g.Sign*(pt.Judged()[0]-optimum) + 0 // no -0
			regret, weighted = min(regret, r), weighted+pt.Cost*r
		}
		if !math.IsInf(regret, 1) { // an evaluation that failed or is beyond a limit costs a step, but has no regret
			least, sum = min(least, regret), sum+regret
		}
		row := []float64{best, spent, math.NaN(), math.NaN(), math.NaN()}
		if !math.IsInf(least, 1) {
			row[2] = least
			row[3] = sum
			row[4] = weighted
		}
		return row
	}
}

// ByCost is the trace of a value over the total cost (Paria 2022, thesis, eq. 4.8 and 4.9): the value after the last
// iteration within a part of the budget, at count costs from 0 to greatest; NaN before the first iteration and after
// the last.
func ByCost(values, spent []float64, greatest float64, count int) []float64 {
	out := make([]float64, count)
	i := -1
	for k := range out {
		cost := greatest * float64(k+1) / float64(count)
		for i+1 < len(spent) && spent[i+1] <= cost*(1+1e-12) {
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
