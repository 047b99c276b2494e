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

// Score is an acquisition function of the moments alone.
type Score struct {
	Name          string // description, with the better direction of the displayed values
	LowerIsBetter bool   // lower displayed values are better
	NonNegative   bool   // no displayed value is below 0
	Learns        bool   // it measures what an evaluation teaches; see optimizers.Legend

	// Value returns the score, higher is better, with its derivatives by the mean and by the standard deviation.
	Value func(mean, sd float64) (value, byMean, bySD float64)
	// Conditional returns the log score given the standardized values at the pending points. While points are pending,
	// its average over Fantasies draws of these values is maximized. It is nil for a score that does not depend on the
	// values; then the score of the remaining standard deviation is maximized.
	Conditional func(values []float64) func(mean, sd float64) (value, byMean, bySD float64)
	Fantasies   int
	// Terms returns the terms of the displayed score, given the values at the pending points, if there are any. It is
	// nil for a score without terms.
	Terms func(values []float64) func(mean, sd float64) optimizers.Term
	// Approximate says that a search may begin with the score of a few surrogates of a mixture.
	Approximate bool
	// Display converts a value to the displayed one, in the units of the objective.
	Display func(value float64) float64
}

// ExpectedImprovement returns EI below y* = best, in the log domain.
func (b *Posterior) ExpectedImprovement(best float64) Score {
	return Score{Name: "expected improvement, higher is better", NonNegative: true,
		Value: func(mean, sd float64) (v, byMean, bySD float64) {
			return normdist.LogImprovement(mean, sd, best)
		},
		Conditional: improvementGiven(best), Fantasies: improvementFantasies, Terms: b.improvementParts(best),
		Display: func(v float64) float64 { return b.Scale.SD * math.Exp(v) }}
}

// improvementFantasies is the number of fantasies over which the improvement is averaged while points are pending. The
// error is up to a tenth of the expected improvement, and more where that is nearly 0.
const improvementFantasies = 128

// ImprovementProbability returns the probability of a value below y* = best by more than a margin, in the log domain.
func (b *Posterior) ImprovementProbability(best, margin float64) Score {
	return Score{Name: "probability of improvement, higher is better", NonNegative: true,
		Value: func(mean, sd float64) (v, byMean, bySD float64) {
			return normdist.LogImprovementProbability(mean, sd, best-margin)
		},
		Conditional: func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
			target := leastOf(best, values) - margin
			return func(mean, sd float64) (v, byMean, bySD float64) {
				return normdist.LogImprovementProbability(mean, sd, target)
			}
		}, Fantasies: improvementFantasies,
		Terms: func(values []float64) func(mean, sd float64) optimizers.Term {
			target := leastOf(best, values) - margin
			return func(mean, sd float64) optimizers.Term {
				v, _, _ := normdist.LogImprovementProbability(mean, sd, target)
				return optimizers.NewTerm("probability of improvement", optimizers.OperationSum,
					optimizers.Term{Name: "Φ(z), probability", Value: math.Exp(v)})
			}
		},
		Display: math.Exp}
}

// leastOf returns the least of an incumbent and of values at pending points.
func leastOf(best float64, values []float64) float64 {
	for _, v := range values {
		best = min(best, v)
	}
	return best
}

// LowerBound returns the lower confidence bound μ − root·σ.
func (b *Posterior) LowerBound(root float64) Score {
	return Score{Name: fmt.Sprintf("mean − %s sd, lower is better", numfmt.Format(root)), LowerIsBetter: true,
		Value:   func(mean, sd float64) (v, byMean, bySD float64) { return root*sd - mean, -1, root },
		Terms:   b.boundParts(root),
		Display: func(v float64) float64 { return b.Scale.Value(-v) }}
}

// softness is the width of the transition from an optimistic improvement to none, in standard deviations of the
// targets. A score of which the logarithm counts must be above 0, and lead a search uphill where there is none.
const softness = 1e-3

// OptimisticImprovement returns the improvement on y* = best by the lower confidence bound, y* − (μ − root·σ), in the log
// domain and smoothly bounded by 0. It takes the place of the bound where that is multiplied by a probability: the bound
// itself may have either sign, and a product with it would then prefer places that are surely infeasible. Without
// limits both have the same maximum.
func (b *Posterior) OptimisticImprovement(best, root float64) Score {
	return Score{Name: fmt.Sprintf("improvement by mean − %s sd, higher is better", numfmt.Format(root)),
		NonNegative: true, Approximate: true, Value: func(mean, sd float64) (v, byMean, bySD float64) {
			value, slope := logSoftplus((best - mean + root*sd) / softness)
			return math.Log(softness) + value, -slope / softness, root * slope / softness
		},
		Terms:   b.optimisticParts(best, root),
		Display: func(v float64) float64 { return b.Scale.SD * math.Exp(v) }}
}

// logSoftplus returns log log(1 + e^x) with its derivative.
func logSoftplus(x float64) (v, slope float64) {
	if x < -30 { // log(1 + y) is y
		return x, 1
	}
	soft := max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
	return math.Log(soft), 1 / ((1 + math.Exp(-x)) * soft)
}

