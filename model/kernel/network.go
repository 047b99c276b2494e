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
	same := A == B
	ea, err := n.entering(ctx, A)
	eb := ea
	if err == nil && !same {
		eb, err = n.entering(ctx, B)
	}
	if err != nil {
		return p, err
	}
	err = parallel.Try(rows, func(i int) error {
		from := 0
		if same {
			from = i
		}
		for j := from; j < cols; j++ {
			k, t := n.pair(A.RawRowView(i), B.RawRowView(j), ea[i], eb[j], same && i == j)
			p.NNGP.Set(i, j, k)
			p.NTK.Set(i, j, t)
		}
		return ctx.Err()
	})
	if same {
		for i := range rows {
			for j := range i {
				p.NNGP.Set(i, j, p.NNGP.At(j, i))
				p.NTK.Set(i, j, p.NTK.At(j, i))
			}
		}
	}
	return p, err
}

// Diag is both kernels at each row of X with itself.
func (n Network) Diag(X *mat.Dense) (nngp, ntk []float64) {
	rows, _ := X.Dims()
	nngp, ntk = make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x := X.RawRowView(i)
		e := entrance{variance: n.variances(x)}
		nngp[i], ntk[i] = n.pair(x, x, e, e, true)
	}
	return nngp, ntk
}

// entrance is what is known of one input at every hidden layer: the variance Σ(x, x) of what enters the layer's units and, for tanh,
// the units' expansion at that variance.
type entrance struct {
	variance []float64
	series   []series
}

// entering finds the entrances of the rows of X. The only error is that of the context.
func (n Network) entering(ctx context.Context, X *mat.Dense) ([]entrance, error) {
	rows, _ := X.Dims()
	all := make([]entrance, rows)
	err := parallel.Try(rows, func(i int) error {
		all[i].variance = n.variances(X.RawRowView(i))
		if n.Unit == Tanh {
			for _, v := range all[i].variance {
				all[i].series = append(all[i].series, expand(v))
			}
		}
		return ctx.Err()
	})
	return all, err
}

// variances is, for every hidden layer, the variance Σ(x, x) of what enters the layer's units.
func (n Network) variances(x []float64) []float64 {
	v := make([]float64, n.Depth)
	v[0] = n.SigmaW*n.SigmaW/float64(len(x))*dot(x, x) + n.SigmaB*n.SigmaB
	for l := 1; l < n.Depth; l++ {
		second, _ := n.moments(v[l-1], v[l-1], v[l-1], true)
		v[l] = n.SigmaW*n.SigmaW*second + n.SigmaB*n.SigmaB
	}
	return v
}

// pair follows the recursion for two inputs: Σ ← σ_W² κ + σ_b², Θ ← Σ + σ_W² κ̇ Θ after every hidden layer.
func (n Network) pair(x, y []float64, ex, ey entrance, same bool) (nngp, ntk float64) {
	w2, b2 := n.SigmaW*n.SigmaW, n.SigmaB*n.SigmaB
	nngp = w2/float64(len(x))*dot(x, y) + b2
	ntk = nngp
	for l := range n.Depth {
		second, slope := n.layer(ex, ey, l, nngp, same)
		nngp = w2*second + b2
		ntk = nngp + w2*slope*ntk
	}
	if n.ZeroLastBias {
		nngp -= b2
	}
	return nngp, ntk
}

// layer is the moments at one layer: from the expansions where there are any that suffice.
func (n Network) layer(ex, ey entrance, l int, c float64, same bool) (second, slope float64) {
	if ex.series != nil && !same {
		if second, slope, ok := mehler(ex.series[l], ey.series[l], c); ok {
			return second, slope
		}
	}
	return n.moments(ex.variance[l], ey.variance[l], c, same)
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
	if a <= 0 || b <= 0 { // an input that is 0 without bias: there the network is 0 whatever its weights, and so are its kernels whatever the slope
		return 0, 0
	}
	switch n.Unit {
	case ReLU:
		return reluMoments(a, b, c, same)
	case Erf:
		return erfMoments(a, b, c)
	}
	return tanhMoments(a, b, c, same)
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
