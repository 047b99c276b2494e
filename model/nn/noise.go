package nn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// noise is the variance of the noise of target i.
func (o Options) noise(i int) float64 {
	if o.NoiseVars == nil {
		return o.Sigma2
	}
	return o.NoiseVars[i]
}

// roots are the square roots of the weights σ²/σ_i² of n targets; nil if no noise variances per target are known.
func (o Options) roots(n int) ([]float64, error) {
	if o.NoiseVars == nil {
		return nil, nil
	}
	if len(o.NoiseVars) != n || !(o.Sigma2 > 0) {
		return nil, fmt.Errorf("noise per target needs one variance per target and σ² > 0, got %d variances for %d targets and σ² = %g", len(o.NoiseVars), n, o.Sigma2)
	}
	root := make([]float64, n)
	for i, v := range o.NoiseVars {
		root[i] = math.Sqrt(o.Sigma2 / v)
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("the noise variance of a target must be positive, got %g for target %d", v, i)
		}
	}
	return root, nil
}

// applyWeights multiplies values by the roots of their weights, in place.
func applyWeights(v, root []float64) []float64 {
	if root != nil {
		floats.Mul(v, root)
	}
	return v
}

// weightRows multiplies outputs and gradients by the roots of the weights of their rows, in place.
func (p *pass) weightRows(root []float64) *pass {
	applyWeights(p.f, root)
	p.weightSignals(root)
	return p
}

// weightSignals multiplies gradients by the roots of the weights of their rows, in place.
func (p *pass) weightSignals(root []float64) {
	for i, r := range root {
		for _, s := range p.signal {
			floats.Scale(r, s.RawRowView(i))
		}
	}
}

// run evaluates a network at the data.
func (t *training) run(n *Net) *pass { return t.runOver(nil, n) }

// runOver is run in the memory of an earlier pass, which is lost.
func (t *training) runOver(old *pass, n *Net) *pass { return n.runOver(old, t.x).weightRows(t.root) }

// activate is the forward half of run, in the memory of an earlier pass; see Net.activateOver.
func (t *training) activate(old *pass, n *Net) *pass {
	p := n.activateOver(old, t.x)
	applyWeights(p.f, t.root)
	return p
}

// eval is run without the parts that gradients need.
func (t *training) eval(n *Net) []float64 { return applyWeights(n.Eval(t.x), t.root) }

// rmse is the root mean square of residuals without their weights.
func (t *training) rmse(residual []float64) float64 {
	if t.root == nil {
		return rmse(residual)
	}
	plain := make([]float64, len(residual))
	floats.DivTo(plain, residual, t.root)
	return rmse(plain)
}

// ScaleRows are the features g_i, each times a factor. With √(λ/σ_i²) the posterior is that of data with noise
// variances σ_i²: U = λ(I + Σ g_i g_iᵀ/σ_i²).
func (f *Features) ScaleRows(slopes []float64) *Features {
	p := &pass{net: f.rows.net, alpha: f.rows.alpha, f: append([]float64(nil), f.rows.f...)}
	for _, s := range f.rows.signal {
		p.signal = append(p.signal, mat.DenseCopyOf(s))
	}
	return &Features{p.weightRows(slopes)}
}
