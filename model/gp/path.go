package gp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
	"bandscope/model/linalg"
)

// Path is a function drawn from the posterior. It can be evaluated anywhere, with its gradient: it is a draw from the
// prior by random features (Rahimi & Recht 2007), conditioned on the data by Matheron's rule (Wilson et al. 2020).
type Path struct {
	kernel kernel.Differentiable
	draw   kernel.Features
	x      *mat.Dense // n×d data, nil if none
	update []float64  // (K+σ²I)⁻¹ (y − f(X) − ε)
	memo   *Memo      // nil for none
}

// Path draws a function from the posterior of a process with a differentiable kernel, with the given number of
// features. With 1,000 or more features, the error of the prior covariance is at most a few hundredths of its variance.
func (g *GP) Path(features int, rng *rand.Rand) (*Path, error) {
	k, ok := g.kernel.(kernel.Differentiable)
	if !ok {
		return nil, fmt.Errorf("paths need a kernel whose functions can be drawn, not %T", g.kernel)
	}
	p := &Path{kernel: k, draw: k.Features(features, rng), x: g.x}
	if g.x == nil {
		return p, nil
	}
	n := len(g.y)
	prior := p.priors(g.x)
	if g.inducing != nil {
		p.update = g.drawUpdate(prior, rng)
		return p, nil
	}
	p.update = make([]float64, n)
	for i := range n {
		p.update[i] = g.y[i] - prior[i] - g.noiseAt(i)*rng.NormFloat64()
	}
	g.drawShifts(p.update, rng)
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
	for from := 0; from < len(p.draw.Weight); from += block {
		n := min(block, len(p.draw.Weight)-from)
		for i := range n {
			arg := p.draw.Phase[from+i]
			for j, v := range p.draw.Freq.RawRowView(from + i) {
				arg += v * x[j]
			}
			cosines[i], sines[i] = arg, arg-math.Pi/2
		}
		linalg.Cos(cosines[:n], cosines[:n])
		weights := p.draw.Weight[from : from+n]
		if p.draw.Affine != nil {
			weights = p.scaledWeights(x, from, cosines[:n], grad)
		}
		for i, w := range weights {
			sum += w * cosines[i]
		}
		if grad == nil {
			continue
		}
		linalg.Cos(sines[:n], sines[:n])
		for i, w := range weights {
			for j, v := range p.draw.Freq.RawRowView(from + i) {
				grad[j] -= w * sines[i] * v
			}
		}
	}
	return sum
}

// scaledWeights returns the weights at x of the features from one on, given their cosines: times their affine factors.
// It adds the part of the gradient that is due to these factors to grad unless that is nil.
func (p *Path) scaledWeights(x []float64, from int, cosines, grad []float64) []float64 {
	weights := slices.Clone(p.draw.Weight[from : from+len(cosines)])
	factors := make([]float64, len(p.draw.Affine))
	for i, c := range cosines {
		for l, a := range p.draw.Affine {
			row := a.RawRowView(from + i)
			factors[l] = row[0] + floats.Dot(row[1:], x)
		}
		if grad != nil {
			for l, a := range p.draw.Affine {
				others := weights[i] * c
				for k, f := range factors {
					if k != l {
						others *= f
					}
				}
				floats.AddScaled(grad, others, a.RawRowView(from + i)[1:])
			}
		}
		for _, f := range factors {
			weights[i] *= f
		}
	}
	return weights
}

// priors returns the prior draw at the rows of X.
func (p *Path) priors(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	values := make([]float64, n)
	var waves mat.Dense // n×features
	waves.Mul(X, p.draw.Freq.T())
	for i := range n {
		row := waves.RawRowView(i)
		floats.Add(row, p.draw.Phase)
		linalg.Cos(row, row)
		weights := p.draw.Weight
		if p.draw.Affine != nil {
			weights = p.scaledWeights(X.RawRowView(i), 0, row, nil)
		}
		values[i] = floats.Dot(row, weights)
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
