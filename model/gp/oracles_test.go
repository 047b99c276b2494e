package gp

import (
	"bandscope/model"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// HasGradient reports whether Gradient may be called: whether the kernel's derivatives are known.
func (g *GP) HasGradient() bool { _, ok := g.kernel.(sloped); return ok }

// LeaveOneOut returns the mean and the standard deviation with which each observation is predicted, noise included, from all
// the others (Rasmussen & Williams 2006, eq. 5.12).
func (g *GP) LeaveOneOut() (mean, sd []float64, err error) {
	n := len(g.y)
	mean, sd = make([]float64, n), make([]float64, n)
	if n == 0 {
		return mean, sd, nil
	}
	var inverse mat.SymDense
	if err := g.chol.InverseTo(&inverse); model.Solved(err) != nil {
		return nil, nil, fmt.Errorf("leaving one out: %w", err)
	}
	for i := range n {
		d := inverse.At(i, i)
		mean[i] = g.y[i] - g.alpha[i]/d
		sd[i] = 1 / math.Sqrt(d)
	}
	return mean, sd, nil
}

// Append is the process after one more observation at x (length d): the factor grows by a row in O(n²) steps.
func (g *GP) Append(x []float64, y float64) (*GP, error) {
	if g.x == nil {
		return New(g.kernel, g.noise, mat.NewDense(1, len(x), append([]float64(nil), x...)), []float64{y})
	}
	n, d := g.x.Dims()
	grown := mat.NewDense(n+1, d, nil)
	grown.Copy(g.x)
	grown.SetRow(n, x)
	next := &GP{kernel: g.kernel, noise: g.noise, x: grown, y: append(append([]float64(nil), g.y...), y), jitter: g.jitter}
	at := grown.Slice(n, n+1, 0, d).(*mat.Dense)
	column := mat.NewVecDense(n+1, nil)
	cross := g.kernel.Cross(g.x, at)
	for i := range n {
		column.SetVec(i, cross.At(i, 0))
	}
	column.SetVec(n, g.kernel.Diag(at)[0]+g.noise*g.noise+g.jitter)
	if !next.chol.ExtendVecSym(&g.chol, column) {
		return New(g.kernel, g.noise, grown, next.y)
	}
	next.finish()
	return next, nil
}
