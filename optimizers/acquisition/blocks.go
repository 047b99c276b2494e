package acquisition

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// blockEstimator is a surrogate with shifts of blocks, standardized.
type blockEstimator interface {
	BlockEffects(count int) (mean []float64, cov *mat.SymDense)
	BlockSD() float64
}

// BlockEffects returns the shifts of the blocks, if the surrogate estimates them.
func (b *Posterior) BlockEffects(ctx context.Context) ([]optimizers.BlockEffects, error) {
	surrogate, ok := b.Surrogate.(blockEstimator)
	if !ok || b.In.Data.Blocks == nil {
		return nil, fmt.Errorf("shifts of blocks: %w", optimizers.ErrUnsupported)
	}
	n := len(b.In.Data.BlockNames)
	mean, cov := surrogate.BlockEffects(n)
	e := optimizers.BlockEffects{SD: surrogate.BlockSD() * b.Scale.SD, Relative: !slices.Contains(b.In.Data.Blocks, -1)}
	contrast := mat.NewDense(n, n, nil) // from shifts to those that are returned
	for i := range n {
		contrast.Set(i, i, 1)
		for j := 0; e.Relative && j < n; j++ {
			contrast.Set(i, j, contrast.At(i, j)-1/float64(n))
		}
	}
	var shifts mat.VecDense
	var half, all mat.Dense
	shifts.MulVec(contrast, mat.NewVecDense(n, mean))
	half.Mul(contrast, cov)
	all.Mul(&half, contrast.T())
	for i := range n {
		e.Mean = append(e.Mean, shifts.AtVec(i)*b.Scale.SD)
		e.SE = append(e.SE, math.Sqrt(max(all.At(i, i), 0))*b.Scale.SD)
	}
	return []optimizers.BlockEffects{e}, ctx.Err()
}

// BlockEffects returns the shifts of the blocks, if the model estimates them.
func (b modelBelief) BlockEffects(ctx context.Context) ([]optimizers.BlockEffects, error) {
	if model, ok := b.Model.(optimizers.BlockEstimator); ok {
		return model.BlockEffects(ctx)
	}
	return nil, fmt.Errorf("shifts of blocks: %w", optimizers.ErrUnsupported)
}
