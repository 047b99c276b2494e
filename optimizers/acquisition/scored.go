package acquisition

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Model is a surrogate with moments and a description for people. It embeds the Posterior with these moments.
type Model interface {
	// Describe describes everything except the acquisition function and the function in use.
	Describe() optimizers.Legend
	// Samples draws functions jointly at the rows of X, as in optimizers.Belief.
	Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error)

	posterior() *Posterior
}

// modelBelief is the part of a belief that its model provides: everything except the acquisition function.
type modelBelief struct {
	*Posterior
	Model

	// LeaveOutFit returns the belief without an observation; nil if that requires a new fit. See LeaveOut.
	LeaveOutFit func(ctx context.Context, i int) (optimizers.Belief, error)
}

// LeaveOut returns the belief without observation i, if the method supports it. It is not supported with limits,
// because these are fitted to all data.
func (b modelBelief) LeaveOut(ctx context.Context, i int) (optimizers.Belief, error) {
	if b.LeaveOutFit == nil || b.In.Feasible != nil {
		return nil, fmt.Errorf("leaving out a result: %w", optimizers.ErrUnsupported)
	}
	return b.LeaveOutFit(ctx, i)
}

// newModelBelief gives the posterior of a model its own cached suggestion, since several beliefs may use the same
// model.
func newModelBelief(m Model) modelBelief {
	p := m.posterior()
	return modelBelief{Posterior: &Posterior{In: p.In, Objective: p.Objective, Scale: p.Scale, Surrogate: p.Surrogate},
		Model: m}
}

// Theory returns the theory of the model, if it has one.
func (b modelBelief) Theory(ctx context.Context) (optimizers.Theory, error) {
	if t, ok := b.Model.(optimizers.Spectrum); ok {
		return t.Theory(ctx)
	}
	return optimizers.Theory{}, fmt.Errorf("spectrum of the kernel: %w", optimizers.ErrUnsupported)
}

// Handles returns the hyperparameters of the model that a person can set.
func (b modelBelief) Handles() []optimizers.Handle {
	if model, ok := b.Model.(optimizers.Adjustable); ok {
		return model.Handles()
	}
	return nil
}

// Covariances returns the covariances of the model, if it has any.
func (b modelBelief) Covariances(ctx context.Context, x []float64, X *mat.Dense) (prior, posterior []float64,
	err error) {
	if model, ok := b.Model.(optimizers.Covariant); ok {
		return model.Covariances(ctx, x, X)
	}
	return nil, nil, fmt.Errorf("covariance function: %w", optimizers.ErrUnsupported)
}

// ScoredBelief is the belief of a method that maximizes a score of the moments. While points are pending, it maximizes
// the score of the moments given their outcomes.
type ScoredBelief struct {
	modelBelief
	Score Score

	scoredMoments Moments    // moments that the score is computed from
	fantasies     *fantasies // the score is averaged over these while points are pending; nil if it is not
}

var (
	_ optimizers.Spectrum      = ScoredBelief{}
	_ optimizers.LeaveOneOuter = ScoredBelief{}
	_ optimizers.FitReport     = ScoredBelief{}

	_ optimizers.Decomposer       = ScoredBelief{}
	_ optimizers.LeaveOutRefitter = ScoredBelief{}
	_ optimizers.LeaveOutRefitter = SampledBelief{}

	_ optimizers.Adjustable = ScoredBelief{}
	_ optimizers.Adjustable = SampledBelief{}
	_ optimizers.Covariant  = ScoredBelief{}
	_ optimizers.Covariant  = SampledBelief{}
)

