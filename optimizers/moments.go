package optimizers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/digits"
	"bandscope/model"
)

// moments is a surrogate that has a mean and a standard deviation at every input: of standardized targets, over the unit cube.
type moments interface {
	// Predict is the mean and the standard deviation at each row of X.
	Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error)
}

// sloped is a surrogate that knows the slopes of its moments.
type sloped interface {
	moments
	// Gradient is the mean and the standard deviation at x with their gradients.
	Gradient(x, dmean, dsd []float64) (mean, sd float64)
}

// momentBelief is the part of a belief that every method with moments has. What leaves it is in the objective's units.
type momentBelief struct {
	absent
	in        Input
	objective int // which one it is of
	scale     model.Standardizer
	of        moments

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

// Predict returns the band.
func (b *momentBelief) Predict(ctx context.Context, X *mat.Dense) ([]Band, error) {
	mean, sd, err := b.of.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	for i := range mean {
		mean[i], sd[i] = b.scale.Value(mean[i]), sd[i]*b.scale.SD
	}
	return []Band{{mean, sd}}, nil
}

// suggest maximizes a target once; asked again it returns the same.
func (b *momentBelief) suggest(ctx context.Context, t Target, shown func(value float64) float64) (Suggestion, error) {
	return b.suggestFrom(ctx, t, shown, incumbents(b.in.Data, 3))
}

// suggestFrom is suggest with the places to search from, beside the sample of the space.
func (b *momentBelief) suggestFrom(ctx context.Context, t Target, shown func(value float64) float64, from *mat.Dense) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion != nil {
		return *b.suggestion, nil
	}
	x, value, err := Maximize(ctx, b.in.Space(), t, b.in.Stream("acquisition"), from)
	if err != nil {
		return Suggestion{}, err
	}
	at := mat.NewDense(1, b.in.Dim, x)
	band, err := b.Predict(ctx, at)
	if err != nil {
		return Suggestion{}, err
	}
	b.suggestion = &Suggestion{X: at, Mean: band[0].Mean, SD: band[0].SD, Acquisition: []float64{shown(value)}, Note: repeatNote(b.in.Data, x)}
	return *b.suggestion, nil
}

// incumbent is y*, standardized: the best observation, or where they are noisy the least mean at the data; without data the prior mean.
func (b *momentBelief) incumbent(ctx context.Context, noisy bool) (float64, error) {
	if b.in.Data.Len() == 0 {
		return 0, nil
	}
	values, err := b.believed(ctx, noisy)
	if err != nil {
		return 0, err
	}
	return slices.Min(values), nil
}

// believed are the values at the data, standardized, as far as they are known: the observations, or where they are noisy the means there.
func (b *momentBelief) believed(ctx context.Context, noisy bool) ([]float64, error) {
	if !noisy || b.in.Data.Len() == 0 {
		return b.scale.Apply(b.in.Data.Column(b.objective)), nil
	}
	mean, _, err := b.of.Predict(ctx, b.in.Data.X)
	return mean, err
}

// score is an acquisition that is a function of the moments alone.
type score struct {
	name  string // what it is, and which end is better as it is shown
	lower bool   // lower is better as it is shown

	// of is the value, higher is better, with its derivatives by the mean and by the standard deviation.
	of func(mean, sd float64) (value, byMean, bySD float64)
	// shown is a value as it is shown, in the objective's units.
	shown func(value float64) float64
}

// expectedImprovement is EI below y*, in the log domain.
func (b *momentBelief) expectedImprovement(best float64) score {
	return score{name: "expected improvement, higher is better",
		of:    func(mean, sd float64) (v, byMean, bySD float64) { return logEI(mean, sd, best) },
		shown: func(v float64) float64 { return b.scale.SD * math.Exp(v) }}
}

// lowerBound is the confidence bound μ − root·σ.
func (b *momentBelief) lowerBound(root float64) score {
	return score{name: fmt.Sprintf("mean − %s sd, lower is better", digits.Of(root)), lower: true,
		of:    func(mean, sd float64) (v, byMean, bySD float64) { return root*sd - mean, -1, root },
		shown: func(v float64) float64 { return b.scale.Value(-v) }}
}

// spread is the standard deviation itself.
func (b *momentBelief) spread() score {
	return score{name: "posterior standard deviation, higher is better",
		of:    func(_, sd float64) (v, byMean, bySD float64) { return sd, 0, 1 },
		shown: func(v float64) float64 { return b.scale.SD * v }}
}

// values is a score at the rows of X.
func (b *momentBelief) values(ctx context.Context, s score, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.of.Predict(ctx, X)
	for i := range mean {
		mean[i], _, _ = s.of(mean[i], sd[i])
	}
	return mean, err
}