// StandardDeviation returns the posterior standard deviation as a score.
func (b *Posterior) StandardDeviation() Score {
	return Score{Name: "posterior standard deviation, higher is better", NonNegative: true, Learns: true,
		Value:   func(_, sd float64) (v, byMean, bySD float64) { return sd, 0, 1 },
		Display: func(v float64) float64 { return b.Scale.SD * v }}
}

// components returns the surrogates over which a score is averaged: those of a mixture, for a logarithmic score. It
// returns nil for other scores and surrogates.
func (s Score) components(moments Moments) []Differentiable {
	if m, ok := moments.(Mixture); ok && s.Conditional != nil {
		return m.Components()
	}
	return nil
}

// approximateEvery is the stride through the surrogates of a mixture for an approximate score, which is good enough to
// find promising candidates.
const approximateEvery = 4

// MeanLogTarget returns the logarithm of the mean over surrogates of exp(value), as a target (Snoek et al. 2012, eq. 6),
// with an approximation by a few of them. value is a function of the mean and the standard deviation, with its
// derivatives.
func MeanLogTarget(differentiables []Differentiable, value func(mean, sd float64) (v, byMean, bySD float64)) search.Target {
	t := meanLogTarget(differentiables, value)
	var few []Differentiable
	for i := 0; i < len(differentiables); i += approximateEvery {
		few = append(few, differentiables[i])
	}
	if len(few) < len(differentiables) {
		approximate := meanLogTarget(few, value)
		t.Approximate, t.ApproximateGradient = approximate.Values, approximate.Gradient
	}
	return t
}

// meanLogTarget is MeanLogTarget without the approximation.
func meanLogTarget(surrogates []Differentiable, value func(mean, sd float64) (v, byMean, bySD float64)) search.Target {
	log := func(v []float64) (mean float64, weights []float64) {
		mean = floats.LogSumExp(v)
		for i, logValue := range v {
			v[i] = math.Exp(logValue - mean)
		}
		return mean - math.Log(float64(len(v))), v
	}
	return search.Target{
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			all := mat.NewDense(n, len(surrogates), nil)
			for i, surrogate := range surrogates {
				mean, sd, err := surrogate.Predict(ctx, X)
				if err != nil {
					return nil, err
				}
				for j := range mean {
					v, _, _ := value(mean[j], sd[j])
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
			d := len(x)
			values, slopes := make([]float64, len(surrogates)), make([]float64, len(surrogates)*d)
			both := make([]float64, 2*d)
			dmean, dsd := both[:d], both[d:]
			for i, surrogate := range surrogates {
				v, byMean, bySD := value(surrogate.Gradient(x, dmean, dsd))
				values[i] = v
				for j := range x {
					slopes[i*d+j] = byMean*dmean[j] + bySD*dsd[j]
				}
			}
			v, weights := log(values)
			clear(grad)
			for i, w := range weights {
				if w > 0 {
					floats.AddScaled(grad, w, slopes[i*d:(i+1)*d])
				}
			}
			return v
		}}
}

// scoreTarget returns the target of a score of moments.
func scoreTarget(moments Moments, s Score) search.Target {
	if c := s.components(moments); c != nil {
		return MeanLogTarget(c, s.Value)
	}
	t := momentsTarget(moments, s)
	if m, ok := moments.(Mixture); ok && s.Approximate {
		few := momentsTarget(m.Thin(approximateEvery), s)
		t.Approximate, t.ApproximateGradient = few.Values, few.Gradient
	}
	return t
}

// momentsTarget returns the target of a score of the moments of a surrogate as a whole.
func momentsTarget(moments Moments, s Score) search.Target {
	t := search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		mean, sd, err := moments.Predict(ctx, X)
		for i := range mean {
			mean[i], _, _ = s.Value(mean[i], sd[i])
		}
		return mean, err
	}}
	if moments, ok := moments.(Differentiable); ok {
		t.Gradient = func(x, grad []float64) float64 {
			dmean, dsd := make([]float64, len(x)), make([]float64, len(x))
			v, byMean, bySD := s.Value(moments.Gradient(x, dmean, dsd))
			for j := range grad {
				grad[j] = byMean*dmean[j] + bySD*dsd[j]
			}
			return v
		}
	}
	return t
}

// Draw is a function drawn from a belief, standardized, over the unit cube; Gradient may be nil. It is safe for
// concurrent use.
type Draw struct {
	Values   func(ctx context.Context, X *mat.Dense) ([]float64, error)
	Gradient func(x, grad []float64) float64
	// cheap approximation of Values, as in search.Target; nil if there is none
	Approximate func(ctx context.Context, X *mat.Dense) ([]float64, error)
}

// MinTarget returns the target whose maximum is the minimum of the draw.
func (f Draw) MinTarget() search.Target {
	minus := func(apply func(ctx context.Context, X *mat.Dense) ([]float64, error)) func(ctx context.Context,
		X *mat.Dense) ([]float64, error) {
		if apply == nil {
			return nil
		}
		return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			v, err := apply(ctx, X)
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
