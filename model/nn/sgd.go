package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SGDOptions are the options of stochastic gradient descent.
type SGDOptions struct {
	Sigma2    float64   // weight of the distance from the start
	NoiseVars []float64 // as in Options
	Batch     int       // observations of one step
	Epochs    int       // passes over the data, each in a different order
	Rate      float64
	Progress  func(done, total int) // may be nil
}

// SGD trains a network by stochastic gradient descent on (1/n)(½Σ(f−y)² + ½σ²‖θ−θ₀‖²), where θ₀ are the parameters of
// the start: each step follows the gradient of the mean over its batch, so that a rate is valid for any number of data.
// X is n×d, in [−1, 1]^d; y is standardized.
func SGD(ctx context.Context, start *Net, X *mat.Dense, y []float64, opt SGDOptions, rng *rand.Rand) (*Surrogate,
	error) {
	if err := checkEpochs(opt.Epochs, opt.Rate); err != nil {
		return nil, err
	}
	if opt.Batch < 1 {
		return nil, fmt.Errorf("a batch of gradient descent needs at least one observation, got %d", opt.Batch)
	}
	n, d := X.Dims()
	root, err := Options{Sigma2: opt.Sigma2, NoiseVars: opt.NoiseVars}.roots(n)
	if err != nil {
		return nil, err
	}
	size := min(opt.Batch, n)
	u := start.zeros()
	steps := 0
	for epoch := range opt.Epochs {
		if opt.Progress != nil {
			opt.Progress(epoch, opt.Epochs)
		}
		order := rng.Perm(n)
		for from := 0; from < n; from += size {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			rows := order[from:min(from+size, n)]
			x := mat.NewDense(len(rows), d, nil)
			for i, r := range rows {
				x.SetRow(i, X.RawRowView(r))
			}
			state := start.plus(u).run(x)
			for i, r := range rows {
				state.f[i] = -opt.Rate * (state.f[i] - y[r]) / float64(len(rows))
				if root != nil {
					state.f[i] *= root[r] * root[r]
				}
			}
			state.back(state.f, 1-opt.Rate*opt.Sigma2/float64(n), u)
			steps++
		}
	}
	net := start.plus(u)
	t := &training{start: start, x: X, target: applyWeights(slices.Clone(y), root), sigma2: opt.Sigma2, root: root}
	value, residual := t.objective(t.eval(net), u)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, fmt.Errorf("%w: the learning rate %g is too large", ErrDiverged, opt.Rate)
	}
	return &Surrogate{Net: net, Nu: 1, Report: Report{Iterations: steps, RMSE: t.rmse(residual), Objective: value,
		Converged: true}}, nil
}
