package acquisition

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
)

// Score is an acquisition that is a function of the moments alone.
type Score struct {
	Name          string // what it is, and which end is better as it is shown
	LowerIsBetter bool   // lower is better as it is shown

	// Of is the value, higher is better, with its derivatives by the mean and by the standard deviation.
	Value func(mean, sd float64) (value, byMean, bySD float64)
	// Given is the logarithmic score as it will be when the values at the points that are out are known, standardized;
	// what is chosen by while they are out is the average over so many Fantasies of them. It is nil where a score does
	// not depend on the values, and what is chosen by is the score of the standard deviation that will be left.
	Conditional func(values []float64) func(mean, sd float64) (value, byMean, bySD float64)
	Fantasies   int
	// Parts are what the score is made of when the values at the points that are out are known, if any are out, as it
	// is shown; nil where no parts of it are known.
	Terms func(values []float64) func(mean, sd float64) optimizers.Term
	// Shown is a value as it is shown, in the objective's units.
	Display func(value float64) float64
}

// ExpectedImprovement is EI below y*, in the log domain.
func (b *Posterior) ExpectedImprovement(best float64) Score {
	return Score{Name: "expected improvement, higher is better",
		Value: func(mean, sd float64) (v, byMean, bySD float64) {
			return normdist.LogImprovement(mean, sd, best)
		},
		Conditional: improvementGiven(best), Fantasies: improvementFantasies, Terms: b.improvementParts(best),
		Display: func(v float64) float64 { return b.Scale.SD * math.Exp(v) }}
}

// improvementFantasies is over how many fantasies the improvement is averaged while points are out: it errs by up to a
// tenth of what is expected, and by more where that is next to nothing.
const improvementFantasies = 128

// LowerBound is the confidence bound μ − root·σ.
func (b *Posterior) LowerBound(root float64) Score {
	return Score{Name: fmt.Sprintf("mean − %s sd, lower is better", numfmt.Format(root)), LowerIsBetter: true,
		Value:   func(mean, sd float64) (v, byMean, bySD float64) { return root*sd - mean, -1, root },
		Terms:   b.boundParts(root),
		Display: func(v float64) float64 { return b.Scale.Value(-v) }}
}

// StandardDeviation is the standard deviation itself.
func (b *Posterior) StandardDeviation() Score {
	return Score{Name: "posterior standard deviation, higher is better",
		Value:   func(_, sd float64) (v, byMean, bySD float64) { return sd, 0, 1 },
		Display: func(v float64) float64 { return b.Scale.SD * v }}
}

// components are the surrogates that a score is averaged over: those of a mixture, of a logarithmic score.
func (s Score) components(of Moments) []Differentiable {
	if m, ok := of.(Mixture); ok && s.Conditional != nil {
		return m.Components()
	}
	return nil
}

// approximateEvery is of how many surrogates of a mixture one is enough to find the promising candidates.
const approximateEvery = 4

// mixtureTarget is the logarithm of the mean over surrogates of a score that is a logarithm (Snoek et al. 2012, eq. 6).
func mixtureTarget(of []Differentiable, s Score) search.Target {
	t := meanScoreTarget(of, s)
	var few []Differentiable
	for i := 0; i < len(of); i += approximateEvery {
		few = append(few, of[i])
	}
	t.Approximate = meanScoreTarget(few, s).Values
	return t
}

// meanScoreTarget is mixtureTarget, without what saves time.
func meanScoreTarget(of []Differentiable, s Score) search.Target {
	log := func(v []float64) (mean float64, weights []float64) {
		mean = floats.LogSumExp(v)
		for i, one := range v {
			v[i] = math.Exp(one - mean)
		}
		return mean - math.Log(float64(len(v))), v
	}
	return search.Target{
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			all := mat.NewDense(n, len(of), nil)
			for i, one := range of {
				mean, sd, err := one.Predict(ctx, X)
				if err != nil {
					return nil, err
				}
				for j := range mean {
					v, _, _ := s.Value(mean[j], sd[j])
					all.Set(j, i, v)
				}
			}
			values := make([]float64, n)
			for j := range values {
				values[j], _ = log(all.RawRowView(j))
			}
			return values, nil
		},
		Gradient: func(x, grad []float64) float64 {
			values, slopes := make([]float64, len(of)), make([][]float64, len(of))
			dmean, dsd := make([]float64, len(x)), make([]float64, len(x))
			for i, one := range of {
				v, byMean, bySD := s.Value(one.Gradient(x, dmean, dsd))
				values[i], slopes[i] = v, make([]float64, len(x))
				for j := range x {
					slopes[i][j] = byMean*dmean[j] + bySD*dsd[j]
				}
			}
			v, weights := log(values)
			clear(grad)
			for i, w := range weights {
				if w > 0 {
					floats.AddScaled(grad, w, slopes[i])
				}
			}
			return v
		}}
}

// scoreTarget is the target of a score of moments.
func scoreTarget(of Moments, s Score) search.Target {
	if c := s.components(of); c != nil {
		return mixtureTarget(c, s)
	}
	t := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		mean, sd, err := of.Predict(ctx, X)
		for i := range mean {
			mean[i], _, _ = s.Value(mean[i], sd[i])
		}
		return mean, err
	}}
	if of, ok := of.(Differentiable); ok {
		t.Gradient = func(x, grad []float64) float64 {
			dmean, dsd := make([]float64, len(x)), make([]float64, len(x))
			v, byMean, bySD := s.Value(of.Gradient(x, dmean, dsd))
			for j := range grad {
				grad[j] = byMean*dmean[j] + bySD*dsd[j]
			}
			return v
		}
	}
	return t
}

// Draw is a function that was drawn from a belief, standardized, over the unit cube; Gradient may be nil. Each may be
// called by several goroutines at once.
type Draw struct {
	Values   func(ctx context.Context, X *mat.Dense) ([]float64, error)
	Gradient func(x, grad []float64) float64
	// a cheap likeness of Values, as of a search.Target; nil where there is none
	Approximate func(ctx context.Context, X *mat.Dense) ([]float64, error)
}

// MinTarget is the target whose maximum is the draw's minimum.
func (f Draw) MinTarget() search.Target {
	minus := func(of func(ctx context.Context, X *mat.Dense) ([]float64, error)) func(ctx context.Context,
		X *mat.Dense) ([]float64, error) {
		if of == nil {
			return nil
		}
		return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := of(ctx, X)
			for i := range v {
				v[i] = -v[i]
			}
			return v, err
		}
	}
	t := search.Target{Values: minus(f.Values), Approximate: minus(f.Approximate)}
	if f.Gradient != nil {
		t.Gradient = func(x, grad []float64) float64 {
			v := f.Gradient(x, grad)
			for j := range grad {
				grad[j] = -grad[j]
			}
			return -v
		}
	}
	return t
}