// acquisition is a score at the rows of X as it is shown.
func (b *momentBelief) acquisition(ctx context.Context, s score, X *mat.Dense) ([]float64, error) {
	v, err := b.values(ctx, s, X)
	for i := range v {
		v[i] = s.shown(v[i])
	}
	return v, err
}

// best suggests the point of the greatest score.
func (b *momentBelief) best(ctx context.Context, s score) (Suggestion, error) {
	t := Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) { return b.values(ctx, s, X) }}
	if of, ok := b.of.(sloped); ok {
		dmean, dsd := make([]float64, b.in.Dim), make([]float64, b.in.Dim)
		t.Gradient = func(x, grad []float64) float64 {
			v, byMean, bySD := s.of(of.Gradient(x, dmean, dsd))
			for j := range grad {
				grad[j] = byMean*dmean[j] + bySD*dsd[j]
			}
			return v
		}
	}
	return b.suggest(ctx, t, s.shown)
}

// drawn is a function that was drawn from a belief, standardized, over the unit cube; Gradient may be nil.
type drawn struct {
	values   func(ctx context.Context, X *mat.Dense) ([]float64, error)
	gradient func(x, grad []float64) float64
}

// shownDraw is the draw at the rows of X, in the objective's units.
func (b *momentBelief) shownDraw(ctx context.Context, f drawn, X *mat.Dense) ([]float64, error) {
	v, err := f.values(ctx, X)
	for i := range v {
		v[i] = b.scale.Value(v[i])
	}
	return v, err
}

// lowest is the target whose maximum is the draw's minimum.
func (f drawn) lowest() Target {
	t := Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := f.values(ctx, X)
		for i := range v {
			v[i] = -v[i]
		}
		return v, err
	}}
	if f.gradient != nil {
		t.Gradient = func(x, grad []float64) float64 {
			v := f.gradient(x, grad)
			for j := range grad {
				grad[j] = -grad[j]
			}
			return -v
		}
	}
	return t
}

// overNetworks is a draw given as a function over [−1, 1]^d.
func overNetworks(f surrogate) drawn {
	return drawn{
		values: func(ctx context.Context, X *mat.Dense) ([]float64, error) { return f.Eval(centered(X)), ctx.Err() },
		gradient: func(x, grad []float64) float64 {
			at := make([]float64, len(x))
			for j, v := range x {
				at[j] = 2*v - 1
			}
			v := f.Gradient(at, grad)
			for j := range grad {
				grad[j] *= 2
			}
			return v
		},
	}
}

// named is what a method with moments has beside them.
type named interface {
	// legend names everything but the acquisition and the function in use.
	legend() Legend
	Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error)
}

// theoryIn is the theory of a method that has one.
func theoryIn(ctx context.Context, n named) (Theory, error) {
	if t, ok := n.(Theorist); ok {
		return t.Theory(ctx)
	}
	return Theory{}, fmt.Errorf("theory: %w", ErrAbsent)
}

// scored is the belief of a method that maximizes a score of the moments.
type scored struct {
	*momentBelief
	more  named
	score score
}

func (b scored) Legend() Legend {
	l := b.more.legend()
	l.Acquisition, l.Lower = b.score.name, b.score.lower
	return l
}

func (b scored) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	return b.more.Samples(ctx, X, count, draw)
}

func (b scored) Theory(ctx context.Context) (Theory, error) { return theoryIn(ctx, b.more) }

// Acquisition is the score, in the objective's units where it has any.
func (b scored) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.acquisition(ctx, b.score, X)
}

func (b scored) Suggest(ctx context.Context) (Suggestion, error) { return b.best(ctx, b.score) }

// sampled is the belief of a method that minimizes one function drawn from it.
type sampled struct {
	*momentBelief
	more named
	draw drawn
	what string // what the draw is
}

func (b sampled) Legend() Legend {
	l := b.more.legend()
	l.Used, l.Acquisition, l.Lower = "the draw that chooses", b.what+", lower is better", true
	return l
}

func (b sampled) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	return b.more.Samples(ctx, X, count, draw)
}

func (b sampled) Theory(ctx context.Context) (Theory, error) { return theoryIn(ctx, b.more) }

// Used is the draw that the suggestion minimizes.
func (b sampled) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b sampled) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.shownDraw(ctx, b.draw, X)
}

func (b sampled) Suggest(ctx context.Context) (Suggestion, error) {
	return b.suggest(ctx, b.draw.lowest(), func(v float64) float64 { return b.scale.Value(-v) })
}
