package kernel

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A stationary kernel is the Fourier transform of its spectral density (Rasmussen & Williams 2006, §4.2): a normal
// density for the squared exponential, Student's t with 5 degrees of freedom for Matérn 5/2. The test integrates by the
// trapezoidal rule.
func TestKernelsAreTheTransformOfTheirSpectra(t *testing.T) {
	student, normal := distuv.StudentsT{Sigma: 1, Nu: 5}, distuv.UnitNormal
	for form, density := range map[Form]func(float64) float64{SE: normal.Prob, Matern52: student.Prob} {
		k := Stationary{Form: form, Scale: 1.7, Lengths: []float64{0.4, 2.5}}
		for _, c := range [][2][]float64{
			{{0.1, 0.2}, {0.1, 0.2}}, {{0.1, 0.2}, {0.3, 0.2}}, {{0.1, 0.2}, {0.1, 4}}, {{0.9, 3}, {0.2, 1}},
			{{0, 0}, {1.5, 2}}} {
			x, y := c[0], c[1]
			r := math.Hypot((x[0]-y[0])/0.4, (x[1]-y[1])/2.5)
			const h = 0.01
			want := density(0) * h
			for i := 1; i < 40_000; i++ {
				want += 2 * h * density(float64(i)*h) * math.Cos(float64(i)*h*r)
			}
			if want *= 1.7 * 1.7; math.Abs(k.At(x, y)-want) > 1e-8 {
				t.Errorf("%s at %v and %v is %.12g, by its spectrum %.12g", form.Name(), x, y, k.At(x, y), want)
			}
		}
	}
}

// Matrices and diagonals contain the values of the kernel, of inputs with themselves and with others.
func TestMatricesAreTheValues(t *testing.T) {
	A, B := inputs(5, 2, 1, 1), inputs(3, 2, 1, 2)
	network := Network{Unit: Erf, Depth: 2, SigmaW: 1.3, SigmaB: 0.6}
	pair := func(x, y []float64) (nngp, ntk float64) { // one input with another, also where they are the same
		p := network.whole(mat.NewDense(1, 2, append([]float64(nil), x...)),
			mat.NewDense(1, 2, append([]float64(nil), y...)))
		return p.NNGP.At(0, 0), p.NTK.At(0, 0)
	}
	se := Stationary{Form: SE, Scale: 1.4, Lengths: []float64{0.3, 0.9}}
	matern := Stationary{Form: Matern52, Scale: 0.6, Lengths: []float64{0.3, 0.9}}
	for name, c := range map[string]struct {
		k  Kernel
		at func(x, y []float64) float64
	}{
		"se":     {se, se.At},
		"matern": {matern, matern.At},
		"nngp":   {NNGPKernel{network}, func(x, y []float64) float64 { v, _ := pair(x, y); return v }},
		"ntk":    {NTKKernel{network}, func(x, y []float64) float64 { _, v := pair(x, y); return v }},
	} {
		gram, cross, diag := c.k.Gram(A), c.k.Cross(A, B), c.k.Diag(A)
		for i := range 5 {
			for j := range 5 {
				if want := c.at(A.RawRowView(i), A.RawRowView(j)); math.Abs(gram.At(i, j)-want) > 1e-12 {
					t.Errorf("%s: the Gram matrix has %g at %d,%d, want %g", name, gram.At(i, j), i, j, want)
				}
			}
			for j := range 3 {
				if want := c.at(A.RawRowView(i), B.RawRowView(j)); math.Abs(cross.At(i, j)-want) > 1e-12 {
					t.Errorf("%s: across it is %g at %d,%d, want %g", name, cross.At(i, j), i, j, want)
				}
			}
			if want := c.at(A.RawRowView(i), A.RawRowView(i)); math.Abs(diag[i]-want) > 1e-12 {
				t.Errorf("%s: the variance is %g, want %g", name, diag[i], want)
			}
		}
		if r, cols := cross.Dims(); r != 5 || cols != 3 || gram.SymmetricDim() != 5 || len(diag) != 5 {
			t.Errorf("%s: %d×%d, %d and %d", name, r, cols, gram.SymmetricDim(), len(diag))
		}
	}
}

