package kernel

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Unit is the nonlinearity of a network's hidden units.
type Unit string

// The units whose kernels are known: erf and ReLU in closed form, tanh by quadrature.
const (
	Tanh Unit = "tanh"
	Erf  Unit = "erf"
	ReLU Unit = "relu"
)

// Network describes the two kernels of infinitely wide fully connected networks in the NTK parameterisation of Paria et al. 2022,
// App. A: the covariance of networks at initialization (NNGP) and the neural tangent kernel Θ by which training moves them.
type Network struct {
	Unit           Unit
	Depth          int // hidden layers L ≥ 1
	SigmaW, SigmaB float64
	ZeroLastBias   bool // the last bias starts at 0 and is trained: the NNGP kernel loses σ_b², Θ keeps it
}

// Check returns an error that says what is wrong with the description.
func (n Network) Check() error {
	if n.Unit != Tanh && n.Unit != Erf && n.Unit != ReLU {
		return fmt.Errorf("the units must be tanh, erf or relu, got %q", n.Unit)
	}
	if n.Depth < 1 || !(n.SigmaW > 0) || !(n.SigmaB >= 0) {
		return fmt.Errorf("a network needs at least one hidden layer, σ_W > 0 and σ_b ≥ 0, got %d, %g, %g", n.Depth, n.SigmaW, n.SigmaB)
	}
	return nil
}

// Pair holds both kernels between two sets of inputs, n×m each.
type Pair struct{ NNGP, NTK *mat.Dense }

// Cross is both kernels between the rows of A (n×d) and of B (m×d). Where A and B are the same matrix the result is symmetric to
// the bit. The only error is that of the context.
func (n Network) Cross(ctx context.Context, A, B *mat.Dense) (Pair, error) {
	rows, _ := A.Dims()
	cols, _ := B.Dims()
	p := Pair{mat.NewDense(rows, cols, nil), mat.NewDense(rows, cols, nil)}
	va, vb := n.variances(A), n.variances(B)
	same := A == B
	var wait sync.WaitGroup
	const workers = 2
	for w := range workers {
		wait.Go(func() {
			for i := w; i < rows && ctx.Err() == nil; i += workers {
				from := 0
				if same {
					from = i
				}
				for j := from; j < cols; j++ {
					k, t := n.pair(A.RawRowView(i), B.RawRowView(j), va[i], vb[j], same && i == j)
					p.NNGP.Set(i, j, k)
					p.NTK.Set(i, j, t)
				}
			}
		})
	}
	wait.Wait()
	if same {
		for i := range rows {
			for j := range i {
				p.NNGP.Set(i, j, p.NNGP.At(j, i))
				p.NTK.Set(i, j, p.NTK.At(j, i))
			}
		}
	}
	return p, ctx.Err()
}

// Diag is both kernels at each row of X with itself.
func (n Network) Diag(X *mat.Dense) (nngp, ntk []float64) {
	rows, _ := X.Dims()
	nngp, ntk = make([]float64, rows), make([]float64, rows)
	v := n.variances(X)
	for i := range rows {
		x := X.RawRowView(i)
		nngp[i], ntk[i] = n.pair(x, x, v[i], v[i], true)
	}
	return nngp, ntk
}

// variances is, for every row and hidden layer, the variance Σ(x, x) of what enters the layer's units.
func (n Network) variances(X *mat.Dense) [][]float64 {
	rows, d := X.Dims()
	all := make([][]float64, rows)
	for i := range all {
		x := X.RawRowView(i)
		v := make([]float64, n.Depth)
		v[0] = n.SigmaW*n.SigmaW/float64(d)*dot(x, x) + n.SigmaB*n.SigmaB
		for l := 1; l < n.Depth; l++ {
			second, _ := n.moments(v[l-1], v[l-1], v[l-1], true)
			v[l] = n.SigmaW*n.SigmaW*second + n.SigmaB*n.SigmaB
		}
		all[i] = v
	}
	return all
}

