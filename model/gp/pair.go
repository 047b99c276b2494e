package gp

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// PredictPairs is Predict at the rows of X and of Z (both m×d). It also returns the posterior covariance between the
// values at row i of X and row i of Z. The kernel must be differentiable.
func (g *GP) PredictPairs(ctx context.Context, X, Z *mat.Dense) (atX, atZ Moments, cov []float64, err error) {
	m, d := X.Dims()
	k := g.kernel.(kernel.Differentiable)
	atX, atZ = newMoments(m), newMoments(m)
	cov = make([]float64, m)
	for i := range cov {
		cov[i] = k.At(X.RawRowView(i), Z.RawRowView(i))
	}
	for from := 0; from < m; from += chunk {
		if err := ctx.Err(); err != nil {
			return atX, atZ, nil, err
		}
		end := min(from+chunk, m)
		wx := g.predict(X.Slice(from, end, 0, d).(*mat.Dense), atX.Mean[from:end], atX.SD[from:end])
		wz := g.predict(Z.Slice(from, end, 0, d).(*mat.Dense), atZ.Mean[from:end], atZ.SD[from:end])
		for i := range g.y {
			a, b := wx.RawRowView(i), wz.RawRowView(i)
			for j := range a {
				cov[from+j] -= a[j] * b[j]
			}
		}
	}
	return atX, atZ, cov, nil
}

// Moments holds the means and the standard deviations of several values.
type Moments struct{ Mean, SD []float64 }

func newMoments(m int) Moments { return Moments{make([]float64, m), make([]float64, m)} }

// Covariance returns the posterior covariance between the values at x and at z, and writes its gradients by x to dx and
// by z to dz, length d each.
func (g *GP) Covariance(x, z, dx, dz []float64) float64 {
	k := g.kernel.(kernel.Differentiable)
	clear(dx)
	clear(dz)
	k.Slope(z, x, 1, dz)
	cov := k.Slope(x, z, 1, dx)
	if g.x == nil {
		return cov
	}
	toX, toZ := g.whitenedColumn(x), g.whitenedColumn(z)
	for i, w := range toX.Data {
		cov -= w * toZ.Data[i]
	}
	for _, half := range []struct {
		by   blas64.Vector // the other point's
		at   []float64
		grad []float64
	}{{toZ, x, dx}, {toX, z, dz}} {
		blas64.Trsv(blas.Trans, g.lower.RawTriangular(), half.by)
		for i, w := range half.by.Data {
			k.Slope(half.at, g.x.RawRowView(i), -w, half.grad)
		}
	}
	return cov
}

// whitenedColumn returns L⁻¹k(X, x).
func (g *GP) whitenedColumn(x []float64) blas64.Vector {
	v := g.kernel.Cross(g.x, mat.NewDense(1, len(x), x)) // n×1
	g.whiten(v)
	return blas64.Vector{N: len(g.y), Data: v.RawMatrix().Data, Inc: 1}
}
