package hierarchy

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

// Estimate is Algorithm 6.2: y is T × L, of the children; the root's parameters come from least squares on their mean,
// the children's from ridge regression towards those. The estimates are K × L.
func (t *TwoLevel) Estimate(y *mat.Dense, lambda float64) (root []float64, children *mat.Dense, err error) {
	rows, columns := t.basis.Dims()
	if r, c := y.Dims(); r != rows || c != len(t.offsets) {
		return nil, nil, fmt.Errorf("observations are %d × %d, want %d × %d", r, c, rows, len(t.offsets))
	}
	leaves := len(t.offsets)
	mean := mat.NewVecDense(rows, nil)
	for n := range leaves {
		mean.AddScaledVec(mean, 1/float64(leaves), y.ColView(n))
	}
	var free, tied mat.Cholesky
	if !free.Factorize(t.covariance(0)) || !tied.Factorize(t.covariance(lambda)) {
		return nil, nil, fmt.Errorf("the covariance with the weight %v is not positive definite", lambda)
	}
	fitted := mat.NewVecDense(columns, nil)
	if err := t.solve(&free, fitted, mean); err != nil {
		return nil, nil, err
	}
	children = mat.NewDense(columns, leaves, nil)
	rest, offset := mat.NewVecDense(rows, nil), mat.NewVecDense(columns, nil)
	for n := range leaves {
		rest.MulVec(t.basis, fitted)
		rest.SubVec(y.ColView(n), rest)
		if err := t.solve(&tied, offset, rest); err != nil {
			return nil, nil, err
		}
		offset.AddVec(offset, fitted)
		children.SetCol(n, offset.RawVector().Data)
	}
	return fitted.RawVector().Data, children, nil
}

// solve sets into to (Σ+λI)⁻¹Bᵀy/T, with the factors of Σ+λI.
func (t *TwoLevel) solve(factors *mat.Cholesky, into, y *mat.VecDense) error {
	rows, _ := t.basis.Dims()
	into.MulVec(t.basis.T(), y)
	into.ScaleVec(1/float64(rows), into)
	return factors.SolveVecTo(into, into)
}

// draw is observations of the children, T × L.
func (t *TwoLevel) draw(source *trainer.Source) *mat.Dense {
	rows, _ := t.basis.Dims()
	leaves := len(t.offsets)
	y := mat.NewDense(rows, leaves, source.Normals(rows*leaves))
	y.Scale(math.Sqrt(t.noise), y)
	var mean mat.Dense
	mean.Mul(t.basis, t.children)
	y.Add(y, &mean)
	return y
}

// losses are ‖θ̂_n - θ_n‖²_Σ of estimates of the children, K × L.
func (t *TwoLevel) losses(estimates *mat.Dense) []float64 {
	rows, _ := t.basis.Dims()
	var apart, miss mat.Dense
	apart.Sub(estimates, t.children)
	miss.Mul(t.basis, &apart)
	losses := make([]float64, len(t.offsets))
	for n := range losses {
		norm := mat.Norm(miss.ColView(n), 2)
		losses[n] = norm * norm / float64(rows)
	}
	return losses
}

// Simulate is the mean loss of Algorithm 6.2 over so many draws and all children, with its standard error: what
// MeanRisk is the limit of.
func (t *TwoLevel) Simulate(ctx context.Context, draws int, lambda float64, seed uint64) (mean, se float64, err error) {
	source := trainer.NewSource(seed, 67)
	var sum, squares float64
	for range draws {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		_, children, err := t.Estimate(t.draw(source), lambda)
		if err != nil {
			return 0, 0, err
		}
		var loss float64
		for _, l := range t.losses(children) {
			loss += l / float64(len(t.offsets))
		}
		sum, squares = sum+loss, squares+loss*loss
	}
	mean = sum / float64(draws)
	return mean, math.Sqrt((squares/float64(draws) - mean*mean) / float64(draws)), nil
}
