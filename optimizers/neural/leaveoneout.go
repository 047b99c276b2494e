package neural

import (
	"context"
	"fmt"
	"math"

	"bandscope/model/widenet"
	"bandscope/optimizers"
)

// LeaveOneOut returns the exact residuals of the distribution of the band. An ensemble has none without training again,
// and neither has a distribution at a finite time or without spread.
func (b *trainedBelief) LeaveOneOut(ctx context.Context) ([]optimizers.Residuals, error) {
	switch b.in.Params.Choice("band") {
	case ensembleBand, string(widenet.FiniteTime), string(widenet.WarmStart):
		return nil, fmt.Errorf("leave-one-out predictions of trained networks: %w", optimizers.ErrUnsupported)
	}
	l, err := b.law(ctx)
	if err != nil {
		return nil, err
	}
	mean, sd, err := l.LeaveOneOut()
	if err != nil {
		return nil, err
	}
	r := optimizers.Residuals{Mean: b.unstandardize(mean), SD: sd, Z: b.in.Data.Column(0)}
	for i, y := range r.Z {
		sd[i] *= b.scale.SD
		r.Z[i] = (y - mean[i]) / sd[i]
	}
	return []optimizers.Residuals{r}, nil
}

// NoiseSD is the standard deviation of the noise added to the targets, for methods that add it.
func (b *trainedBelief) NoiseSD() []float64 {
	if !b.isRegularized() {
		return []float64{0}
	}
	return []float64{b.in.Params.Number("nu") * math.Sqrt(b.in.Params.Number("sigma2")) * b.scale.SD}
}

// LogEvidence is the log evidence of the Gaussian process of the band, if it is one.
func (b *trainedBelief) LogEvidence(ctx context.Context) ([]float64, error) {
	none := []float64{math.NaN()}
	if len(b.y) == 0 {
		return none, nil
	}
	l, err := b.law(ctx)
	if l == nil || err != nil {
		return none, ctx.Err()
	}
	return []float64{l.LogMarginalLikelihood()}, nil
}

// Lengthscales are none: a network has weights.
func (b *trainedBelief) Lengthscales() [][]float64 { return nil }
