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

	own() *Posterior
}

// chooser is what a belief has of its model: everything but what is chosen by.
type chooser struct {
	*Posterior
	Model

	// Forget is what would be believed without a datum; nil where that takes a new fit. See LeaveOut.
	Forget func(ctx context.Context, i int) (optimizers.Belief, error)
}

// LeaveOut returns what would be believed without datum i, where the method knows that; limits are fitted to all data,
// and with them it does not.
func (b chooser) LeaveOut(ctx context.Context, i int) (optimizers.Belief, error) {
	if b.Forget == nil || b.In.Feasible != nil {
		return nil, fmt.Errorf("forgetting a datum: %w", optimizers.ErrUnsupported)
	}
	return b.Forget(ctx, i)
}

// choose gives a model's posterior a suggestion of its own, apart from what else may be chosen by the same model.
func choose(m Model) chooser {
	p := m.own()
	return chooser{Posterior: &Posterior{In: p.In, Objective: p.Objective, Scale: p.Scale, Of: p.Of}, Model: m}
}

// Theory is that of the model, if it has one.
func (b chooser) Theory(ctx context.Context) (optimizers.Theory, error) {
	if t, ok := b.Model.(optimizers.Spectrum); ok {
		return t.Theory(ctx)
	}
	return optimizers.Theory{}, fmt.Errorf("theory: %w", optimizers.ErrUnsupported)
}

// Scored is the belief of a method that maximizes a score of the moments, or of what they will be when the outcomes of
// the points that are out are known.
type Scored struct {
	chooser
	Score Score

	by    Moments    // what the score is of
	ahead *fantasies // what it is averaged over while points are out; nil where it is not
}

var (
	_ optimizers.Spectrum      = Scored{}
	_ optimizers.LeaveOneOuter = Scored{}
	_ optimizers.FitReport     = Scored{}

	_ optimizers.Decomposer       = Scored{}
	_ optimizers.LeaveOutRefitter = Scored{}
	_ optimizers.LeaveOutRefitter = Sampled{}
)

// ByScore is the belief that chooses by a score of a model's moments. While points are out a model that knows how
// foresees what will be known then; one that does not keeps away from them. The error is that of the context.
func ByScore(ctx context.Context, m Model, s Score) (Scored, error) {
	b := Scored{chooser: choose(m), Score: s}
	b.told()
	b.by = b.Of
	if b.In.Out == nil || !b.In.SomeMet() {
		// the probability to be feasible does not foresee what is out, and keeps away from it
		return b, nil
	}
	switch of := b.Of.(type) {
	case JointPosterior:
		noise := of.Noise()
		if s.Given != nil {
			noise = 0 // it is the values that count
		}
		f, err := foresee(ctx, of, b.In.Out, noise)
		if err != nil {
			return b, ctx.Err()
		}
		if s.Given == nil {
			b.by, b.Foresees = f, true
		} else if b.ahead, err = newFantasies(ctx, b.In, f, s); err == nil {
			b.Foresees = true
		}
	case KrigingBeliever:
		if by, err := of.Believe(ctx, b.In.Out); err == nil {
			b.by, b.Foresees = by, true
		}
	}
	return b, ctx.Err()
}

// ByScoreFor is ByScore where the score is of other moments than the model's, which foresee what is out.
func ByScoreFor(m Model, s Score, by Moments) Scored {
	b := Scored{chooser: choose(m), Score: s, by: by}
	b.told()
	b.Foresees = b.In.SomeMet()
	return b
}

// told names the score with what is made of it by limits.
func (b *Scored) told() { b.Score.Name, b.Score.Shown = search.Told(b.In, b.Score.Name, b.Score.Shown) }

// Legend is that of the model with the score.
func (b Scored) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, where there is not room for all
	l.Acquisition, l.Lower = b.Score.Name, b.Score.Lower
	return l
}

// Target is what is maximized: the score, before it is shown.
func (b Scored) Target() search.Target {
	if b.ahead != nil {
		return search.Probable(b.In, search.Target{Values: b.ahead.values, Gradient: b.ahead.gradient})
	}
	return search.Probable(b.In, scored(b.by, b.Score))
}

// Acquisition is the score, in the objective's units where it has any.
func (b Scored) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.Target().Values(ctx, X)
	for i := range v {
		v[i] = b.Score.Shown(v[i])
	}
	return v, err
}

// Suggest maximizes the score.
func (b Scored) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Target(), b.Score.Shown, search.Incumbents(b.In.Data, 3))
}

// Sampled is the belief of a method that minimizes one function drawn from it.
type Sampled struct {
	chooser
	draw Draw
	what string // what the draw is
}

var _ optimizers.Spectrum = Sampled{}

// ByDraw is the belief that chooses by a function drawn from a model; what says what the draw is. While points are out
// each next one has a draw of its own, which may choose close to them, as Thompson sampling does that does not wait
// (Kandasamy et al. 2018, Alg. 2): all draws go to the minimum where that is known well.
func ByDraw(m Model, d Draw, what string) Sampled {
	b := Sampled{choose(m), d, what}
	b.Foresees = true
	return b
}

// Legend is that of the model with the draw.
func (b Sampled) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = slices.Concat(b.In.DataFacts(), l.Facts) // first, where there is not room for all
	l.Used, l.Acquisition, l.Lower = "the draw that chooses", b.what+", lower is better", true
	return l
}

// Used is the draw that the suggestion minimizes.
func (b Sampled) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b Sampled) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.draw.Values(ctx, X)
	for i := range v {
		v[i] = b.Scale.Value(v[i])
	}
	return v, err
}

// Target is what is maximized: minus the draw, standardized.
func (b Sampled) Target() search.Target { return b.draw.Lowest() }

// Suggest minimizes the draw.
func (b Sampled) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Target(), func(v float64) float64 {
		return b.Scale.Value(-v)
	}, search.Incumbents(b.In.Data, 3))
}
