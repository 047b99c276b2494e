// Package nn holds fully connected networks in the NTK parameterization of Paria et al. 2022, App. A, and their
// training in function space. Widths can be tens of thousands: no n×p or p×p matrix is formed, n being the number of
// data and p that of parameters. A fitted network is immutable. Networks of infinite width are in model/widenet and
// model/kernel; ensembles, bands and the choice of points are in the methods.
package nn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Arch describes a network: α⁰ = x, α^{l+1} = φ(σ_W/√d_l W^l α^l + σ_b b^l), f = σ_W/√d_L W^L α^L + σ_b b^L, with every
// W and b drawn from N(0, 1) (Paria et al. 2022, App. A).
type Arch struct {
	Inputs         int   // d
	Hidden         []int // width of every hidden layer; L = len(Hidden) ≥ 1
	Activation     Activation
	SigmaW, SigmaB float64 // both γ in the papers
	// the last bias starts at 0 (Paria et al. 2022, App. F.2) instead of N(0, 1); it is trained all the same
	ZeroLastBias bool
}

// Check returns an error for an invalid architecture.
func (a Arch) Check() error {
	if a.Inputs < 1 || len(a.Hidden) < 1 {
		return fmt.Errorf("a network needs inputs and at least one hidden layer, got %d inputs and %d layers",
			a.Inputs, len(a.Hidden))
	}
	for _, m := range a.Hidden {
		if m < 1 {
			return fmt.Errorf("the width of a hidden layer must be at least 1, got %d", m)
		}
	}
	if !(a.SigmaW > 0) || !(a.SigmaB >= 0) {
		return fmt.Errorf("σ_W must be positive and σ_b at least 0, got %g and %g", a.SigmaW, a.SigmaB)
	}
	return a.Activation.check()
}

// Params is the number of parameters p.
func (a Arch) Params() int {
	p, in := 0, a.Inputs
	for _, m := range append(append([]int(nil), a.Hidden...), 1) {
		p += m * (in + 1)
		in = m
	}
	return p
}

// layer is the weights (out×in) and biases (out) of one layer.
type layer struct {
	w *mat.Dense
	b []float64
}

// Net is a network with its parameters. It is immutable and safe for concurrent use.
type Net struct {
	arch   Arch
	layers []layer // L+1 of them
}

// New samples a network at initialization.
func New(a Arch, rng *rand.Rand) *Net {
	n := &Net{arch: a}
	in := a.Inputs
	for i, out := range append(append([]int(nil), a.Hidden...), 1) {
		l := layer{mat.NewDense(out, in, nil), make([]float64, out)}
		for k := range l.w.RawMatrix().Data {
			l.w.RawMatrix().Data[k] = rng.NormFloat64()
		}
		if i < len(a.Hidden) || !a.ZeroLastBias {
			for k := range l.b {
				l.b[k] = rng.NormFloat64()
			}
		}
		n.layers = append(n.layers, l)
		in = out
	}
	return n
}

// gain is σ_W/√d_l of a layer.
func (n *Net) gain(l int) float64 {
	_, in := n.layers[l].w.Dims()
	return n.arch.SigmaW / math.Sqrt(float64(in))
}

// affine is σ_W/√d W α + σ_b b for every row of α (rows×in), as rows×out.
func (n *Net) affine(l int, alpha *mat.Dense) *mat.Dense {
	rows, _ := alpha.Dims()
	z := mat.NewDense(rows, len(n.layers[l].b), nil)
	n.affineTo(z, l, alpha)
	return z
}

// affineTo is affine in a matrix that it overwrites.
func (n *Net) affineTo(z *mat.Dense, l int, alpha *mat.Dense) {
	rows, _ := alpha.Dims()
	for i := range rows {
		row := z.RawRowView(i)
		for k, b := range n.layers[l].b {
			row[k] = n.arch.SigmaB * b
		}
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, n.gain(l), alpha.RawMatrix(), n.layers[l].w.RawMatrix(), 1, z.RawMatrix())
}

// evalRows is the number of inputs that are evaluated at a time, which bounds the memory of wide layers.
const evalRows = 256

// Eval is f at every row of X (m×d).
func (n *Net) Eval(X *mat.Dense) []float64 {
	m, d := X.Dims()
	out := make([]float64, m)
	if len(n.arch.Hidden) == 1 {
		n.evalShallow(X, out)
		return out
	}
	for from := 0; from < m; from += evalRows {
		alpha := X.Slice(from, min(from+evalRows, m), 0, d).(*mat.Dense)
		for l := range n.arch.Hidden {
			alpha = n.affine(l, alpha)
			n.arch.Activation.apply(alpha.RawMatrix().Data, nil)
		}
		f := n.affine(len(n.arch.Hidden), alpha)
		copy(out[from:], f.RawMatrix().Data)
	}
	return out
}

