package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
)

// checks are values at x = (0.3, −0.5) and y = (0.8, 0.1), computed outside this package by other quadratures. The rows
// with one layer and σ_W = 1.5 were confirmed by Monte Carlo with 2·10⁷ units.
var checks = []struct {
	unit                Unit
	depth               int
	w, b                float64
	nngp, ntk, kxx, txx float64
}{
	{ReLU, 1, 1.0, 0.0, 0.0642590914242, 0.0942998700837, 0.085, 0.17},
	{ReLU, 1, 1.5, 0.5, 0.843437285709, 1.20881984639, 0.9615625, 1.673125},
	{ReLU, 2, 1.0, 0.0, 0.0376425209896, 0.0698996682762, 0.0425, 0.1275},
	{ReLU, 2, 1.5, 0.5, 1.25086816576, 2.29094008024, 1.3317578125, 3.2140234375},
	{ReLU, 3, 1.0, 0.0, 0.0207575693137, 0.0459670772101, 0.02125, 0.085},
	{ReLU, 3, 1.5, 0.5, 1.69924220128, 3.76809074582, 1.74822753906, 5.36400390625},
	{Erf, 1, 1.0, 0.0, 0.0815695962664, 0.163588522113, 0.163315825406, 0.330311183405},
	{Erf, 1, 1.5, 0.5, 0.774521001002, 1.32381621911, 1.09880124644, 2.06322037098},
	{Erf, 2, 1.0, 0.0, 0.0734075359627, 0.221282941942, 0.158371408311, 0.485457730659},
	{Erf, 2, 1.5, 0.5, 0.931772030474, 2.19383678669, 1.3353513151, 3.88003777454},
	{Erf, 3, 1.0, 0.0, 0.0679596571877, 0.273602013284, 0.154655766199, 0.638275351658},
	{Erf, 3, 1.5, 0.5, 0.99789732261, 2.93843963189, 1.41708200215, 5.83111764997},
	{Tanh, 1, 1.0, 0.0, 0.0655888054874, 0.131476625133, 0.129907054996, 0.262315335422},
	{Tanh, 1, 1.5, 0.5, 0.694616414645, 1.15601466586, 0.954161625049, 1.73462919166},
	{Tanh, 2, 1.0, 0.0, 0.0498746413606, 0.150125657699, 0.104765181949, 0.319010554588},
	{Tanh, 2, 1.5, 0.5, 0.827024723609, 1.84889077058, 1.11799739287, 2.96329637339},
	{Tanh, 3, 1.0, 0.0, 0.0401368474509, 0.161172124176, 0.0876031114039, 0.356769789226},
	{Tanh, 3, 1.5, 0.5, 0.899531577142, 2.47130201905, 1.18290652766, 4.14793652991},
}

func TestNetworkCheckValues(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{0.3, -0.5, 0.8, 0.1})
	for _, c := range checks {
		n := Network{Unit: c.unit, Depth: c.depth, SigmaW: c.w, SigmaB: c.b}
		p := n.whole(X, X)
		for name, v := range map[string][2]float64{
			"NNGP(x,y)": {p.NNGP.At(0, 1), c.nngp}, "NTK(x,y)": {p.NTK.At(0, 1), c.ntk},
			"NNGP(x,x)": {p.NNGP.At(0, 0), c.kxx}, "NTK(x,x)": {p.NTK.At(0, 0), c.txx}} {
			if !scalar.EqualWithinRel(v[0], v[1], 2e-10) {
				t.Errorf("%s L=%d σ_W=%g: %s = %.12g, want %.12g", c.unit, c.depth, c.w, name, v[0], v[1])
			}
		}
	}
}

func inputs(n, d int, scale float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	X := mat.NewDense(n, d, nil)
	for i := range X.RawMatrix().Data {
		X.RawMatrix().Data[i] = scale * (2*rng.Float64() - 1)
	}
	return X
}

func networks() []Network {
	var all []Network
	for _, u := range []Unit{Tanh, Erf, ReLU} {
		for _, l := range []int{1, 3} {
			all = append(all, Network{Unit: u, Depth: l, SigmaW: 1.4, SigmaB: 0.3},
				Network{Unit: u, Depth: l, SigmaW: 2, SigmaB: 0},
				Network{Unit: u, Depth: l, SigmaW: 1, SigmaB: 1, ZeroLastBias: true})
		}
	}
	return all
}