// NewScoredBelief returns the belief that maximizes a score of the moments of a model. While points are pending, a
// JointPosterior or a KrigingBeliever takes their outcomes into account; with other surrogates, the search keeps away
// from pending points. The error is that of the context.
func NewScoredBelief(ctx context.Context, m Model, s Score) (ScoredBelief, error) {
	b := ScoredBelief{modelBelief: newModelBelief(m), Score: s}
	b.nameScore()
	b.scoredMoments = b.Surrogate
	if b.In.Pending == nil || !b.In.AnyFeasible() {
		// the probability of feasibility does not account for pending points, so the search keeps away from them
		return b, nil
	}
	switch surrogate := b.Surrogate.(type) {
	case JointPosterior:
		noise := surrogate.Noise()
		if s.Conditional != nil {
			noise = 0 // the score depends on the values, not on the observations
		}
		f, err := newFantasy(ctx, surrogate, b.In.Pending, noise)
		if err != nil {
			return b, ctx.Err()
		}
		if s.Conditional == nil {
			b.scoredMoments, b.HandlesPending = f, true
			break
		}
		b.fantasies, err = newFantasies(ctx, b.In, f, s)
		if err == nil {
			b.HandlesPending = true
		}
	case KrigingBeliever:
		if believe, err := surrogate.Believe(ctx, b.In.Pending); err == nil {
			b.scoredMoments, b.HandlesPending = believe, true
		}
	}
	return b, ctx.Err()
}

// NewScoredBeliefFor is NewScoredBelief for a score of other moments than those of the model. These moments account for
// pending points.
func NewScoredBeliefFor(m Model, s Score, moments Moments) ScoredBelief {
	b := ScoredBelief{modelBelief: newModelBelief(m), Score: s, scoredMoments: moments}
	b.nameScore()
	b.HandlesPending = b.In.AnyFeasible()
	return b
}

// nameScore adds the effect of the limits to the name and the display of the score.
func (b *ScoredBelief) nameScore() {
	if b.In.Warp != nil {
		b.Score.Name = strings.Replace(b.Score.Name, ",", " on the warped scale,", 1)
	}
	b.Score.Name, b.Score.Display = search.DescribeTarget(b.In, b.Score.Name, b.Score.Display)
}

// Legend returns the legend of the model with the score.
func (b ScoredBelief) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, as later facts may be cut off
	l.Acquisition = b.Score.Name
	l.LowerIsBetter = b.Score.LowerIsBetter
	l.NonNegative = b.Score.NonNegative
	l.Learns = b.Score.Learns
	return l
}

// Target returns the score as a target to maximize, before Display.
func (b ScoredBelief) Target() search.Target {
	if b.fantasies != nil {
		return search.WeightByFeasibility(b.In,
			search.Target{Values: b.fantasies.values, Gradient: b.fantasies.gradient})
	}
	return search.WeightByFeasibility(b.In, scoreTarget(b.scoredMoments, b.Score))
}

// Acquisition returns the score, in the units of the objective if it has any.
func (b ScoredBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.Target().Values(ctx, X)
	for i := range v {
		v[i] = b.Score.Display(v[i])
	}
	return v, err
}

// Suggest maximizes the score.
func (b ScoredBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Target(), b.Score.Display, search.Incumbents(b.In.Data, 3))
}

// SampledBelief is the belief of a method that minimizes one function drawn from it.
type SampledBelief struct {
	modelBelief
	draw  Draw
	label string // describes the draw
}

var _ optimizers.Spectrum = SampledBelief{}

// NewSampledBelief returns the belief that minimizes a function drawn from a model; what describes the draw. Each
// suggestion has its own draw while points are pending and may be close to them, as in asynchronous Thompson sampling
// (Kandasamy et al. 2018, Alg. 2): if the minimum is known well, all draws have it in the same place.
func NewSampledBelief(m Model, d Draw, subject string) SampledBelief {
	b := SampledBelief{newModelBelief(m), d, subject}
	b.HandlesPending = true
	return b
}

// Legend returns the legend of the model with the draw.
func (b SampledBelief) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, as later facts may be cut off
	l.Used = "Thompson sample"
	l.Acquisition = b.label + ", lower is better"
	l.LowerIsBetter = true
	return l
}

// Used returns the draw that the suggestion minimizes.
func (b SampledBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition returns the draw, in the units of the objective.
func (b SampledBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.draw.Values(ctx, X)
	for i := range v {
		v[i] = b.Value(v[i])
	}
	return v, err
}

// Target returns minus the draw, standardized, as a target to maximize.
func (b SampledBelief) Target() search.Target { return b.draw.MinTarget() }

// Suggest minimizes the draw.
func (b SampledBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Target(), func(v float64) float64 {
		return b.Value(-v)
	}, search.Incumbents(b.In.Data, 3))
}
