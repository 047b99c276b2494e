package acquisition

import (
	"context"
	"fmt"
	"math"

	"bandscope/model"
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
	z := b.Scale.Apply(b.In.Data.Column(b.Objective))
	for i := range z {
		z[i] = (z[i] - mean[i]) / sd[i]
	}
	band := b.band(mean, sd)
	return []optimizers.Residuals{{Mean: band.Mean, SD: band.SD, Z: z, Warped: band.Warped}}, nil
}

// NoiseSD returns the standard deviation of the noise of a future observation, if the surrogate models noise.
func (b *Posterior) NoiseSD() []float64 {
	if surrogate, ok := b.Surrogate.(interface{ Noise() float64 }); ok {
		noise := surrogate.Noise() * b.Scale.SD
		if b.In.Warp != nil { // where the scale has its mean
			noise /= b.In.Warp.Slope(b.Value(0))
		}
		return []float64{noise}
	}
	return []float64{0}
}

// LogEvidence returns the log evidence of the surrogate, if it has one.
func (b *Posterior) LogEvidence(context.Context) ([]float64, error) {
	if surrogate, ok := b.Surrogate.(interface{ LogMarginalLikelihood() float64 }); ok && b.In.Data.Len() > 0 {
		return []float64{surrogate.LogMarginalLikelihood() + b.logJacobian()}, nil
	}
	return []float64{math.NaN()}, nil
}

// logJacobian returns the logarithm of the density of standardized values over that of standardized values on the scale of
// a warp; 0 without one.
func (b *Posterior) logJacobian() (sum float64) {
	if b.In.Warp == nil {
		return 0
	}
	var values []float64
	for _, u := range b.In.Data.Column(b.Objective) {
		values = append(values, b.In.Warp.Invert(u))
	}
	unit := model.Standardize(values).SD / b.Scale.SD
	for _, v := range values {
		sum += math.Log(b.In.Warp.Slope(v) * unit)
	}
	return sum
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
