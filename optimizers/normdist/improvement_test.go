package normdist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// The expected improvement is an integral over the normal law, in whatever units.
func TestExpectedImprovementIsTheIntegral(t *testing.T) {
	for _, c := range [][3]float64{{0, 1, 0}, {0, 1, 1.3}, {5, 2, 3}, {-100, 30, -140}, {0.2, 0.01, 0.21}} {
		law := distuv.Normal{Mu: c[0], Sigma: c[1]}
		want := quad.Fixed(func(f float64) float64 { return (c[2] - f) * law.Prob(f) }, c[0]-12*c[1], c[2], 400, nil, 0)
		if got := ExpectedImprovement(c[0], c[1], c[2]); math.Abs(got-want) > 1e-9*(c[1]+want) {
			t.Errorf("below %g of %g ± %g it is %g, want %g", c[2], c[0], c[1], got, want)
		}
	}
}

// The probability of an improvement is the share of draws below the target, and to full precision that of the tail far
// out: Φ(z) → φ(z)/|z| (1 − 1/z²). Its derivatives are those by differences.
func TestLogImprovementProbability(t *testing.T) {
	for _, c := range [][3]float64{{0, 1, 0}, {2, 0.5, 1.3}, {-1, 3, 0.4}} {
		law, below := distuv.Normal{Mu: c[0], Sigma: c[1], Src: rand.NewPCG(1, 2)}, 0.0
		const draws = 40000
		for range draws {
			if law.Rand() < c[2] {
				below += 1.0 / draws
			}
		}
		v, dmean, dsd := LogImprovementProbability(c[0], c[1], c[2])
		assert.InDelta(t, below, math.Exp(v), 4*0.5/math.Sqrt(draws))
		at := func(mean, sd float64) float64 { v, _, _ := LogImprovementProbability(mean, sd, c[2]); return v }
		const h = 1e-6
		assert.InDelta(t, (at(c[0]+h, c[1])-at(c[0]-h, c[1]))/(2*h), dmean, 1e-7)
		assert.InDelta(t, (at(c[0], c[1]+h)-at(c[0], c[1]-h))/(2*h), dsd, 1e-7)
	}
	v, dmean, dsd := LogImprovementProbability(0, 1, -1e4)
	assert.InEpsilon(t, -5e7-LogSqrt2Pi-math.Log(1e4), v, 1e-12)
	assert.InEpsilon(t, -1e4, dmean, 1e-7)
	assert.InEpsilon(t, 1e8, dsd, 1e-7)
	for mean, want := range map[float64]float64{0: 0, 2: math.Inf(-1)} {
		v, dmean, dsd := LogImprovementProbability(mean, 0, 1)
		assert.Equal(t, []float64{want, 0, 0}, []float64{v, dmean, dsd})
	}
}

// logImprovementByQuadrature integrates (y* − f) against the normal density, scaled by its value at z so that nothing
// underflows.
func logImprovementByQuadrature(mean, sd, best float64) float64 {
	z := (best - mean) / sd
	// With f = mean + sd·u, u from −∞ to z: ∫ sd (z − u) φ(u) du; substitute u = z − v, v ≥ 0:
	// φ(z−v) = φ(z) exp(zv − v²/2), so log EI = log sd + log φ(z) + log ∫ v exp(zv − v²/2) dv.
	peak := 0.0
	if z > 0 {
		peak = z * z / 2
	}
	width := 12.0
	if z < -3 {
		width = 40 / -z
	} else if z > 0 {
		width = z + 12
	}
	integral := quad.Fixed(func(v float64) float64 { return v * math.Exp(z*v-v*v/2-peak) }, 0, width, 400, nil, 0)
	return math.Log(sd) - z*z/2 - 0.5*math.Log(2*math.Pi) + peak + math.Log(integral)
}

func TestLogImprovementEqualsQuadrature(t *testing.T) {
	for _, z := range []float64{-300, -50, -10, -5, -2, -1.001, -0.999, -0.5, 0, 0.3, 1, 3, 8} {
		mean, sd := 1.7, 0.6
		best := mean + z*sd
		got, _, _ := LogImprovement(mean, sd, best)
		if want := logImprovementByQuadrature(mean, sd, best); !scalar.EqualWithinAbsOrRel(got, want, 1e-10, 1e-10) {
			t.Errorf("z = %g: got %.14g, by quadrature %.14g", z, got, want)
		}
	}
}

// Far out, h(z) → φ(z)/z² (1 − 3/z² + …).
func TestLogImprovementFarOut(t *testing.T) {
	for _, z := range []float64{-1e3, -1e5, -1e8} {
		got, _, _ := LogImprovement(0, 1, z)
		want := -z*z/2 - 0.5*math.Log(2*math.Pi) - 2*math.Log(-z)
		if math.IsInf(got, 0) || !scalar.EqualWithinRel(got, want, 1e-6) {
			t.Errorf("z = %g: got %g, want %g", z, got, want)
		}
	}
}

func TestLogImprovementDerivatives(t *testing.T) {
	const h = 1e-5
	for _, best := range []float64{-30, -4, -0.7, -0.3, 0.4, 2} {
		mean, sd := 0.2, 0.9
		_, dm, ds := LogImprovement(mean, sd, best)
		valueAt := func(m, s float64) float64 { v, _, _ := LogImprovement(m, s, best); return v }
		if want := (valueAt(mean+h, sd) - valueAt(mean-h, sd)) / (2 * h); !scalar.EqualWithinAbsOrRel(dm, want, 1e-6, 1e-6) {
			t.Errorf("y* = %g: derivative by the mean is %g, by differences %g", best, dm, want)
		}
		if want := (valueAt(mean, sd+h) - valueAt(mean, sd-h)) / (2 * h); !scalar.EqualWithinAbsOrRel(ds, want, 1e-6, 1e-6) {
			t.Errorf("y* = %g: derivative by the sd is %g, by differences %g", best, ds, want)
		}
	}
}

func TestLogImprovementIsContinuous(t *testing.T) {
	a, _, _ := LogImprovement(0, 1, -1-1e-9)
	b, _, _ := LogImprovement(0, 1, -1+1e-9)
	assert.InDelta(t, b, a, 1e-8, "it jumps from %g to %g at z = −1", a, b)
}

func TestLogImprovementWithoutUncertainty(t *testing.T) {
	if v, _, _ := LogImprovement(2, 0, 1); !math.IsInf(v, -1) {
		t.Errorf("above the incumbent: got %g, want −Inf", v)
	}
	if v, _, _ := LogImprovement(1, 0, 3); !scalar.EqualWithinAbs(v, math.Log(2), 1e-15) {
		t.Errorf("below the incumbent: got %g, want log 2", v)
	}
}
