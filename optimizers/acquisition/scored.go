package acquisition

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Model is a surrogate with moments as a person is told of it; it embeds the Posterior that the moments make.
type Model interface {
	// Describe names everything but the acquisition and the function in use.
	Describe() optimizers.Legend
	// Samples are jointly drawn functions, as of a belief.
	Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error)

	posterior() *Posterior
}

// modelBelief is what a belief has of its model: everything but what is chosen by.
type modelBelief struct {
	*Posterior
	Model

	// Forget is what would be believed without a datum; nil where that takes a new fit. See LeaveOut.
	LeaveOutFit func(ctx context.Context, i int) (optimizers.Belief, error)
}

// LeaveOut returns what would be believed without datum i, where the method knows that; limits are fitted to all data,
// and with them it does not.
func (b modelBelief) LeaveOut(ctx context.Context, i int) (optimizers.Belief, error) {
	if b.LeaveOutFit == nil || b.In.Feasible != nil {
		return nil, fmt.Errorf("leaving out a result: %w", optimizers.ErrUnsupported)
	}
	return b.LeaveOutFit(ctx, i)
}

// newModelBelief gives a model's posterior a suggestion of its own, apart from what else may be chosen by the same
// model.
func newModelBelief(m Model) modelBelief {
	p := m.posterior()
	return modelBelief{Posterior: &Posterior{In: p.In, Objective: p.Objective, Scale: p.Scale, Surrogate: p.Surrogate},
		Model: m}
}

// Theory is that of the model, if it has one.
func (b modelBelief) Theory(ctx context.Context) (optimizers.Theory, error) {
	if t, ok := b.Model.(optimizers.Spectrum); ok {
		return t.Theory(ctx)
	}
	return optimizers.Theory{}, fmt.Errorf("spectrum of the kernel: %w", optimizers.ErrUnsupported)
}

// ScoredBelief is the belief of a method that maximizes a score of the moments, or of what they will be when the
// outcomes of the points that are out are known.
type ScoredBelief struct {
	modelBelief
	Score Score

	scoredMoments Moments    // what the score is of
	fantasies     *fantasies // what it is averaged over while points are out; nil where it is not
}

var (
	_ optimizers.Spectrum      = ScoredBelief{}
	_ optimizers.LeaveOneOuter = ScoredBelief{}
	_ optimizers.FitReport     = ScoredBelief{}

	_ optimizers.Decomposer       = ScoredBelief{}
	_ optimizers.LeaveOutRefitter = ScoredBelief{}
	_ optimizers.LeaveOutRefitter = SampledBelief{}
)

// NewScoredBelief is the belief that chooses by a score of a model's moments. While points are out a model that knows
// how foresees what will be known then; one that does not keeps away from them. The error is that of the context.
func NewScoredBelief(ctx context.Context, m Model, s Score) (ScoredBelief, error) {
	b := ScoredBelief{modelBelief: newModelBelief(m), Score: s}
	b.nameScore()
	b.scoredMoments = b.Surrogate
	if b.In.Pending == nil || !b.In.AnyFeasible() {
		// the probability to be feasible does not foresee what is out, and keeps away from it
		return b, nil
	}
	switch of := b.Surrogate.(type) {
	case JointPosterior:
		noise := of.Noise()
		if s.Conditional != nil {
			noise = 0 // it is the values that count
		}
		f, err := newFantasy(ctx, of, b.In.Pending, noise)
		if err != nil {
			return b, ctx.Err()
		}
		if s.Conditional == nil {
			b.scoredMoments, b.HandlesPending = f, true
		} else if b.fantasies, err = newFantasies(ctx, b.In, f, s); err == nil {
			b.HandlesPending = true
		}
	case KrigingBeliever:
		if by, err := of.Believe(ctx, b.In.Pending); err == nil {
			b.scoredMoments, b.HandlesPending = by, true
		}
	}
	return b, ctx.Err()
}

// NewScoredBeliefFor is NewScoredBelief where the score is of other moments than the model's, which foresee what is
// out.
func NewScoredBeliefFor(m Model, s Score, by Moments) ScoredBelief {
	b := ScoredBelief{modelBelief: newModelBelief(m), Score: s, scoredMoments: by}
	b.nameScore()
	b.HandlesPending = b.In.AnyFeasible()
	return b
}

// nameScore names the score with what is made of it by limits.
func (b *ScoredBelief) nameScore() {
	b.Score.Name, b.Score.Display = search.DescribeTarget(b.In, b.Score.Name, b.Score.Display)
}

// Legend is that of the model with the score.
func (b ScoredBelief) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, where there is not room for all
	l.Acquisition, l.LowerIsBetter = b.Score.Name, b.Score.LowerIsBetter
	return l
}

// Target is what is maximized: the score, before it is shown.
func (b ScoredBelief) Target() search.Target {
	if b.fantasies != nil {
		return search.WeightByFeasibility(b.In,
			search.Target{Values: b.fantasies.values, Gradient: b.fantasies.gradient})
	}
	return search.WeightByFeasibility(b.In, scoreTarget(b.scoredMoments, b.Score))
}

// Acquisition is the score, in the objective's units where it has any.
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
	label string // what the draw is
}

var _ optimizers.Spectrum = SampledBelief{}

// NewSampledBelief is the belief that chooses by a function drawn from a model; what says what the draw is. While
// points are out each next one has a draw of its own, which may choose close to them, as Thompson sampling does that
// does not wait (Kandasamy et al. 2018, Alg. 2): all draws go to the minimum where that is known well.
func NewSampledBelief(m Model, d Draw, what string) SampledBelief {
	b := SampledBelief{newModelBelief(m), d, what}
	b.HandlesPending = true
	return b
}

// Legend is that of the model with the draw.
func (b SampledBelief) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, where there is not room for all
	l.Used, l.Acquisition, l.LowerIsBetter = "Thompson sample", b.label+", lower is better", true
	return l
}

// Used is the draw that the suggestion minimizes.
func (b SampledBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b SampledBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.draw.Values(ctx, X)
	for i := range v {
		v[i] = b.Scale.Value(v[i])
	}
	return v, err
}

// Target is what is maximized: minus the draw, standardized.
func (b SampledBelief) Target() search.Target { return b.draw.MinTarget() }

// Suggest minimizes the draw.
func (b SampledBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Target(), func(v float64) float64 {
		return b.Scale.Value(-v)
	}, search.Incumbents(b.In.Data, 3))
}
