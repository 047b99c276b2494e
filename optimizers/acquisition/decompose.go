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

// Decompose returns the terms of the score at each row of X, times the probability of feasibility if there are limits.
// If the score is averaged over fantasies of pending points, so is each term.
func (b ScoredBelief) Decompose(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	return search.FeasibilityTerms(ctx, b.In, X, func() ([]optimizers.Term, error) {
		if b.Score.Terms == nil {
			return nil, fmt.Errorf("terms of the acquisition function: %w", optimizers.ErrUnsupported)
		}
		if b.fantasies != nil {
			return b.fantasies.parts(ctx, X, b.Score)
		}
		return b.terms(ctx, X)
	})
}

// terms returns the terms of the score at the rows of X, averaged over the surrogates of a mixture.
func (b ScoredBelief) terms(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	surrogates := []Moments{b.scoredMoments}
	if c := b.Score.components(b.scoredMoments); c != nil {
		surrogates = surrogates[:0]
		for _, part := range c {
			surrogates = append(surrogates, part)
		}
	}
	n, _ := X.Dims()
	means, sds := make([][]float64, len(surrogates)), make([][]float64, len(surrogates))
	for i, s := range surrogates {
		var err error
		means[i], sds[i], err = s.Predict(ctx, X)
		if err != nil {
			return nil, err
		}
	}
	all, owner := make([]optimizers.Term, n), b.Score.Terms(nil)
	for j := range all {
		all[j] = averageTerms(len(surrogates), func(i int) optimizers.Term { return owner(means[i][j], sds[i][j]) })
	}
	return all, nil
}

// averageTerms returns the average of count terms that consist of the same parts.
func averageTerms(count int, evaluate func(i int) optimizers.Term) (mean optimizers.Term) {
	if count == 1 {
		return evaluate(0)
	}
	for i := range count {
		term := evaluate(i)
		if i == 0 {
			mean = optimizers.Term{Name: term.Name, Operation: term.Operation,
				Terms: make([]optimizers.Term, len(term.Terms))}
		}
		mean.Value += term.Value / float64(count)
		for k, p := range term.Terms {
			mean.Terms[k].Name = p.Name
			mean.Terms[k].Value += p.Value / float64(count)
		}
	}
	return mean
}

// parts returns the terms of a score, averaged over the fantasies.
func (a *fantasies) parts(ctx context.Context, X *mat.Dense, s Score) ([]optimizers.Term, error) {
	mean, sd, pull, err := a.moments(ctx, X)
	if err != nil {
		return nil, err
	}
	all := make([]optimizers.Term, len(mean))
	for i := range all {
		all[i] = averageTerms(len(a.of), func(f int) optimizers.Term {
			moved := mean[i]
			for j, e := range a.draws.RawRowView(f) {
				moved += pull.At(i, j) * e
			}
			return s.Terms(a.known[f])(moved, sd[i])
		})
	}
	return all, nil
}

// improvementParts returns the two terms of the expected improvement below y*, Δ Φ(z) + σ φ(z) with Δ = y* − μ and z =
// Δ/σ (Jones et al. 1998, eq. 15): the first comes from the mean, the second from the uncertainty.
func (b *Posterior) improvementParts(best float64) func(values []float64) func(mean, sd float64) optimizers.Term {
	return func(values []float64) func(mean, sd float64) optimizers.Term {
		least := leastOf(best, values)
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

// boundParts returns the terms of a confidence bound.
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

// optimisticParts returns the terms of an optimistic improvement.
func (b *Posterior) optimisticParts(best, root float64) func(values []float64) func(mean, sd float64) optimizers.Term {
	return func([]float64) func(mean, sd float64) optimizers.Term {
		return func(mean, sd float64) optimizers.Term {
			away, open := best-mean, root*sd
			value, _ := logSoftplus((away + open) / softness)
			terms := []optimizers.Term{{Name: "Δ, predicted improvement", Value: b.Scale.SD * away},
				{Name: fmt.Sprintf("√β·sd, √β = %s", numfmt.Format(root)), Value: b.Scale.SD * open},
				{Name: "none counts as 0", Value: b.Scale.SD * (softness*math.Exp(value) - away - open)}}
			return optimizers.NewTerm("optimistic improvement", optimizers.OperationSum, terms...)
		}
	}
}

// SumOfLogs returns the terms of a score that is a product and is displayed as a decimal logarithm: the sum of the
// logarithms of its factors.
func SumOfLogs(name string, factors ...optimizers.Term) optimizers.Term {
	for i := range factors {
		factors[i].Value = math.Log10(factors[i].Value)
	}
	return optimizers.NewTerm(name, optimizers.OperationSum, factors...)
}
