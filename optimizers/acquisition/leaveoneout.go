package acquisition

import (
	"context"
	"fmt"
	"math"

	"bandscope/optimizers"
)

// leaveOneOuter is a surrogate with exact leave-one-out predictions of the observations, noise included, standardized.
type leaveOneOuter interface {
	LeaveOneOut() (mean, sd []float64, err error)
}

// LeaveOneOut returns the residuals of the leave-one-out predictions, if the surrogate has exact ones.
func (b *Posterior) LeaveOneOut(ctx context.Context) ([]optimizers.Residuals, error) {
	surrogate, ok := b.Surrogate.(leaveOneOuter)
	if !ok {
		return nil, fmt.Errorf("leave-one-out predictions: %w", optimizers.ErrUnsupported)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mean, sd, err := surrogate.LeaveOneOut()
	if err != nil {
		return nil, err
	}
	r := optimizers.Residuals{Mean: mean, SD: sd, Z: b.In.Data.Column(b.Objective)}
	for i, y := range r.Z {
		mean[i], sd[i] = b.Scale.Value(mean[i]), sd[i]*b.Scale.SD
		r.Z[i] = (y - mean[i]) / sd[i]
	}
	return []optimizers.Residuals{r}, nil
}

// NoiseSD returns the standard deviation of the noise of a future observation, if the surrogate models noise.
func (b *Posterior) NoiseSD() []float64 {
	if surrogate, ok := b.Surrogate.(interface{ Noise() float64 }); ok {
		return []float64{surrogate.Noise() * b.Scale.SD}
	}
	return []float64{0}
}

// LogEvidence returns the log evidence of the surrogate, if it has one.
func (b *Posterior) LogEvidence(context.Context) ([]float64, error) {
	if surrogate, ok := b.Surrogate.(interface{ LogMarginalLikelihood() float64 }); ok && b.In.Data.Len() > 0 {
		return []float64{surrogate.LogMarginalLikelihood()}, nil
	}
	return []float64{math.NaN()}, nil
}

// Lengthscales returns the lengthscales of the surrogate's kernel, if it has any, for the columns that are not choices.
func (b *Posterior) Lengthscales() [][]float64 {
	surrogate, ok := b.Surrogate.(interface {
		Describe() (lengths []float64, scale float64, err error)
	})
	if !ok {
		return nil
	}
	lengths, _, err := surrogate.Describe()
	if err != nil {
		return nil
	}
	all := make([]float64, b.In.Dim)
	for j := range all {
		all[j] = math.NaN()
	}
	for c, j := range b.In.Domain.Columns(b.In.Dim) {
		if !b.In.Domain.Choice(j) {
			all[j] = lengths[c]
		}
	}
	for j := range all {
		if c := b.In.Domain.MixtureColumn(j); c >= 0 {
			all[j] = lengths[c] * b.In.Domain.LengthUnit(j)
		}
	}
	return [][]float64{all}
}
