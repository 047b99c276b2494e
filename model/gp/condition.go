package gp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/kernel"
)

// LeaveOneOut returns the mean and the standard deviation of the prediction of each observation from all the others,
// noise included (Rasmussen & Williams 2006, eq. 5.12).
func (g *GP) LeaveOneOut() (mean, sd []float64, err error) {
	if g.inducing != nil {
		return g.inducing.leaveOneOut()
	}
	n := len(g.y)
	mean, sd = make([]float64, n), make([]float64, n)
	if n == 0 {
		return mean, sd, nil
	}
	var inverse mat.SymDense
	if err := g.chol.InverseTo(&inverse); model.IgnoreCondition(err) != nil {
		return nil, nil, fmt.Errorf("leave-one-out predictions: %w", err)
	}
	for i := range n {
		d := inverse.At(i, i)
		mean[i] = g.y[i] - g.alpha[i]/d
		sd[i] = 1 / math.Sqrt(d)
	}
	return mean, sd, nil
}

// Innovations returns the deviation of each observation from its prediction by those before it, in standard deviations
// of that prediction, noise included: L⁻¹y. If the model is right, innovations are standard normal. Without data, or
// with inducing inputs, there are none.
func (g *GP) Innovations() []float64 {
	if g.inducing != nil {
		return nil
	}
	z := append([]float64(nil), g.y...)
	if g.x != nil {
		blas64.Trsv(blas.NoTrans, g.lower.RawTriangular(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	}
	return z
}

// unfactorized returns the process with its data, to be conditioned again.
func (g *GP) unfactorized() *GP {
	return &GP{kernel: g.kernel, noise: g.noise, noiseSDs: g.noiseSDs, blocks: g.blocks, blockSD: g.blockSD, x: g.x, y: g.y}
}

// Append returns the process after one more observation at x (length d), with the noise of the process and in no block.
// The factor grows by one row, in O(n²) steps.
func (g *GP) Append(x []float64, y float64) (*GP, error) {
	if g.x == nil {
		return newGP(&GP{kernel: g.kernel, noise: g.noise, noiseSDs: g.appendedNoiseSDs(), blocks: g.appendedBlocks(),
			blockSD: g.blockSD, x: mat.NewDense(1, len(x), append([]float64(nil), x...)), y: []float64{y}})
	}
	n, d := g.x.Dims()
	grown := mat.NewDense(n+1, d, nil)
	grown.Copy(g.x)
	grown.SetRow(n, x)
	next := &GP{kernel: g.kernel, noise: g.noise, noiseSDs: g.appendedNoiseSDs(), blocks: g.appendedBlocks(),
		blockSD: g.blockSD, x: grown,
		y: append(append([]float64(nil), g.y...), y), jitter: g.jitter, inducing: g.inducing}
	point := grown.Slice(n, n+1, 0, d).(*mat.Dense)
	column := mat.NewVecDense(n+1, nil)
	cross := g.kernel.Cross(g.x, point)
	for i := range n {
		column.SetVec(i, cross.At(i, 0))
	}
	column.SetVec(n, g.kernel.Diag(point)[0]+g.noise*g.noise+g.jitter)
	if g.inducing != nil {
		return g.appendInducing(next, column, mat.Col(nil, 0, cross), y)
	}
	if !next.chol.ExtendVecSym(&g.chol, column) {
		return newGP(next.unfactorized())
	}
	next.finish()
	return next, nil
}

// appendedNoiseSDs returns the known noise of the observations, with one more that is not known.
func (g *GP) appendedNoiseSDs() []float64 {
	if g.noiseSDs == nil {
		return nil
	}
	return append(append([]float64(nil), g.noiseSDs...), math.NaN())
}

// Believe returns the process after observations at the rows of X (m×d; nil for none) that equal its own means there.
// Its mean does not change, and its standard deviations are those that remain once the outcomes are known, whatever
// they are (Desautels et al. 2014, hallucinated observations).
func (g *GP) Believe(ctx context.Context, X *mat.Dense) (*GP, error) {
	if X == nil {
		return g, nil
	}
	mean, _, err := g.Predict(ctx, X)
	for i := 0; err == nil && i < len(mean); i++ {
		g, err = g.Append(X.RawRowView(i), mean[i])
	}
	return g, err
}

// CrossCovariance is the posterior covariance of values with those at given points.
type CrossCovariance struct {
	of     *GP
	places *mat.Dense // m×d
	solved *mat.Dense // (K+σ²I)⁻¹ k(X, places), n×m; nil without data
}

// CrossCovariance returns the covariance of values with those at the rows of Z (m×d). Its Gradient requires a
// differentiable kernel.
func (g *GP) CrossCovariance(Z *mat.Dense) (*CrossCovariance, error) {
	t := &CrossCovariance{of: g, places: Z}
	if g.x == nil {
		return t, nil
	}
	var v mat.Dense
	if err := g.chol.SolveTo(&v, g.kernel.Cross(g.x, Z)); model.IgnoreCondition(err) != nil {
		return nil, fmt.Errorf("covariance between points: %w", err)
	}
	t.solved = &v
	return t, nil
}

// Covariances returns the covariances of the values at the rows of X (q×d) with those at the given points, q×m.
func (t *CrossCovariance) Covariances(X *mat.Dense) *mat.Dense {
	c := t.of.kernel.Cross(X, t.places)
	if t.solved != nil {
		var explained mat.Dense
		explained.Mul(t.of.kernel.Cross(X, t.of.x), t.solved)
		c.Sub(c, &explained)
	}
	return c
}

// Gradient writes the covariances at one input to cov (length m), and their gradients to the rows of slopes (m×d).
func (t *CrossCovariance) Gradient(x, cov []float64, slopes *mat.Dense) {
	k := t.of.kernel.(kernel.Differentiable)
	slopes.Zero()
	for j := range cov {
		cov[j] = k.Slope(x, t.places.RawRowView(j), 1, slopes.RawRowView(j))
	}
	if t.solved == nil {
		return
	}
	values := make([]float64, len(x))
	for i := range t.of.y {
		clear(values)
		c := k.Slope(x, t.of.x.RawRowView(i), 1, values)
		for j, w := range t.solved.RawRowView(i) {
			cov[j] -= w * c
			row := slopes.RawRowView(j)
			for l, s := range values {
				row[l] -= w * s
			}
		}
	}
}
