package gp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
	"bandscope/model/linalg"
)

// Path is a function drawn from the posterior. It can be evaluated anywhere, with its gradient: it is a draw from the
// prior by random Fourier features (Rahimi & Recht 2007), conditioned on the data by Matheron's rule (Wilson et al.
// 2020).
type Path struct {
	kernel kernel.Stationary
	freq   *mat.Dense // features×d
	phase  []float64
	weight []float64  // of the features, with their common factor
	x      *mat.Dense // n×d data, nil if none
	update []float64  // (K+σ²I)⁻¹ (y − f(X) − ε)
	memo   *Memo      // nil for none
}

// Path draws a function from the posterior of a stationary process, with the given number of features. With 1,000 or
// more features, the error of the prior covariance is at most a few hundredths of its variance.
func (g *GP) Path(features int, rng *rand.Rand) (*Path, error) {
	k, ok := g.kernel.(kernel.Stationary)
	if !ok {
		return nil, fmt.Errorf("paths need a stationary kernel, not %T", g.kernel)
	}
	d := len(k.Lengths)
	p := &Path{kernel: k, freq: mat.NewDense(features, d, nil), phase: make([]float64, features),
		weight: make([]float64, features), x: g.x}
	spread := k.Form.Spread(rng)
	for i := range features {
		stretch := spread()
		row := p.freq.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64() * stretch / k.Lengths[j]
		}
		p.phase[i] = 2 * math.Pi * rng.Float64()
		p.weight[i] = rng.NormFloat64() * k.Scale * math.Sqrt(2/float64(features))
	}
	if g.x == nil {
		return p, nil
	}
	n := len(g.y)
	p.update = make([]float64, n)
	prior := p.priors(g.x)
	for i := range n {
		p.update[i] = g.y[i] - prior[i] - g.noiseAt(i)*rng.NormFloat64()
	}
	if math.IsInf(g.chol.Cond(), 1) {
		return nil, errors.New("drawing a path: the covariance matrix is singular")
	}
	g.solve(p.update)
	return p, nil
}

// prior returns the prior draw at x, and adds its gradient to grad unless that is nil.
func (p *Path) prior(x, grad []float64) float64 {
	const block = 128 // features whose cosines are computed together
	var cosines, sines [block]float64
	sum := 0.0
	for from := 0; from < len(p.weight); from += block {
		n := min(block, len(p.weight)-from)
		for i := range n {
			arg := p.phase[from+i]
			for j, v := range p.freq.RawRowView(from + i) {
				arg += v * x[j]
			}
			cosines[i], sines[i] = arg, arg-math.Pi/2
		}
		linalg.Cos(cosines[:n], cosines[:n])
		for i, w := range p.weight[from : from+n] {
			sum += w * cosines[i]
		}
		if grad == nil {
			continue
		}
		linalg.Cos(sines[:n], sines[:n])
		for i, w := range p.weight[from : from+n] {
			for j, v := range p.freq.RawRowView(from + i) {
				grad[j] -= w * sines[i] * v
			}
		}
	}
	return sum
}

// priors returns the prior draw at the rows of X.
func (p *Path) priors(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	values := make([]float64, n)
	var waves mat.Dense // n×features
	waves.Mul(X, p.freq.T())
	for i := range n {
		row := waves.RawRowView(i)
		floats.Add(row, p.phase)
		linalg.Cos(row, row)
		values[i] = floats.Dot(row, p.weight)
	}
	return values
}

// Values returns the function at the rows of X (m×d), by matrix products. It needs memory for m times as many numbers
// as there are features and observations.
func (p *Path) Values(X *mat.Dense) []float64 {
	var values []float64
	if p.memo != nil {
		n, _ := X.Dims()
		for i := range n {
			values = append(values, p.memo.at(p, X.RawRowView(i)))
		}
	} else {
		values = p.priors(X)
	}
	if p.x != nil {
		cov := p.kernel.Cross(X, p.x)
		for i := range values {
			values[i] += floats.Dot(cov.RawRowView(i), p.update)
		}
	}
	return values
}

// At returns the function at x.
func (p *Path) At(x []float64) float64 {
	v := 0.0
	if p.memo != nil {
		v = p.memo.at(p, x)
	} else {
		v = p.prior(x, nil)
	}
	for i, u := range p.update {
		v += u * p.kernel.At(x, p.x.RawRowView(i))
	}
	return v
}

// Gradient returns the function at x, and writes its gradient to grad.
func (p *Path) Gradient(x, grad []float64) float64 {
	clear(grad)
	v := p.prior(x, grad)
	for i, u := range p.update {
		v += u * p.kernel.Slope(x, p.x.RawRowView(i), u, grad)
	}
	return v
}