func TestKernelsAreChecked(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		k  Stationary
		ok bool
	}{
		{Stationary{Form: SE, Scale: 1, Lengths: []float64{1, 2}}, true},
		{Stationary{Form: Matern52, Scale: 1e-9, Lengths: []float64{1, 2}}, true},
		{Stationary{Form: nil, Scale: 1, Lengths: []float64{1, 2}}, false},
		{Stationary{Form: SE, Scale: 0, Lengths: []float64{1, 2}}, false},
		{Stationary{Form: SE, Scale: -1, Lengths: []float64{1, 2}}, false},
		{Stationary{Form: SE, Scale: inf, Lengths: []float64{1, 2}}, false},
		{Stationary{Form: SE, Scale: 1, Lengths: []float64{1, 0}}, false},
		{Stationary{Form: SE, Scale: 1, Lengths: []float64{nan, 1}}, false},
		{Stationary{Form: SE, Scale: 1, Lengths: []float64{1, inf}}, false},
		{Stationary{Form: SE, Scale: 1, Lengths: []float64{1}}, false},
	} {
		if err := c.k.Check(2); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.k, err)
		}
	}
	for _, c := range []struct {
		n  Network
		ok bool
	}{
		{Network{Unit: Tanh, Depth: 1, SigmaW: 1}, true},
		{Network{Unit: Erf, Depth: 3, SigmaW: 0.1, SigmaB: 2}, true},
		{Network{Unit: ReLU, Depth: 1, SigmaW: 1}, true},
		{Network{Unit: "gelu", Depth: 1, SigmaW: 1}, false},
		{Network{Unit: Tanh, Depth: 0, SigmaW: 1}, false},
		{Network{Unit: Tanh, Depth: 1}, false},
		{Network{Unit: Tanh, Depth: 1, SigmaW: nan}, false},
		{Network{Unit: Tanh, Depth: 1, SigmaW: 1, SigmaB: -1}, false},
		{Network{Unit: Tanh, Depth: 1, SigmaW: 1, SigmaB: nan}, false},
	} {
		if err := c.n.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X := inputs(3, 2, 1, 1)
	if _, err := (Network{Unit: Tanh, Depth: 1, SigmaW: 1}).Cross(ctx, X, X); err == nil {
		t.Error("the network kernel ignores the canceled context")
	}
}

// Without bias, a network is 0 at the zero input whatever its weights. It does not vary there and its gradient is 0, so
// both kernels are 0.
func TestZeroInputWithoutBias(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{0, 0, 0.5, -0.3, -0.2, 0.9})
	for _, u := range []Unit{Tanh, Erf, ReLU} {
		for _, depth := range []int{1, 2, 4} {
			n := Network{Unit: u, Depth: depth, SigmaW: 1.5}
			p, q := n.whole(X, X), n.whole(X, mat.DenseCopyOf(X))
			nngp, ntk := n.Diag(X)
			for j := range 3 {
				for _, v := range []float64{
					p.NNGP.At(0, j), p.NTK.At(0, j), q.NNGP.At(0, j), q.NTK.At(0, j), q.NNGP.At(j, 0), q.NTK.At(j, 0),
					nngp[0], ntk[0]} {
					if v != 0 {
						t.Errorf("%s, %d layers: a kernel at 0 and %v is %g", u, depth, X.RawRowView(j), v)
					}
				}
			}
			if p.NNGP.At(1, 1) == 0 || p.NTK.At(1, 2) == 0 {
				t.Errorf("%s, %d layers: the kernels are 0 elsewhere", u, depth)
			}
		}
	}
}