// pass holds the results of a forward and backward pass over n inputs, from which every derivative is computed.
type pass struct {
	net    *Net
	alpha  []*mat.Dense // activations that enter layer l, n×d_l
	signal []*mat.Dense // ∂f/∂z of the outputs of layer l, n×d_{l+1}
	f      []float64    // length n
}

// run evaluates the rows of X and their signals.
func (n *Net) run(X *mat.Dense) *pass { return n.runOver(nil, X) }

// runOver is run in the memory of an earlier pass of the same inputs through a network of the same shape, which is
// overwritten: passes of wide networks at many inputs are large. If old is nil it allocates memory.
func (n *Net) runOver(old *pass, X *mat.Dense) *pass {
	p := n.activateOver(old, X)
	p.addSignals()
	return p
}

// activateOver is the forward half of runOver: the pass has the slopes of its units in the place of signals until
// addSignals.
func (n *Net) activateOver(old *pass, X *mat.Dense) *pass {
	last := len(n.layers) - 1
	p := &pass{net: n, alpha: []*mat.Dense{X}, signal: make([]*mat.Dense, last+1)}
	for l := range last {
		rows, _ := X.Dims()
		var z, slopes *mat.Dense
		if old != nil {
			z, slopes = old.alpha[l+1], old.signal[l]
		} else {
			z, slopes = mat.NewDense(rows, len(n.layers[l].b), nil), mat.NewDense(rows, len(n.layers[l].b), nil)
		}
		n.affineTo(z, l, p.alpha[l])
		n.arch.Activation.apply(z.RawMatrix().Data, slopes.RawMatrix().Data)
		p.alpha, p.signal[l] = append(p.alpha, z), slopes
	}
	p.f = n.affine(last, p.alpha[last]).RawMatrix().Data
	return p
}

// addSignals is the backward half of a pass.
func (p *pass) addSignals() {
	last := len(p.signal) - 1
	p.signal[last] = mat.NewDense(len(p.f), 1, nil)
	for i := range p.f {
		p.signal[last].Set(i, 0, 1)
	}
	for l := last - 1; l >= 0; l-- {
		p.signal[l] = p.net.down(l, p.signal[l+1], p.signal[l])
	}
}

// down is the signal of layer l from that of the next and the slopes of its units, which it may overwrite.
func (n *Net) down(l int, next, slopes *mat.Dense) *mat.Dense {
	rows, cols := slopes.Dims()
	if l+2 == len(n.layers) { // the next signal is all ones
		w := n.layers[l+1].w.RawRowView(0)
		for i := range rows {
			for k, s := range slopes.RawRowView(i) {
				slopes.RawRowView(i)[k] = n.gain(l+1) * w[k] * s
			}
		}
		return slopes
	}
	s := mat.NewDense(rows, cols, nil)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, n.gain(l+1), next.RawMatrix(), n.layers[l+1].w.RawMatrix(), 0,
		s.RawMatrix())
	s.MulElem(s, slopes)
	return s
}

// kernel is the empirical NTK of two batches, Θ̂ = J_a J_bᵀ = Σ_l (σ_W²/d_l α_a α_bᵀ + σ_b²) ∘ (signal_a signal_bᵀ).
func kernel(a, b *pass) *mat.Dense {
	rows, cols := len(a.f), len(b.f)
	total := mat.NewDense(rows, cols, nil)
	addKernel(total, a, b, 0, len(a.net.layers))
	return total
}

// addKernel adds the part of some layers.
func addKernel(total *mat.Dense, a, b *pass, from, end int) {
	rows, _ := total.Dims()
	var left, right mat.Dense
	for l := from; l < end; l++ {
		gram(&left, a.alpha[l], b.alpha[l], a == b)
		gram(&right, a.signal[l], b.signal[l], a == b)
		gain, bias := a.net.gain(l)*a.net.gain(l), a.net.arch.SigmaB*a.net.arch.SigmaB
		for i := range rows {
			t := total.RawRowView(i)
			x := left.RawRowView(i)
			y := right.RawRowView(i)
			for j := range t {
				t[j] += (gain*x[j] + bias) * y[j]
			}
		}
	}
}

// gram is A Bᵀ; where both are the same only half of it is computed.
func gram(dst *mat.Dense, a, b *mat.Dense, same bool) {
	ra, _ := a.Dims()
	rb, _ := b.Dims()
	dst.Reset()
	dst.ReuseAs(ra, rb)
	if !same {
		dst.Mul(a, b.T())
		return
	}
	sym := blas64.Symmetric{N: ra, Stride: rb, Data: dst.RawMatrix().Data, Uplo: blas.Upper}
	blas64.Syrk(blas.NoTrans, 1, a.RawMatrix(), 0, sym)
	for i := range ra {
		for j := range i {
			dst.Set(i, j, dst.At(j, i))
		}
	}
}

