package kernel

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
)

// Unit is the nonlinearity of a network's hidden units.
type Unit string

// The units whose kernels are known: erf and ReLU in closed form, tanh by tables.
const (
	Tanh Unit = "tanh"
	Erf  Unit = "erf"
	ReLU Unit = "relu"
)

// Network describes the two kernels of infinitely wide fully connected networks in the NTK parameterization of Paria et
// al. 2022, App. A: the covariance of networks at initialization (NNGP) and the neural tangent kernel Θ of their
// training.
type Network struct {
	Unit           Unit
	Depth          int // hidden layers L ≥ 1
	SigmaW, SigmaB float64
	ZeroLastBias   bool // the last bias starts at 0 and is trained: the NNGP kernel loses σ_b², Θ keeps it
}

// Check returns an error for an invalid network.
func (n Network) Check() error {
	if n.Unit != Tanh && n.Unit != Erf && n.Unit != ReLU {
		return fmt.Errorf("the units must be tanh, erf or relu, got %q", n.Unit)
	}
	if n.Depth < 1 || !(n.SigmaW > 0) || !(n.SigmaB >= 0) {
		return fmt.Errorf("a network needs at least one hidden layer, σ_W > 0 and σ_b ≥ 0, got %d, %g, %g", n.Depth,
			n.SigmaW, n.SigmaB)
	}
	return nil
}

// Kernels holds both kernels between two sets of inputs, n×m each.
type Kernels struct{ NNGP, NTK *mat.Dense }

// rowsAtOnce is the number of matrix rows that are computed one after the other in the same memory.
const rowsAtOnce = 8

// Inputs are the rows of a matrix (n×d) with the quantities of each input that the kernels need, computed once for
// several calls.
type Inputs struct {
	x      *mat.Dense
	layers []layerInputs
}

// Cross returns both kernels between the rows of A (n×d) and of B (m×d). If A and B are the same matrix, the result is
// symmetric to the last bit. The only error is that of the context.
func (n Network) Cross(ctx context.Context, A, B *mat.Dense) (Kernels, error) {
	a := n.Prepare(A)
	if A == B {
		return n.CrossPrepared(ctx, a, a)
	}
	return n.CrossPrepared(ctx, a, n.Prepare(B))
}

// CrossPrepared is Cross for inputs that Prepare has processed.
func (n Network) CrossPrepared(ctx context.Context, a, b *Inputs) (Kernels, error) {
	rows, d := a.x.Dims()
	cols, _ := b.x.Dims()
	same := a == b
	if n.Unit == Tanh && rows > cols { // the fixed work per row pays off for long rows
		p, err := n.CrossPrepared(ctx, b, a)
		return Kernels{mat.DenseCopyOf(p.NNGP.T()), mat.DenseCopyOf(p.NTK.T())}, err
	}
	p := Kernels{mat.NewDense(rows, cols, nil), mat.NewDense(rows, cols, nil)}
	p.NNGP.Mul(a.x, b.x.T())
	w2, b2 := n.SigmaW*n.SigmaW, n.SigmaB*n.SigmaB
	err := parallel.Try((rows+rowsAtOnce-1)/rowsAtOnce, func(block int) error {
		var memory rowTables
		for i := block * rowsAtOnce; i < min((block+1)*rowsAtOnce, rows); i++ {
			from := 0
			if same {
				from = i
			}
			k, t := p.NNGP.RawRowView(i)[from:], p.NTK.RawRowView(i)[from:]
			for j := range k {
				k[j] = w2/float64(d)*k[j] + b2
				t[j] = k[j]
			}
			for l := range n.Depth {
				n.propagate(a.layers[l], i, b.layers[l].skipFirst(from), k, t, &memory)
			}
			if same {
				k[0], t[0] = n.diagAt(a.layers, i)
			}
			if n.ZeroLastBias {
				for j := range k {
					k[j] -= b2
				}
			}
		}
		return ctx.Err()
	})
	if same {
		symmetrize(p.NNGP)
		symmetrize(p.NTK)
	}
	return p, err
}

// symmetrize copies the upper triangle to the lower one.
func symmetrize(m *mat.Dense) {
	n, _ := m.Dims()
	for i := range n {
		row := m.RawRowView(i)
		for j := range i {
			row[j] = m.At(j, i)
		}
	}
}

// Diag returns both kernels at each row of X with itself.
func (n Network) Diag(X *mat.Dense) (nngp, ntk []float64) { return n.DiagPrepared(n.Prepare(X)) }

// DiagPrepared is Diag for inputs that Prepare has processed.
func (n Network) DiagPrepared(a *Inputs) (nngp, ntk []float64) {
	rows, _ := a.x.Dims()
	nngp, ntk = make([]float64, rows), make([]float64, rows)
	for i := range rows {
		nngp[i], ntk[i] = n.diagAt(a.layers, i)
		if n.ZeroLastBias {
			nngp[i] -= n.SigmaB * n.SigmaB
		}
	}
	return nngp, ntk
}

