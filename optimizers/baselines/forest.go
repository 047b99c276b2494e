package baselines

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/forest"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Forest is expected improvement with a random forest.
var Forest = optimizers.Register(optimizers.Spec{
	Name: "forest-ei", Title: "Forest-EI", Family: "random forest", Rank: 1,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsWeights, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInTrees, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement with a random forest",
	Source:  "Hutter et al. 2011 (SMAC); as the baseline of Phan-Trong et al. 2023, §7",
	Params: append([]param.Decl{
		{Key: "trees", Label: "trees B", Kind: param.Integer, Default: 100, Min: 2, Max: 1000, Log: true,
			Help:   "Number of trees in the forest.",
			Source: "Hutter et al. 2011: 10; more give a smoother acquisition function"},
		{Key: "min_leaf", Role: optimizers.RoleAssumption, Label: "min leaf size", Kind: param.Integer, Default: 1,
			Min: 1, Max: 100,
			Help:   "Minimum number of results in a leaf. Smaller leaves follow the data more closely.",
			Source: "SMAC3 uses 3; with 1 the search gets closer to the minimum"}},
		search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, best, err := growForest(ctx, in)
		if err != nil {
			return nil, err
		}
		if in.Pending == nil {
			return acquisition.NewScoredBelief(ctx, b, b.ExpectedImprovement(best))
		}
		in.Data, err = b.DataWithPending(ctx)
		if err != nil {
			return nil, err
		}
		in.Pending = nil
		next, best, err := growForest(ctx, in) // on its own mean at the pending points, too
		if err != nil {
			return nil, err
		}
		return acquisition.NewScoredBeliefFor(b, next.ExpectedImprovement(best), next.Surrogate), nil
	},
})

// growForest grows the forest, and returns its belief with the standardized incumbent.
func growForest(ctx context.Context, in optimizers.Input) (b *forestBelief, incumbent float64, err error) {
	b = &forestBelief{Posterior: acquisition.Posterior{In: in, Scale: in.Scale(0, in.Data.Len())}}
	b.Surrogate = forestMoments{b}
	if in.Data.Len() == 0 {
		return b, 0, nil
	}
	b.forest, err = forest.Fit(ctx, in.Domain.Encode(in.Data.X), b.Scale.Apply(in.Data.Column(0)),
		forest.Options{Trees: in.Params.Int("trees"),
			MinLeaf: in.Params.Int("min_leaf"), Weights: weightsFor(in), Progress: func(done, total int) {
				in.Report("growing trees", done, total)
			}}, in.Stream("forest"))
	if err != nil {
		return nil, 0, fmt.Errorf("growing the forest: %w", err)
	}
	incumbent, err = b.Incumbent(ctx, 0)
	return b, incumbent, err
}

// minError is the smallest standard error, relative to the largest known one: an observation has at most the weight of
// a million others.
const minError = 1e-3

// weightsFor are the inverse noise variances of the observations, scaled to mean 1 over those with known noise; the
// others have weight 1. It is nil if no noise is known.
func weightsFor(in optimizers.Input) []float64 {
	w := in.Errors(0)
	if w == nil {
		return nil
	}
	greatest := 0.0
	sum := 0.0
	count := 0.0
	for _, e := range w {
		if e > greatest {
			greatest = e
		}
	}
	if greatest == 0 { // all are exact, or not known
		return nil
	}
	for i, e := range w {
		if !math.IsNaN(e) {
			w[i] = math.Pow(max(e/greatest, minError), -2)
			sum, count = sum+w[i], count+1
		}
	}
	for i, v := range w {
		w[i] = v * count / sum
		if math.IsNaN(v) {
			w[i] = 1
		}
	}
	return w
}

// forestBelief is a forest; without data its prediction is standard normal everywhere.
type forestBelief struct {
	acquisition.Posterior
	forest *forest.Forest
}

// forestMoments are the forest's moments.
type forestMoments struct{ *forestBelief }

// minForestSD is the smallest standard deviation of standardized targets. Otherwise a forest whose trees agree on
// leaves of one value would claim to be certain, and no improvement would be expected anywhere.
const minForestSD = 1e-3

// Predict uses the law of total variance over the trees.
func (b forestMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	if b.forest != nil {
		mean, sd, err = b.forest.Predict(ctx, b.In.Domain.Encode(X))
		for i := range sd {
			sd[i] = max(sd[i], minForestSD)
		}
		return mean, sd, err
	}
	n, _ := X.Dims()
	mean, sd = make([]float64, n), make([]float64, n)
	for i := range sd {
		sd[i] = 1
	}
	return mean, sd, ctx.Err()
}

func (b *forestBelief) Describe() optimizers.Legend {
	l := optimizers.Legend{Mean: "forest mean", Band: "±2 sd over the trees and within their leaves", Samples: "trees"}
	if b.forest == nil {
		l.Band, l.Samples = "±2 sd of the prior, before any tree", ""
	}
	return l
}

// Samples are trees, drawn at random: one tree is a piecewise constant function.
func (b *forestBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	if b.forest == nil {
		return nil, fmt.Errorf("a forest without results has no trees: %w", optimizers.ErrUnsupported)
	}
	X = b.In.Domain.Encode(X)
	n, _ := X.Dims()
	out := mat.NewDense(count, n, nil)
	trees := b.forest.Trees()
	order := b.In.Stream("samples", draw).Perm(len(trees))
	for i := range count {
		tree := trees[order[i%len(order)]]
		for j := range n {
			mean, _ := tree.Predict(X.RawRowView(j))
			out.Set(i, j, b.Scale.Value(mean))
		}
	}
	return []*mat.Dense{out}, ctx.Err()
}
