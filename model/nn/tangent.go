package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Tangent is a change of a network's parameters, or a weight for each of them, to multiply a Jacobian with.
type Tangent struct{ layers []layer }

// NewTangent samples a weight for each parameter from N(0, 1).
func (a Arch) NewTangent(rng *rand.Rand) Tangent {
	a.ZeroLastBias = false
	return Tangent{New(a, rng).layers}
}

// WithoutLast is the tangent with the weights and the bias of the last layer set to 0.
func (t Tangent) WithoutLast() Tangent {
	layers := append([]layer(nil), t.layers...)
	last := &layers[len(layers)-1]
	r, c := last.w.Dims()
	*last = layer{mat.NewDense(r, c, nil), make([]float64, len(last.b))}
	return Tangent{layers}
}

// Plus is the sum of two tangents.
func (t Tangent) Plus(o Tangent) Tangent {
	return Tangent{(&Net{layers: t.layers}).plus(o.layers).layers}
}

// JVP is Ju, length m, where J is ∂f/∂θ at the rows of X (m×d). The derivative is propagated forward with the
// activations, a block of rows at a time, so that no m×p matrix is needed.
func (n *Net) JVP(X *mat.Dense, u Tangent) []float64 {
	m, d := X.Dims()
	out := make([]float64, m)
	along := &Net{arch: n.arch, layers: u.layers}
	last := len(n.layers) - 1
	if last == 1 {
		n.jvpShallow(along, X, out)
		return out
	}
	for from := 0; from < m; from += evalRows {
		alpha := X.Slice(from, min(from+evalRows, m), 0, d).(*mat.Dense)
		var dot *mat.Dense // the derivative of alpha, nil while it is 0
		for l := range n.layers {
			zdot := along.affine(l, alpha)
			if dot != nil {
				blas64.Gemm(blas.NoTrans, blas.Trans, n.gain(l), dot.RawMatrix(), n.layers[l].w.RawMatrix(), 1,
					zdot.RawMatrix())
			}
			if l == last {
				copy(out[from:], zdot.RawMatrix().Data)
				break
			}
			z := n.affine(l, alpha)
			r, c := z.Dims()
			slope := mat.NewDense(r, c, nil)
			n.arch.Activation.apply(z.RawMatrix().Data, slope.RawMatrix().Data)
			zdot.MulElem(zdot, slope)
			alpha, dot = z, zdot
		}
	}
	return out
}

// JVPGradient is Ju at one input x, with its gradient with respect to x in grad, length d: reverse mode over forward
// mode, which uses the activation's second derivative.
func (n *Net) JVPGradient(x []float64, u Tangent, grad []float64) float64 {
	along := &Net{arch: n.arch, layers: u.layers}
	last := len(n.layers) - 1
	type hidden struct{ slope, curve, zdot []float64 }
	units := make([]hidden, last)
	alpha, dot := x, make([]float64, len(x))
	var value float64
	for l := range n.layers {
		zdot := along.affineVec(l, alpha)
		blas64.Gemv(blas.NoTrans, n.gain(l), n.layers[l].w.RawMatrix(), vector(dot), 1, vector(zdot))
		if l == last {
			value = zdot[0]
			break
		}
		z := n.affineVec(l, alpha)
		h := hidden{make([]float64, len(z)), append([]float64(nil), z...), zdot}
		n.arch.Activation.serial(z, h.slope)
		n.arch.Activation.curve(h.curve, z, h.slope)
		alpha, dot = z, make([]float64, len(z))
		for k, s := range h.slope {
			dot[k] = s * zdot[k]
		}
		units[l] = h
	}
	byZ, byDot := []float64{0}, []float64{1} // the derivatives of the value with respect to z and to its derivative
	for l := last; l >= 0; l-- {
		_, in := n.layers[l].w.Dims()
		byAlpha, byAlphaDot := make([]float64, in), make([]float64, in)
		w, v := n.layers[l].w.RawMatrix(), u.layers[l].w.RawMatrix()
		blas64.Gemv(blas.Trans, n.gain(l), w, vector(byZ), 0, vector(byAlpha))
		blas64.Gemv(blas.Trans, n.gain(l), v, vector(byDot), 1, vector(byAlpha))
		if l == 0 {
			copy(grad, byAlpha)
			break
		}
		blas64.Gemv(blas.Trans, n.gain(l), w, vector(byDot), 0, vector(byAlphaDot))
		h := units[l-1]
		byZ, byDot = byAlpha, byAlphaDot
		for k, s := range h.slope {
			byZ[k] = s*byZ[k] + h.curve[k]*h.zdot[k]*byDot[k]
			byDot[k] *= s
		}
	}
	return value
}