// layerInputs holds quantities of single inputs at one hidden layer.
type layerInputs struct {
	variance []float64 // Σ(x, x) at the inputs of the layer's units
	second   []float64 // the moments of an input with itself
	slope    []float64
	places   []place // of the variances in the tables of tanh
}

// skipFirst returns the layerInputs without the inputs before from.
func (e layerInputs) skipFirst(from int) layerInputs {
	e.variance = e.variance[from:]
	if e.places != nil {
		e.places = e.places[from:]
	}
	return e
}

// Prepare computes the Inputs of the rows of X (n×d) for this network.
func (n Network) Prepare(X *mat.Dense) *Inputs {
	rows, d := X.Dims()
	in := &Inputs{x: X, layers: make([]layerInputs, n.Depth)}
	for l := range in.layers {
		in.layers[l] = layerInputs{variance: make([]float64, rows), second: make([]float64, rows),
			slope: make([]float64, rows)}
		if n.Unit == Tanh {
			in.layers[l].places = make([]place, rows)
		}
	}
	for i := range rows {
		x := X.RawRowView(i)
		second := dot(x, x) / float64(d)
		for _, e := range in.layers {
			v := n.SigmaW*n.SigmaW*second + n.SigmaB*n.SigmaB
			if n.Unit == Tanh {
				e.places[i] = newPlace(v)
			}
			second, e.slope[i] = n.moments(v, v, v, true)
			e.variance[i], e.second[i] = v, second
		}
	}
	return in
}

// diagAt returns both kernels of an input with itself, by the recursion over the layers.
func (n Network) diagAt(e []layerInputs, i int) (nngp, ntk float64) {
	nngp = e[0].variance[i]
	ntk = nngp
	for _, l := range e {
		nngp, ntk = n.step(l.second[i], l.slope[i], ntk)
	}
	return nngp, ntk
}

// step is one step of the recursion, at a hidden layer: Σ ← σ_W² κ + σ_b², Θ ← Σ + σ_W² κ̇ Θ.
func (n Network) step(second, slope, ntk float64) (nngp, after float64) {
	w2 := n.SigmaW * n.SigmaW
	nngp = w2*second + n.SigmaB*n.SigmaB
	return nngp, nngp + w2*slope*ntk
}

// propagate computes both kernels of input i with many others after a hidden layer.
func (n Network) propagate(a layerInputs, i int, others layerInputs, nngp, ntk []float64, memory *rowTables) {
	if n.Unit == Tanh {
		memory.reset()
		root := math.Sqrt(a.variance[i])
		for j, b := range others.variance {
			second, slope := 0.0, 0.0
			if r := root * math.Sqrt(b); r > 0 { // otherwise as in moments
				second, slope = memory.rowFor(&a.places[i], &others.places[j]).
					at(&others.places[j], min(max(nngp[j]/r, -1), 1))
				second *= r
			}
			nngp[j], ntk[j] = n.step(second, slope, ntk[j])
		}
		return
	}
	for j, b := range others.variance {
		second, slope := n.moments(a.variance[i], b, nngp[j], false)
		nngp[j], ntk[j] = n.step(second, slope, ntk[j])
	}
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// moments returns E φ(u)φ(v) and E φ'(u)φ'(v) of a normal pair with variances a and b and covariance c; same means that
// u is v.
func (n Network) moments(a, b, c float64, same bool) (second, slope float64) {
	if same {
		b, c = a, a
	}
	if a <= 0 || b <= 0 {
		// For an input of 0 without bias, the network is 0 whatever its weights, and so are its kernels, whatever the
		// slope.
		return 0, 0
	}
	switch n.Unit {
	case ReLU:
		return reluMoments(a, b, c, same)
	case Erf:
		return erfMoments(a, b, c)
	}
	if same {
		x := newPlace(a)
		second, slope = diagTableFor(x.of).at(&x)
		return a * second, slope
	}
	r := math.Sqrt(a) * math.Sqrt(b)
	x, y := newPlace(a), newPlace(b)
	second, slope = tableFor(x.of, y.of).row(&x, nil).at(&y, min(max(c/r, -1), 1))
	return r * second, slope
}

// reluMoments returns the arc-cosine kernels (Cho & Saul 2009), without the factor 2 of He's scaling.
func reluMoments(a, b, c float64, same bool) (second, slope float64) {
	if same {
		return a / 2, 0.5
	}
	r := math.Sqrt(a * b)
	cos := min(max(c/r, -1), 1)
	theta := math.Acos(cos)
	sin := math.Sqrt((1 - cos) * (1 + cos))
	return r / (2 * math.Pi) * (sin + (math.Pi-theta)*cos), (math.Pi - theta) / (2 * math.Pi)
}

// erfMoments returns the moments for erf (Williams 1997).
func erfMoments(a, b, c float64) (second, slope float64) {
	p := (1 + 2*a) * (1 + 2*b)
	return 2 / math.Pi * math.Asin(min(max(2*c/math.Sqrt(p), -1), 1)), 4 / math.Pi / math.Sqrt(p-4*c*c)
}