// Both kernels are symmetric and positive semi-definite within rounding, and so is their difference Θ − K. At x = x'
// the cross formula agrees with the diagonal.
func TestNetworkKernelsAreCovariances(t *testing.T) {
	for _, n := range networks() {
		X := inputs(9, 2, 1, 3)
		X.SetRow(8, []float64{0, 0})                                 // the zero input
		X.SetRow(7, []float64{X.At(6, 0) * (1 + 1e-12), X.At(6, 1)}) // nearly the same as another input
		p := n.whole(X, X)
		var difference mat.Dense
		difference.Sub(p.NTK, p.NNGP)
		for name, m := range map[string]*mat.Dense{"NNGP": p.NNGP, "NTK": p.NTK, "NTK − NNGP": &difference} {
			var e mat.EigenSym
			require.True(t, e.Factorize(symmetric(m), false), "%+v: %s has no eigenvalues", n, name)
			if least := e.Values(nil)[0]; least < -1e-9*mat.Trace(m) {
				t.Errorf("%+v: %s has the eigenvalue %g", n, name, least)
			}
			for i := range 9 {
				for j := range 9 {
					if v := m.At(i, j); math.IsNaN(v) || v != m.At(j, i) {
						t.Errorf("%+v: %s is %g and %g at %d,%d", n, name, v, m.At(j, i), i, j)
					}
				}
			}
		}
		copied := mat.DenseCopyOf(X)
		q := n.whole(X, copied)
		k, th := n.Diag(X)
		for i := range 8 { // ReLU's slope at the zero input is a convention
			if !scalar.EqualWithinAbsOrRel(q.NNGP.At(i, i), k[i], 1e-7, 1e-7) ||
				!scalar.EqualWithinAbsOrRel(q.NTK.At(i, i), th[i], 1e-6, 1e-6) {
				t.Errorf("%+v: across %g and %g, on the diagonal %g and %g", n, q.NNGP.At(i, i), q.NTK.At(i, i), k[i],
					th[i])
			}
		}
	}
}

// The last bias removes σ_b² from the NNGP kernel and nothing from the NTK.
func TestZeroLastBias(t *testing.T) {
	X := inputs(4, 3, 1, 4)
	a := Network{Unit: Erf, Depth: 2, SigmaW: 1.3, SigmaB: 0.7}
	b := a
	b.ZeroLastBias = true
	p, q := a.whole(X, X), b.whole(X, X)
	for i := range 4 {
		for j := range 4 {
			if math.Abs(p.NNGP.At(i, j)-q.NNGP.At(i, j)-0.49) > 1e-12 || p.NTK.At(i, j) != q.NTK.At(i, j) {
				t.Errorf("at %d,%d: %g and %g, %g and %g", i, j, p.NNGP.At(i, j), q.NNGP.At(i, j), p.NTK.At(i, j),
					q.NTK.At(i, j))
			}
		}
	}
}

// The moments agree with Monte Carlo over many units of one layer, within five standard errors.
func TestMomentsByMonteCarlo(t *testing.T) {
	phi := map[Unit]func(float64) (float64, float64){
		Tanh: func(x float64) (float64, float64) { y := math.Tanh(x); return y, 1 - y*y },
		Erf:  func(x float64) (float64, float64) { return math.Erf(x), 2 / math.SqrtPi * math.Exp(-x*x) },
		ReLU: func(x float64) (float64, float64) {
			if x > 0 {
				return x, 1
			}
			return 0, 0
		},
	}
	const units = 400_000
	for u, f := range phi {
		for _, v := range [][3]float64{{0.5, 2, 0.7}, {25, 25, 20}, {9, 1, -2.5}} {
			rng := rand.New(rand.NewPCG(5, 6))
			var s1, s2, q1, q2 float64
			for range units {
				z := rng.NormFloat64()
				a := math.Sqrt(v[0]) * z
				b := v[2]/math.Sqrt(v[0])*z + math.Sqrt(v[1]-v[2]*v[2]/v[0])*rng.NormFloat64()
				fa, da := f(a)
				fb, db := f(b)
				s1, q1 = s1+fa*fb, q1+fa*fb*fa*fb
				s2, q2 = s2+da*db, q2+da*db*da*db
			}
			second, slope := (Network{Unit: u}).moments(v[0], v[1], v[2], false)
			check := func(subject string, got, sum, squares float64) {
				mean := sum / units
				se := math.Sqrt((squares/units - mean*mean) / units)
				if math.Abs(got-mean) > 5*se {
					t.Errorf("%s %v: %s is %g, by Monte-Carlo %g ± %g", u, v, subject, got, mean, se)
				}
			}
			check("E φφ", second, s1, q1)
			check("E φ'φ'", slope, s2, q2)
		}
	}
}

