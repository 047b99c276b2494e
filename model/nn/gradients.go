package nn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ZeroLast is the network with the weights and the bias of its last layer set to 0, so that f = 0 everywhere, as
// NeuralBO starts (Phan-Trong et al. 2023, §4). Only the last layer's part of ∇f is not 0 there.
func (n *Net) ZeroLast() *Net {
	return &Net{arch: n.arch, layers: Tangent{n.layers}.WithoutLast().layers}
}

// Features are gradients g_i = ∇_θ f(x_i; θ_i) of n inputs, all of one architecture; each may have its own parameters.
// They are stored as factors per layer: there is no n×p matrix.
type Features struct{ rows *pass }

// Features are the gradients at the rows of X (n×d), all at this network's parameters.
func (n *Net) Features(X *mat.Dense) *Features { return &Features{n.run(X)} }

// Stack returns all rows of several features of one architecture.
func Stack(parts ...*Features) *Features {
	all := &pass{net: parts[0].rows.net}
	for l := range all.net.layers {
		var alphas, signals []*mat.Dense
		for _, p := range parts {
			alphas, signals = append(alphas, p.rows.alpha[l]), append(signals, p.rows.signal[l])
		}
		all.alpha, all.signal = append(all.alpha, stackRows(alphas)), append(all.signal, stackRows(signals))
	}
	for _, p := range parts {
		all.f = append(all.f, p.rows.f...)
	}
	return &Features{all}
}

// stackRows is the rows of matrices of equal width, one after the other.
func stackRows(parts []*mat.Dense) *mat.Dense {
	rows := 0
	for _, p := range parts {
		r, _ := p.Dims()
		rows += r
	}
	_, cols := parts[0].Dims()
	all := mat.NewDense(rows, cols, nil)
	row := 0
	for _, p := range parts {
		r, _ := p.Dims()
		all.Slice(row, row+r, 0, cols).(*mat.Dense).Copy(p)
		row += r
	}
	return all
}

// Len is the number of inputs n.
func (f *Features) Len() int { return len(f.rows.f) }

// Gram is the matrix of all g_i·g_j, n×n: the empirical NTK if all are of one network.
func (f *Features) Gram() *mat.Dense { return kernel(f.rows, f.rows) }

// squares is the pass whose gradients are the squares of this one's, parameter by parameter: gradients are products of
// an activation and a signal, and so are their squares. It belongs to a network whose gains are squared, too.
func (p *pass) squares() *pass {
	q := &pass{net: p.net, f: p.f}
	for l := range p.net.layers {
		var a, s mat.Dense
		gain := p.net.gain(l)
		a.Apply(func(_, _ int, v float64) float64 { return gain * v * v }, p.alpha[l])
		s.MulElem(p.signal[l], p.signal[l])
		q.alpha, q.signal = append(q.alpha, &a), append(q.signal, &s)
	}
	return q
}

// squareSum is Σ_i g_i² of every parameter.
func (f *Features) squareSum() []layer {
	sum := f.rows.net.zeros()
	ones := make([]float64, f.Len())
	for i := range ones {
		ones[i] = 1
	}
	f.rows.squares().back(ones, 0, sum)
	for l := range sum { // back has σ_b where the square has σ_b²
		for k := range sum[l].b {
			sum[l].b[k] *= f.rows.net.arch.SigmaB
		}
	}
	return sum
}

// weightedSquares is Σ_p weight_p g_ip² of every input, length n.
func (f *Features) weightedSquares(weight []layer) []float64 {
	scaled := make([]layer, len(weight))
	for l, w := range weight {
		scaled[l] = layer{w.w, make([]float64, len(w.b))}
		for k, v := range w.b {
			scaled[l].b[k] = f.rows.net.arch.SigmaB * v
		}
	}
	return f.rows.squares().forward(scaled)
}

// norms is g_i·g_i of every input, length n.
func (f *Features) norms() []float64 {
	out := make([]float64, f.Len())
	for l := range f.rows.net.layers {
		gain, bias := f.rows.net.gain(l), f.rows.net.arch.SigmaB
		for i := range out {
			a, s := vector(f.rows.alpha[l].RawRowView(i)), vector(f.rows.signal[l].RawRowView(i))
			out[i] += (gain*gain*blas64.Dot(a, a) + bias*bias) * blas64.Dot(s, s)
		}
	}
	return out
}

// GradientPosterior is the Gaussian distribution of the weights w of the features φ(x) = g(x)/√s in NeuralUCB, NeuralTS
// and NeuralBO: w ~ N(0, λU⁻¹), U = λI + Σφ_iφ_iᵀ, so that φ(x)·w has the variance σ²(x) = λφ(x)ᵀU⁻¹φ(x) (Zhou et al.
// 2020, Alg. 1; Zhang et al. 2021, Alg. 1; Phan-Trong et al. 2023, Alg. 1). With K = ΦΦᵀ + λI it follows from the n×n
// form
//
//	λU⁻¹ = I − ΦᵀK⁻¹Φ,   σ²(x) = φ·φ − (Φφ)ᵀK⁻¹(Φφ),
//
// or, with the diagonal approximation of the published code, with the diagonal of U instead of U.
type GradientPosterior struct {
	arch     Arch
	data     *Features // nil without data: w ~ N(0, I)
	scale    float64   // s
	lambda   float64
	chol     *mat.Cholesky // of K
	factor   blas64.Triangular
	diagonal []layer // λ/(λ + Σφ²) of every parameter; nil for the full matrix
}