// zeros is the zero change of the parameters.
func (n *Net) zeros() []layer {
	d := make([]layer, len(n.layers))
	for l, la := range n.layers {
		r, c := la.w.Dims()
		d[l] = layer{mat.NewDense(r, c, nil), make([]float64, len(la.b))}
	}
	return d
}

// minus is the difference of two networks' parameters.
func (n *Net) minus(o *Net) []layer {
	d := n.zeros()
	for l := range d {
		d[l].w.Sub(n.layers[l].w, o.layers[l].w)
		for k := range d[l].b {
			d[l].b[k] = n.layers[l].b[k] - o.layers[l].b[k]
		}
	}
	return d
}

// plus is the network after a change of its parameters.
func (n *Net) plus(d []layer) *Net {
	next := &Net{arch: n.arch, layers: n.zeros()}
	for l := range d {
		next.layers[l].w.Add(n.layers[l].w, d[l].w)
		for k := range d[l].b {
			next.layers[l].b[k] = n.layers[l].b[k] + d[l].b[k]
		}
	}
	return next
}

// back adds Jᵀv to c times a change of the parameters; v has length n.
func (p *pass) back(v []float64, c float64, d []layer) {
	for l := range d {
		_, in := p.alpha[l].Dims()
		_, cols := p.signal[l].Dims()
		d[l].w.Scale(c, d[l].w)
		floats.Scale(c, d[l].b)
		weighted := mat.NewDense(min(passRows, len(v)), cols, nil)
		for from := 0; from < len(v); from += passRows {
			end := min(from+passRows, len(v))
			part := weighted.Slice(0, end-from, 0, cols).(*mat.Dense)
			for i := from; i < end; i++ {
				floats.ScaleTo(part.RawRowView(i-from), v[i], p.signal[l].RawRowView(i))
				floats.AddScaled(d[l].b, p.net.arch.SigmaB, part.RawRowView(i-from))
			}
			alpha := p.alpha[l].Slice(from, end, 0, in).(*mat.Dense)
			blas64.Gemm(blas.Trans, blas.NoTrans, p.net.gain(l), part.RawMatrix(), alpha.RawMatrix(), 1,
				d[l].w.RawMatrix())
		}
	}
}

// passRows is the number of inputs that products with a pass process at a time, which bounds their additional memory.
const passRows = 128

// forward is Ju, length n, for a change u of the parameters.
func (p *pass) forward(u []layer) []float64 {
	out := make([]float64, len(p.f))
	moved := Net{arch: p.net.arch, layers: u}
	for l := range u {
		_, in := p.alpha[l].Dims()
		for from := 0; from < len(out); from += passRows {
			end := min(from+passRows, len(out))
			z := moved.affine(l, p.alpha[l].Slice(from, end, 0, in).(*mat.Dense))
			for i := from; i < end; i++ {
				out[i] += floats.Dot(p.signal[l].RawRowView(i), z.RawRowView(i-from))
			}
		}
	}
	return out
}

// Gradient is f at one input, with its gradient with respect to the input in grad, length d.
func (n *Net) Gradient(x, grad []float64) float64 {
	last := len(n.layers) - 1
	alpha := x
	slopes := make([][]float64, last)
	for l := range last {
		z := n.affineVec(l, alpha)
		slopes[l] = make([]float64, len(z))
		n.arch.Activation.apply(z, slopes[l])
		alpha = z
	}
	f := n.affineVec(last, alpha)[0]
	signal := []float64{1}
	for l := last; l >= 0; l-- {
		_, in := n.layers[l].w.Dims()
		down := make([]float64, in)
		blas64.Gemv(blas.Trans, n.gain(l), n.layers[l].w.RawMatrix(), vector(signal), 0, vector(down))
		if l > 0 {
			for k, s := range slopes[l-1] {
				down[k] *= s
			}
		}
		signal = down
	}
	copy(grad, signal)
	return f
}

// affineVec is affine for one input.
func (n *Net) affineVec(l int, alpha []float64) []float64 {
	z := make([]float64, len(n.layers[l].b))
	for k, b := range n.layers[l].b {
		z[k] = n.arch.SigmaB * b
	}
	blas64.Gemv(blas.NoTrans, n.gain(l), n.layers[l].w.RawMatrix(), vector(alpha), 1, vector(z))
	return z
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }

// Jacobian is ∂f/∂θ at the rows of X, n×p, for small networks, as a test of the products with it: the layers in order,
// weights by rows and then biases.
func (n *Net) Jacobian(X *mat.Dense) *mat.Dense {
	p := n.run(X)
	rows := len(p.f)
	j := mat.NewDense(rows, n.arch.Params(), nil)
	for i := range rows {
		v := make([]float64, rows)
		v[i] = 1
		d := n.zeros()
		p.back(v, 0, d)
		row := j.RawRowView(i)[:0]
		for _, l := range d {
			row = append(append(row, l.w.RawMatrix().Data...), l.b...)
		}
	}
	return j
}
