package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// HiddenFeatures are the activations of the last hidden layer at the rows of X (n×d), each divided by √m, and a
// constant 1: n×(m+1). A linear function of them is a network with another last layer.
func (n *Net) HiddenFeatures(X *mat.Dense) *mat.Dense {
	rows, _ := X.Dims()
	alpha := n.hidden(X)
	m := n.arch.Hidden[len(n.arch.Hidden)-1]
	out := mat.NewDense(rows, m+1, nil)
	for i := range rows {
		row := out.RawRowView(i)
		for k, v := range alpha.RawRowView(i) {
			row[k] = v / math.Sqrt(float64(m))
		}
		row[m] = 1
	}
	return out
}

// hidden are the activations of the last hidden layer at the rows of X (n×d), n×m.
func (n *Net) hidden(X *mat.Dense) *mat.Dense {
	alpha := X
	for l := range n.arch.Hidden {
		alpha = n.affine(l, alpha)
		n.arch.Activation.apply(alpha.RawMatrix().Data, nil)
	}
	return alpha
}

// Head is a linear function of a network's features.
type Head struct {
	net  *Net
	bias float64
}

// WithHead is the linear function of the features with weights w, of length m+1.
func (n *Net) WithHead(w []float64) Head {
	m := len(w) - 1
	last := layer{mat.NewDense(1, m, nil), make([]float64, 1)}
	for k := range m {
		last.w.Set(0, k, w[k]/n.arch.SigmaW)
	}
	layers := append(append([]layer(nil), n.layers[:len(n.layers)-1]...), last)
	return Head{&Net{arch: n.arch, layers: layers}, w[m]}
}

// Eval is the function at the rows of X.
func (h Head) Eval(X *mat.Dense) []float64 {
	v := h.net.Eval(X)
	for i := range v {
		v[i] += h.bias
	}
	return v
}

// Gradient is the function at one input with its gradient.
func (h Head) Gradient(x, grad []float64) float64 { return h.net.Gradient(x, grad) + h.bias }