// NewGradientPosterior computes the posterior from the data's features (nil without data), s > 0 and λ > 0.
func NewGradientPosterior(a Arch, data *Features, s, lambda float64, diagonal bool) (*GradientPosterior, error) {
	if !(s > 0) || !(lambda > 0) {
		return nil, fmt.Errorf("gradient features need a positive scale and a positive λ, got %g and %g",
			s, lambda)
	}
	g := &GradientPosterior{arch: a, data: data, scale: s, lambda: lambda}
	if data == nil {
		return g, nil
	}
	if diagonal {
		g.diagonal = data.squareSum()
		portion := func(v []float64) {
			for i, sum := range v {
				v[i] = lambda / (lambda + sum/s)
			}
		}
		for _, l := range g.diagonal {
			portion(l.w.RawMatrix().Data)
			portion(l.b)
		}
		return g, nil
	}
	k := data.Gram()
	k.Scale(1/s, k)
	var ok bool
	g.chol, ok = factorizeShifted(k, lambda)
	if !ok {
		return nil, errors.New("the matrix of gradient features has no Cholesky factor: use a larger λ")
	}
	u := g.chol.RawU().(*mat.TriDense).RawTriangular()
	g.factor = u
	return g, nil
}

// lawRows is the number of inputs between two checks of the context.
const lawRows = 128

// SD is σ at the rows of X (m×d), with the features at a network's parameters.
func (g *GradientPosterior) SD(ctx context.Context, net *Net, X *mat.Dense) ([]float64, error) {
	m, d := X.Dims()
	out := make([]float64, 0, m)
	for from := 0; from < m; from += lawRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = append(out, g.variances(net.Features(X.Slice(from, min(from+lawRows, m), 0, d).(*mat.Dense)))...)
	}
	for i, v := range out {
		out[i] = math.Sqrt(max(v, 0))
	}
	return out, nil
}

// variances is σ² of features.
func (g *GradientPosterior) variances(features *Features) []float64 {
	var v []float64
	if g.diagonal != nil {
		v = features.weightedSquares(g.diagonal)
	} else {
		v = features.norms()
	}
	for i := range v {
		v[i] /= g.scale
	}
	if g.data == nil || g.diagonal != nil {
		return v
	}
	cross := kernel(g.data.rows, features.rows) // n×m
	blas64.Trsm(blas.Left, blas.Trans, 1/g.scale, g.factor, cross.RawMatrix())
	n, _ := cross.Dims()
	for i := range n {
		for j, c := range cross.RawRowView(i) {
			v[j] -= c * c
		}
	}
	return v
}

// Gradient is σ at one input, with its gradient with respect to the input in grad, length d: σ² = φᵀMφ, M = λU⁻¹, so
// that ∇σ² is twice the gradient of φ(x)·u, with u = Mφ(x) constant.
func (g *GradientPosterior) Gradient(net *Net, x, grad []float64) float64 {
	features := net.Features(mat.NewDense(1, len(x), x))
	u := net.zeros()
	features.rows.back([]float64{1 / g.scale}, 0, u)
	switch {
	case g.diagonal != nil:
		for l := range u {
			multiply(u[l].w.RawMatrix().Data, g.diagonal[l].w.RawMatrix().Data)
			multiply(u[l].b, g.diagonal[l].b)
		}
	case g.data != nil:
		right := g.data.rows.forward(u)
		if !invert(g.chol, right) {
			clear(grad)
			return 0
		}
		for i := range right {
			right[i] *= -1 / g.scale
		}
		g.data.rows.back(right, 1, u)
	}
	variance := net.JVPGradient(x, Tangent{u}, grad)
	if !(variance > 0) {
		clear(grad)
		return 0
	}
	sd := math.Sqrt(variance)
	for j := range grad {
		grad[j] /= sd
	}
	return sd
}

func multiply(v, slopes []float64) {
	for i := range v {
		v[i] *= slopes[i]
	}
}

// Draw is w/√s for one sample of w, so that its product with the features' Jacobian, Net.JVP, is one function with the
// posterior covariance everywhere. It needs no p×p matrix: w = w₀ − ΦᵀK⁻¹(Φw₀ + √λ ε), w₀ and ε ~ N(0, I) (Matheron's
// rule).
func (g *GradientPosterior) Draw(rng *rand.Rand) (Tangent, error) {
	w := g.arch.NewTangent(rng)
	root := math.Sqrt(g.scale)
	if g.data != nil && g.diagonal == nil {
		right := g.data.rows.forward(w.layers)
		for i := range right {
			right[i] = right[i]/root + math.Sqrt(g.lambda)*rng.NormFloat64()
		}
		if !invert(g.chol, right) {
			return Tangent{}, errors.New("the matrix of gradient features cannot be inverted: use a larger λ")
		}
		for i := range right {
			right[i] *= -1 / root
		}
		g.data.rows.back(right, 1, w.layers)
	}
	for l := range w.layers {
		weights := w.layers[l].w.RawMatrix().Data
		if g.diagonal != nil {
			multiplyRoot(weights, g.diagonal[l].w.RawMatrix().Data)
			multiplyRoot(w.layers[l].b, g.diagonal[l].b)
		}
		blas64.Scal(1/root, vector(weights))
		blas64.Scal(1/root, vector(w.layers[l].b))
	}
	return w, nil
}

func multiplyRoot(v, slopes []float64) {
	for i := range v {
		v[i] *= math.Sqrt(slopes[i])
	}
}
