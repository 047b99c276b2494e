package acquisition

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/digits"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Parts are what the score is made of at each row of X, times the probability to be within limits where that counts; while points are out of which outcomes are foreseen, each
// part is the average over these.
func (b Scored) Parts(ctx context.Context, X *mat.Dense) ([]optimizers.Part, error) {
	return search.Chances(ctx, b.In, X, func() ([]optimizers.Part, error) {
		if b.Score.Parts == nil {
			return nil, fmt.Errorf("parts of the acquisition: %w", optimizers.ErrAbsent)
		}
		if b.ahead != nil {
			return b.ahead.parts(ctx, X, b.Score)
		}
		mean, sd, err := b.by.Predict(ctx, X)
		if err != nil {
			return nil, err
		}
		all, of := make([]optimizers.Part, len(mean)), b.Score.Parts(nil)
		for i := range all {
			all[i] = of(mean[i], sd[i])
		}
		return all, nil
	})
}

// parts are the averages of what a score is made of over the fantasies.
func (a *fantasies) parts(ctx context.Context, X *mat.Dense, s Score) ([]optimizers.Part, error) {
	mean, sd, pull, err := a.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	all := make([]optimizers.Part, len(mean))
	for i := range all {
		for f := range a.of {
			moved := mean[i]
			for j, e := range a.draws.RawRowView(f) {
				moved += pull.At(i, j) * e
			}
			one := s.Parts(a.known[f])(moved, sd[i])
			if f == 0 {
				all[i] = optimizers.Part{Name: one.Name, Joins: one.Joins, Parts: make([]optimizers.Part, len(one.Parts))}
			}
			all[i].Value += one.Value / float64(len(a.of))
			for k, p := range one.Parts {
				all[i].Parts[k].Name = p.Name
				all[i].Parts[k].Value += p.Value / float64(len(a.of))
			}
		}
	}
	return all, nil
}

// improvementParts are those of the expected improvement below y*, Δ Φ(z) + σ φ(z) with Δ = y* − μ and z = Δ/σ (Jones et al. 1998, eq. 15): what the mean promises, and what
// not knowing the value adds.
func (b *Posterior) improvementParts(best float64) func(values []float64) func(mean, sd float64) optimizers.Part {
	return func(values []float64) func(mean, sd float64) optimizers.Part {
		least := best
		for _, v := range values {
			least = min(least, v)
		}
		return func(mean, sd float64) optimizers.Part {
			away := least - mean
			promised, open := max(away, 0), 0.0
			if sd > 0 {
				promised, open = away*distuv.UnitNormal.CDF(away/sd), sd*distuv.UnitNormal.Prob(away/sd)
			}
			return optimizers.Joined("expected improvement", optimizers.AsSum, optimizers.Part{Name: "Δ·Φ(z), the mean's part", Value: b.Scale.SD * promised},
				optimizers.Part{Name: "σ·φ(z), the uncertainty's part", Value: b.Scale.SD * open})
		}
	}
}

// boundParts are those of a confidence bound.
func (b *Posterior) boundParts(root float64) func(values []float64) func(mean, sd float64) optimizers.Part {
	return func([]float64) func(mean, sd float64) optimizers.Part {
		return func(mean, sd float64) optimizers.Part {
			return optimizers.Joined("confidence bound", optimizers.AsSum, optimizers.Part{Name: "mean", Value: b.Scale.Value(mean)},
				optimizers.Part{Name: fmt.Sprintf("−√β·sd, √β = %s", digits.Of(root)), Value: -root * sd * b.Scale.SD})
		}
	}
}

// SumOfLogs are the parts of a score that is a product and shown as a decimal logarithm: the sum of those of its factors.
func SumOfLogs(name string, factors ...optimizers.Part) optimizers.Part {
	for i := range factors {
		factors[i].Value = math.Log10(factors[i].Value)
	}
	return optimizers.Joined(name, optimizers.AsSum, factors...)
}