// pair follows the recursion for two inputs: Σ ← σ_W² κ + σ_b², Θ ← Σ + σ_W² κ̇ Θ after every hidden layer.
func (n Network) pair(x, y []float64, vx, vy []float64, same bool) (nngp, ntk float64) {
	w2, b2 := n.SigmaW*n.SigmaW, n.SigmaB*n.SigmaB
	nngp = w2/float64(len(x))*dot(x, y) + b2
	ntk = nngp
	for l := range n.Depth {
		second, slope := n.moments(vx[l], vy[l], nngp, same)
		nngp = w2*second + b2
		ntk = nngp + w2*slope*ntk
	}
	if n.ZeroLastBias {
		nngp -= b2
	}
	return nngp, ntk
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// moments are E φ(u)φ(v) and E φ'(u)φ'(v) of a normal pair with variances a and b and covariance c; same says that u is v.
func (n Network) moments(a, b, c float64, same bool) (second, slope float64) {
	if same {
		b, c = a, a
	}
	if a <= 0 || b <= 0 { // an input that is 0 without bias: u or v is 0
		return n.atZero(a, b)
	}
	switch n.Unit {
	case ReLU:
		return reluMoments(a, b, c, same)
	case Erf:
		return erfMoments(a, b, c)
	}
	return tanhMoments(a, b, c, same)
}

// atZero is moments where a variance is 0: φ(0) = 0 for all three units. ReLU's slope at 0 is taken as ½ of its jump, so that the
// kernel is the limit of its neighbours' on average.
func (n Network) atZero(a, b float64) (second, slope float64) {
	one := func(v float64) float64 { // E φ'(u)
		switch n.Unit {
		case ReLU:
			return 0.5
		case Erf:
			return 2 / math.SqrtPi / math.Sqrt(1+2*v)
		}
		s, _ := normalMean(math.Sqrt(v), func(t float64) (float64, float64) { return 1 - t*t, 0 })
		return s
	}
	return 0, one(max(a, 0)) * one(max(b, 0))
}

// reluMoments are the arc-cosine kernels (Cho & Saul 2009), without the factor 2 of He's scaling.
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

// erfMoments are those of Williams 1997.
func erfMoments(a, b, c float64) (second, slope float64) {
	p := (1 + 2*a) * (1 + 2*b)
	return 2 / math.Pi * math.Asin(min(max(2*c/math.Sqrt(p), -1), 1)), 4 / math.Pi / math.Sqrt(p-4*c*c)
}

// tanhMoments are found by quadrature, u = √a z₁ and v = along·z₁ + across·z₂ with z standard normal.
func tanhMoments(a, b, c float64, same bool) (second, slope float64) {
	root := math.Sqrt(a)
	if same {
		return normalMean(root, func(t float64) (float64, float64) { return t * t, (1 - t*t) * (1 - t*t) })
	}
	along := min(max(c/math.Sqrt(a*b), -1), 1) * math.Sqrt(b)
	across := math.Sqrt(max(b-along*along, 0))
	nodes := trapezoid(across)
	for _, n := range trapezoid(math.Max(root, math.Abs(along))) {
		inner, innerSlope := 0.0, 0.0
		for _, m := range nodes {
			t := tanh(along*n.z + across*m.z)
			inner += m.w * t
			innerSlope += m.w * (1 - t*t)
		}
		t := tanh(root * n.z)
		second += n.w * t * inner
		slope += n.w * (1 - t*t) * innerSlope
	}
	return second, slope
}

// normalMean is the mean of two functions of tanh(s·z), z standard normal.
func normalMean(s float64, f func(t float64) (float64, float64)) (first, second float64) {
	for _, n := range trapezoid(s) {
		x, y := f(tanh(s * n.z))
		first += n.w * x
		second += n.w * y
	}
	return first, second
}

// tanh is math.Tanh within a few 1e-16, by one exponential.
func tanh(x float64) float64 { return 1 - 2/(math.Exp(2*x)+1) }

// node is a point of a quadrature with its weight.
type node struct{ z, w float64 }

// trapezoid lays the trapezoidal rule for the standard normal law, which converges geometrically for functions that are analytic in a
// strip around the real line; s stretches functions that have poles where tanh has.
func trapezoid(s float64) []node {
	const reach = 7.2
	h := trapezoidStep(s)
	n := int(math.Ceil(reach / h))
	nodes := make([]node, 0, 2*n+1)
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := float64(i) * h
		w := math.Exp(-z * z / 2)
		nodes = append(nodes, node{z, w})
		sum += w
	}
	for i := range nodes {
		nodes[i].w /= sum
	}
	return nodes
}

// trapezoidStep is the step for a function of s·z, z standard normal, that has poles where tanh has. Shifting the path of integration
// by d shows an error of exp(−2πd/h + d²/2), for d up to the poles and, were there none, up to 2π/h.
func trapezoidStep(s float64) float64 {
	const order = 37 // −log of the error
	d := math.Sqrt(2 * order)
	if s > 0 {
		d = min(d, math.Pi/(2*s))
	}
	return 2 * math.Pi * d / (order + d*d/2)
}

// NNGPKernel and NTKKernel are the two kernels of a network as covariance functions of their own.
type (
	NNGPKernel struct{ Network }
	NTKKernel  struct{ Network }
)

// whole is Cross for callers that do not stop.
func (n Network) whole(A, B *mat.Dense) Pair {
	p, _ := n.Cross(context.Background(), A, B)
	return p
}

// Gram is the covariance of the rows of X with each other.
func (k NNGPKernel) Gram(X *mat.Dense) *mat.SymDense { return symmetric(k.whole(X, X).NNGP) }

// Cross is the covariance of the rows of A with the rows of B.
func (k NNGPKernel) Cross(A, B *mat.Dense) *mat.Dense { return k.whole(A, B).NNGP }

// Diag is the variance at each row of X.
func (k NNGPKernel) Diag(X *mat.Dense) []float64 { v, _ := k.Network.Diag(X); return v }

// Gram is the covariance of the rows of X with each other.
func (k NTKKernel) Gram(X *mat.Dense) *mat.SymDense { return symmetric(k.whole(X, X).NTK) }

// Cross is the covariance of the rows of A with the rows of B.
func (k NTKKernel) Cross(A, B *mat.Dense) *mat.Dense { return k.whole(A, B).NTK }

// Diag is the variance at each row of X.
func (k NTKKernel) Diag(X *mat.Dense) []float64 { _, v := k.Network.Diag(X); return v }

// symmetric is a matrix that is symmetric already, as such.
func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, m.At(i, j))
		}
	}
	return s
}