// At variance 25, E sech⁴ is 0.1057; 80 Gauss–Hermite nodes give an error of a third.
func TestTanhAtLargeVariance(t *testing.T) {
	if _, slope := (Network{Unit: Tanh}).moments(25, 25, 25, true); math.Abs(slope-0.1057) > 1e-4 {
		t.Errorf("got %g", slope)
	}
	a, b := (Network{Unit: Tanh}).moments(25, 25, 25, true)
	c, d := (Network{Unit: Tanh}).moments(25, 25, 25*(1-1e-13), false)
	if math.Abs(a-c) > 1e-6 || math.Abs(b-d) > 1e-5 {
		t.Errorf("in one dimension %g and %g, in two %g and %g", a, b, c, d)
	}
}

// The tables agree with the quadrature at pairs of variances over all ranges, within a range and between ranges, and at
// correlations up to 1.
func TestTanhTablesAreTheQuadrature(t *testing.T) {
	variances := []float64{1e-8, 0.01, 1.0 / 32, 0.3, 1, 1.7, 4, 30}
	for i, a := range variances {
		second, slope := (Network{Unit: Tanh}).moments(a, a, a, true)
		if wantSecond, wantSlope := tanhMoments(a, a, a, true); math.Abs(second-wantSecond) > tableError ||
			math.Abs(slope-wantSlope) > tableError {
			t.Errorf("variance %g with itself: %.14g and %.14g by table, %.14g and %.14g by quadrature", a, second,
				slope, wantSecond, wantSlope)
		}
		for _, b := range variances[:i+1] {
			for _, rho := range []float64{-1, -0.999, -0.6, 0, 1e-9, 0.3, 0.75, 0.99, 1 - 1e-6, 1 - 1e-13, 1} {
				c := rho * math.Sqrt(a*b)
				wantSecond, wantSlope := tanhMoments(a, b, c, false)
				for _, v := range [2][2]float64{{a, b}, {b, a}} {
					second, slope := (Network{Unit: Tanh}).moments(v[0], v[1], c, false)
					if math.Abs(second-wantSecond) > tableError || math.Abs(slope-wantSlope) > tableError {
						t.Errorf("variances %g and %g, correlation %g: %.14g and %.14g by table, %.14g and %.14g by quadrature",
							v[0], v[1], rho, second, slope, wantSecond, wantSlope)
					}
				}
			}
		}
	}
}

// The derivatives of every form equal differences.
func TestSlopesOfForms(t *testing.T) {
	for _, form := range forms {
		k := Stationary{Form: form, Scale: 1.4, Lengths: []float64{0.3, 0.9}}
		x, y := []float64{0.2, 0.7}, []float64{0.5, 0.1}
		grad := make([]float64, 2)
		if v := k.Slope(x, y, 1, grad); v != k.At(x, y) {
			t.Errorf("%s: %g and %g", form.Name(), v, k.At(x, y))
		}
		for j, want := range fd.Gradient(nil, func(p []float64) float64 {
			return k.At(p, y)
		}, x, &fd.Settings{Formula: fd.Central}) {
			if !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-7, 1e-7) {
				t.Errorf("%s: slope %d is %g, by differences %g", form.Name(), j, grad[j], want)
			}
		}
		assert.Error(t, k.Check(3), "a wrong number of lengthscales is accepted")
	}
}

func BenchmarkNTK1000(b *testing.B) {
	X := inputs(1000, 20, 1, 9)
	for _, u := range []Unit{Tanh, Erf, ReLU} {
		for _, gamma := range []float64{0.5, 2, 10} {
			b.Run(fmt.Sprintf("%s/gamma=%g", u, gamma), func(b *testing.B) {
				n := Network{Unit: u, Depth: 3, SigmaW: gamma, SigmaB: gamma}
				for b.Loop() {
					n.whole(X, X)
				}
			})
		}
	}
}

// One pair of units: by the tables, and by the quadrature that they replace.
func BenchmarkTanhMoments(b *testing.B) {
	const v, c = 8.0, 7.0
	place := newPlace(v)
	r := tableFor(place.of, place.of).row(&place, nil)
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			r.at(&place, c/v)
		}
	})
	b.Run("quadrature", func(b *testing.B) {
		for b.Loop() {
			tanhMoments(v, v, c, false)
		}
	})
}
