package multiobjective

import (
	"context"
	"math"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/param"
	"bandscope/optimizers/weights"
)

// MOEADEGO maximizes the best expected improvement of many Tchebyshev subproblems, computed from the processes of the
// objectives.
var MOEADEGO = optimizers.Register(optimizers.Spec{
	Name: "moead-ego", Title: "MOEA/D-EGO", Family: "several objectives", Rank: 6, Multi: true,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement of many Tchebyshev subproblems at once, with one Gaussian process per objective",
	Source:  "Zhang et al. 2010, with one point per batch and one search over all subproblems; as the baseline of Paria 2022 (thesis), ch. 2",
	Params: append([]param.Decl{{Key: "subproblems", Label: "subproblems", Kind: param.Integer, Default: 60, Min: 2,
		Max: 500, Log: true,
		Help:   "Number of subproblems. Their weight vectors are spread evenly over the simplex.",
		Source: "Zhang et al. 2010, §IV: 300 for two objectives, 595 for three"}}, gaussian.Params()...),
	ScoringParams: weights.ScoringParams(),
	Check:         weights.Check,
	Fit:           fitMOEAD,
})

// subproblem is a weight vector with the best value of the data for it.
type subproblem struct {
	weights []float64
	best    float64
}

func fitMOEAD(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	b, err := fitFront(ctx, in, "best expected improvement of the subproblems")
	if err != nil {
		return nil, err
	}
	var problems []subproblem
	for _, w := range simplexLattice(in.Objectives, in.Params.Int("subproblems")) {
		p := subproblem{w, math.Inf(1)}
		for _, f := range b.front {
			p.best = math.Min(p.best, tchebyshevCost(w, f))
		}
		problems = append(problems, p)
	}
	b.shown, b.nonNegative = math.Exp, true
	b.gain = func(mean, sd []float64) float64 { // in the log domain, where the gradient does not vanish
		best := math.Inf(-1)
		for _, p := range problems {
			if len(b.front) == 0 {
				p.best = 0
			}
			m, s := costMoments(p.weights, mean, sd)
			v, _, _ := normdist.LogImprovement(m, s, p.best)
			best = math.Max(best, v)
		}
		return best
	}
	return b, nil
}

// tchebyshevCost is max_k λ_k (f_k − z_k) of minimized outcomes −u, from the ideal outcome u = 1.
func tchebyshevCost(w, f []float64) float64 {
	worst := math.Inf(-1)
	for k, v := range f {
		worst = math.Max(worst, w[k]*(v+1))
	}
	return worst
}

// costMoments returns the mean and the standard deviation of the Tchebyshev cost of independent normal outcomes, as the
// maximum of two normals, one objective after the other (Clark 1961; Zhang et al. 2010, §III-A).
func costMoments(w, mean, sd []float64) (m, s float64) {
	m, s = w[0]*(mean[0]+1), w[0]*sd[0]
	for k := 1; k < len(w); k++ {
		m, s = normdist.MaximumMoments(m, s, w[k]*(mean[k]+1), w[k]*sd[k])
	}
	return m, s
}

// minWeight is the least weight of an objective, so that each has an effect on every subproblem.
const minWeight = 1e-3

// simplexLattice returns the finest regular lattice of at most count weight vectors (Das & Dennis 1998); it includes at
// least the corners.
func simplexLattice(k, count int) [][]float64 {
	parts := 1
	for latticeSize(k, parts+1) <= count && k > 1 {
		parts++
	}
	var out [][]float64
	w := make([]float64, k)
	var fill func(index, left int)
	fill = func(index, left int) {
		if index == k-1 {
			w[index] = float64(left) / float64(parts)
			out = append(out, normalized(w))
			return
		}
		for n := range left + 1 {
			w[index] = float64(n) / float64(parts)
			fill(index+1, left-n)
		}
	}
	fill(0, parts)
	return out
}

// latticeSize returns the number of ways to divide parts among k objectives.
func latticeSize(k, parts int) int {
	n := 1
	for i := 1; i < k; i++ {
		n = n * (parts + i) / i
	}
	return n
}

func normalized(w []float64) []float64 {
	out := make([]float64, len(w))
	sum := 0.0
	for k, v := range w {
		out[k] = math.Max(v, minWeight)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}
