package acquisition

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Model is what a method with moments has beside them.
type Model interface {
	// Describe names everything but the acquisition and the function in use.
	Describe() optimizers.Legend
	Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error)
}

// theoryIn is the theory of a method that has one.
func theoryIn(ctx context.Context, n Model) (optimizers.Theory, error) {
	if t, ok := n.(optimizers.Theorist); ok {
		return t.Theory(ctx)
	}
	return optimizers.Theory{}, fmt.Errorf("theory: %w", optimizers.ErrAbsent)
}

// Scored is the belief of a method that maximizes a score of the moments.
type Scored struct {
	*Posterior
	Model Model
	Score Score
}

func (b Scored) Legend() optimizers.Legend {
	l := b.Model.Describe()
	l.Acquisition, l.Lower = b.Score.Name, b.Score.Lower
	return l
}

func (b Scored) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	return b.Model.Samples(ctx, X, count, draw)
}

func (b Scored) Theory(ctx context.Context) (optimizers.Theory, error) { return theoryIn(ctx, b.Model) }

// Acquisition is the score, in the objective's units where it has any.
func (b Scored) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.acquisition(ctx, b.Score, X)
}

func (b Scored) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.best(ctx, b.Score)
}

// Sampled is the belief of a method that minimizes one function drawn from it.
type Sampled struct {
	*Posterior
	Model Model
	Draw  Draw
	What  string // what the draw is
}

func (b Sampled) Legend() optimizers.Legend {
	l := b.Model.Describe()
	l.Used, l.Acquisition, l.Lower = "the draw that chooses", b.What+", lower is better", true
	return l
}

func (b Sampled) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	return b.Model.Samples(ctx, X, count, draw)
}

func (b Sampled) Theory(ctx context.Context) (optimizers.Theory, error) {
	return theoryIn(ctx, b.Model)
}

// Used is the draw that the suggestion minimizes.
func (b Sampled) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b Sampled) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.shownDraw(ctx, b.Draw, X)
}

func (b Sampled) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, b.Draw.Lowest(), func(v float64) float64 { return b.Scale.Value(-v) }, search.Incumbents(b.In.Data, 3))
}
