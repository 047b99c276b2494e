package acquisition

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Decompose gives what the score is made of at each row of X, times the probability to be within limits where that
// counts; while points are out of which outcomes are foreseen, each part is the average over these.
func (b ScoredBelief) Decompose(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	return search.FeasibilityTerms(ctx, b.In, X, func() ([]optimizers.Term, error) {
		if b.Score.Terms == nil {
			return nil, fmt.Errorf("terms of the acquisition function: %w", optimizers.ErrUnsupported)
		}
		if b.fantasies != nil {
			return b.fantasies.parts(ctx, X, b.Score)
		}
		mean, sd, err := b.scoredMoments.Predict(ctx, X)
		if err != nil {
			return nil, err
		}
		all, of := make([]optimizers.Term, len(mean)), b.Score.Terms(nil)
		for i := range all {
			all[i] = of(mean[i], sd[i])
		}
		return all, nil
	})
}

// parts are the averages of what a score is made of over the fantasies.
func (a *fantasies) parts(ctx context.Context, X *mat.Dense, s Score) ([]optimizers.Term, error) {
	mean, sd, pull, err := a.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	all := make([]optimizers.Term, len(mean))
	for i := range all {
		for f := range a.of {
			moved := mean[i]
			for j, e := range a.draws.RawRowView(f) {
				moved += pull.At(i, j) * e
			}
			one := s.Terms(a.known[f])(moved, sd[i])
			if f == 0 {
				all[i] = optimizers.Term{Name: one.Name, Operation: one.Operation,
					Terms: make([]optimizers.Term, len(one.Terms))}
			}
			all[i].Value += one.Value / float64(len(a.of))
			for k, p := range one.Terms {
				all[i].Terms[k].Name = p.Name
				all[i].Terms[k].Value += p.Value / float64(len(a.of))
			}
		}
	}
	return all, nil
}

// improvementParts are those of the expected improvement below y*, Δ Φ(z) + σ φ(z) with Δ = y* − μ and z = Δ/σ (Jones
// et al. 1998, eq. 15): what the mean promises, and what not knowing the value adds.
func (b *Posterior) improvementParts(best float64) func(values []float64) func(mean, sd float64) optimizers.Term {
	return func(values []float64) func(mean, sd float64) optimizers.Term {
		least := best
		for _, v := range values {
			least = min(least, v)
		}
		return func(mean, sd float64) optimizers.Term {
			away := least - mean
			promised, open := max(away, 0), 0.0
			if sd > 0 {
				promised, open = away*distuv.UnitNormal.CDF(away/sd), sd*distuv.UnitNormal.Prob(away/sd)
			}
			return optimizers.NewTerm("expected improvement", optimizers.OperationSum,
				optimizers.Term{Name: "Δ·Φ(z), predicted improvement", Value: b.Scale.SD * promised},
				optimizers.Term{Name: "σ·φ(z), uncertainty", Value: b.Scale.SD * open})
		}
	}
}

// boundParts are those of a confidence bound.
func (b *Posterior) boundParts(root float64) func(values []float64) func(mean, sd float64) optimizers.Term {
	return func([]float64) func(mean, sd float64) optimizers.Term {
		return func(mean, sd float64) optimizers.Term {
			return optimizers.NewTerm("confidence bound", optimizers.OperationSum,
				optimizers.Term{Name: "mean", Value: b.Scale.Value(mean)},
				optimizers.Term{Name: fmt.Sprintf("−√β·sd, √β = %s", numfmt.Format(root)),
					Value: -root * sd * b.Scale.SD})
		}
	}
}

// SumOfLogs are the parts of a score that is a product and shown as a decimal logarithm: the sum of those of its
// factors.
func SumOfLogs(name string, factors ...optimizers.Term) optimizers.Term {
	for i := range factors {
		factors[i].Value = math.Log10(factors[i].Value)
	}
	return optimizers.NewTerm(name, optimizers.OperationSum, factors...)
}
