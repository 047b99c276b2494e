// Package costaware holds the methods that weigh the information or improvement of an evaluation against its cost, and
// those that choose its fidelity. An Input has a cost or a fidelity; without a cost all points cost 1. The process and
// the information about the best value are in package gaussian.
package costaware

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/search"
)

// logCost is the logarithm of the cost, with its gradient by central differences.
func logCost(in optimizers.Input, u, grad []float64) float64 {
	v := math.Log(in.CostAt(u))
	if in.Cost == nil {
		clear(grad)
		return v
	}
	const step = 1e-5
	point := append([]float64(nil), u...)
	for j := range u {
		above, below := min(u[j]+step, 1), max(u[j]-step, 0)
		point[j] = above
		up := math.Log(in.Cost(point))
		point[j] = below
		grad[j] = (up - math.Log(in.Cost(point))) / (above - below)
		point[j] = u[j]
	}
	return v
}

// perCostBelief is the belief of a method that maximizes the logarithm of a score minus that of the cost.
type perCostBelief struct {
	acquisition.ScoredBelief
	name     string
	shown    func(value float64) float64 // converts a value for display
	logScale bool                        // shown as a logarithm
	start    *mat.Dense                  // further starting points of the search; nil if there are none
	limit    func(value float64) bool    // whether a point with this score may be chosen; nil allows all
}

var _ optimizers.Constrained = perCostBelief{}

func (b perCostBelief) Legend() optimizers.Legend {
	l := b.ScoredBelief.Legend()
	l.Acquisition, l.PerCost = b.name, b.In.Cost != nil
	return l
}

// values are the scores per cost at the rows of X; −∞ where the constraint does not hold.
func (b perCostBelief) values(ctx context.Context, X *mat.Dense, limited bool) ([]float64, error) {
	v, err := b.Target().Values(ctx, X)
	for i, score := range v {
		v[i] -= math.Log(b.In.CostAt(X.RawRowView(i)))
		if limited && b.limit != nil && !b.limit(score) {
			v[i] = math.Inf(-1)
		}
	}
	return v, err
}

// Acquisition is the score per cost, also where the constraint does not hold; Feasible says where it does.
func (b perCostBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.values(ctx, X, false)
	for i := range v {
		v[i] = b.shown(v[i])
	}
	return v, err
}

// Decompose returns the score, with its terms, and the cost.
func (b perCostBelief) Decompose(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	all, err := b.ScoredBelief.Decompose(ctx, X)
	if err != nil || b.In.Cost == nil {
		return all, err
	}
	for i, score := range all {
		cost := b.In.CostAt(X.RawRowView(i))
		if b.logScale {
			all[i] = optimizers.NewTerm("cost × "+score.Name, optimizers.OperationSum, score,
				optimizers.Term{Name: "cost " + numfmt.Format(cost) + " (log10)", Value: math.Log10(cost)})
			continue
		}
		all[i] = optimizers.NewTerm(score.Name+" per cost", optimizers.OperationProduct, score,
			optimizers.Term{Name: "1 / cost " + numfmt.Format(cost), Value: 1 / cost})
	}
	return all, nil
}

// LeaveOut leaves out an observation if the score can.
func (b perCostBelief) LeaveOut(ctx context.Context, i int) (optimizers.Belief, error) {
	if b.limit != nil || b.start != nil { // the constraint depends on a search
		return nil, fmt.Errorf("leaving out a result: %w", optimizers.ErrUnsupported)
	}
	less, err := b.ScoredBelief.LeaveOut(ctx, i)
	if err != nil {
		return nil, err
	}
	b.ScoredBelief = less.(acquisition.ScoredBelief)
	return b, nil
}

// Feasible reports where the constraint holds.
func (b perCostBelief) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	if b.limit == nil {
		return nil, nil
	}
	v, err := b.Target().Values(ctx, X)
	allowed := make([]bool, len(v))
	for i, score := range v {
		allowed[i] = b.limit(score)
	}
	return allowed, err
}

// Suggest maximizes the score per cost where the constraint holds.
func (b perCostBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	t := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		return b.values(ctx, X, true)
	}}
	if score := b.Target(); score.Gradient != nil {
		t.Gradient = func(x, grad []float64) float64 {
			v, dcost := score.Gradient(x, grad), make([]float64, len(x))
			if b.limit != nil && !b.limit(v) {
				clear(grad)
				return math.Inf(-1)
			}
			cost := logCost(b.In, x, dcost)
			for j := range grad {
				grad[j] -= dcost[j]
			}
			return v - cost
		}
	}
	return b.Maximize(ctx, t, b.shown, search.Stack(search.Incumbents(b.In.Data, 3), b.start))
}

// EIPerCost is expected improvement divided by the cost.
var EIPerCost = optimizers.Register(optimizers.Spec{
	Name: "ei-per-cost", Title: "EI per cost", Family: "cost-aware", Rank: 3,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "Gaussian process with expected improvement per unit of cost",
	Source:  "Snoek et al. 2012, §3.2; Cost EI of Paria 2022 (thesis), §4.6",
	Params:  gaussian.Params(),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := gaussian.EI.Fit(ctx, in)
		if err != nil {
			return nil, err
		}
		ei := b.(acquisition.ScoredBelief)
		return perCostBelief{ScoredBelief: ei, name: "expected improvement per cost, higher is better",
			shown: ei.Score.Display}, nil
	},
})
