package acquisition

import (
	"context"
	"fmt"

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
}

// choose gives a model's posterior a suggestion of its own, apart from what else may be chosen by the same model.
func choose(m Model) chooser {
	p := m.own()
	return chooser{&Posterior{In: p.In, Objective: p.Objective, Scale: p.Scale, Of: p.Of}, m}
}

// Theory is that of the model, if it has one.
func (b chooser) Theory(ctx context.Context) (optimizers.Theory, error) {
	if t, ok := b.Model.(optimizers.Theorist); ok {
		return t.Theory(ctx)
	}
	return optimizers.Theory{}, fmt.Errorf("theory: %w", optimizers.ErrAbsent)
}

// Scored is the belief of a method that maximizes a score of the moments.
type Scored struct {
	chooser
	Score Score
}

var (
	_ optimizers.Theorist = Scored{}
	_ optimizers.LeftOut  = Scored{}
)

// ByScore is the belief that chooses by a score of a model's moments.
func ByScore(m Model, s Score) Scored { return Scored{choose(m), s} }

// Legend is that of the model with the score.
func (b Scored) Legend() optimizers.Legend {
	l := b.Describe()
	l.Acquisition, l.Lower = b.Score.Name, b.Score.Lower
	return l
}

// Acquisition is the score, in the objective's units where it has any.
func (b Scored) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.Values(ctx, b.Score, X)
	for i := range v {
		v[i] = b.Score.Shown(v[i])
	}
	return v, err
}

// Suggest maximizes the score.
func (b Scored) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	t := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) { return b.Values(ctx, b.Score, X) }}
	if of, ok := b.Of.(Sloped); ok {
		dmean, dsd := make([]float64, b.In.Dim), make([]float64, b.In.Dim)
		t.Gradient = func(x, grad []float64) float64 {
			v, byMean, bySD := b.Score.Of(of.Gradient(x, dmean, dsd))
			for j := range grad {
				grad[j] = byMean*dmean[j] + bySD*dsd[j]
			}
			return v
		}
	}
	return b.Maximize(ctx, t, b.Score.Shown, search.Incumbents(b.In.Data, 3))
}

// Sampled is the belief of a method that minimizes one function drawn from it.
type Sampled struct {
	chooser
	draw Draw
	what string // what the draw is
}

var _ optimizers.Theorist = Sampled{}

// ByDraw is the belief that chooses by a function drawn from a model; what says what the draw is.
func ByDraw(m Model, d Draw, what string) Sampled { return Sampled{choose(m), d, what} }

// Legend is that of the model with the draw.
func (b Sampled) Legend() optimizers.Legend {
	l := b.Describe()
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

// Suggest minimizes the draw.
func (b Sampled) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.draw.Lowest(), func(v float64) float64 { return b.Scale.Value(-v) }, search.Incumbents(b.In.Data, 3))
}
