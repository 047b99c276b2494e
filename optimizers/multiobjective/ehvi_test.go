package multiobjective

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/pareto"
	"bandscope/optimizers/testbed"
)

// gained computes the expected hypervolume improvement by inclusion and exclusion over all sets of a few points, with
// the textbook's E max(0, t − z).
func gained(front [][]float64, reference, mean, sd []float64) float64 {
	psi := func(k int, t float64) float64 {
		z := (t - mean[k]) / sd[k]
		return sd[k] * (distuv.UnitNormal.Prob(z) + z*distuv.UnitNormal.CDF(z))
	}
	sum := 0.0
	for set := range 1 << len(front) {
		product := 1.0
		for i := range front {
			if set>>i&1 == 1 {
				product *= -1
			}
		}
		for k, r := range reference {
			corner, term := math.Inf(-1), psi(k, r)
			for i, p := range front {
				if set>>i&1 == 1 {
					corner = max(corner, p[k])
				}
			}
			if set > 0 {
				term -= psi(k, min(corner, r))
			}
			product *= term
		}
		sum += product
	}
	return sum
}

// The expected improvement agrees with inclusion and exclusion, for any number of objectives, and with Monte Carlo over
// outcomes with the hypervolume itself.
func TestExpectedImprovement(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for k := 1; k <= 6; k++ {
		for _, grid := range []bool{false, true} {
			front := randomFront(rng, 7, k, grid)
			reference := slices.Repeat([]float64{0.9}, k)
			x := newImprovement(front, reference)
			before := pareto.Hypervolume(front, reference)
			for range 4 {
				mean, sd := make([]float64, k), make([]float64, k)
				for j := range mean {
					mean[j], sd[j] = 1.2*rng.Float64()-0.2, 0.05+0.4*rng.Float64()
				}
				got := math.Exp(x.log(mean, sd, nil, nil))
				if want := gained(front, reference, mean, sd); math.Abs(got-want) > 1e-9*want+1e-14 {
					t.Errorf("K=%d at %v ± %v: %g, by inclusion and exclusion %g", k, mean, sd, got, want)
				}
				if fast := ExpectedImprovement(front, reference)(mean, sd); math.Abs(fast-got) > 1e-4*got+1e-9 {
					t.Errorf("K=%d at %v ± %v: %g by the table, %g without", k, mean, sd, fast, got)
				}
				const draws = 4000
				values := make([]float64, draws)
				for i := range values {
					p := make([]float64, k)
					for j := range p {
						p[j] = mean[j] + sd[j]*rng.NormFloat64()
					}
					values[i] = pareto.Hypervolume(append(slices.Clone(front), p), reference) - before
				}
				m, s := stat.MeanStdDev(values, nil)
				if se := s / math.Sqrt(draws); math.Abs(got-m) > 5*se+1e-5 { // draws miss rarer outcomes
					t.Errorf("K=%d at %v ± %v: %g, by Monte-Carlo %g ± %g", k, mean, sd, got, m, se)
				}
			}
		}
	}
}

// By the table, a known point adds its own box, and one far beyond the front nothing.
func TestExpectedImprovementOfKnownPoints(t *testing.T) {
	gain := ExpectedImprovement([][]float64{{0.25, 0.25}}, []float64{1, 1})
	for _, c := range []struct{ at, sd, want float64 }{{0.5, 0, 0}, {0.1, 0, 0.81 - 0.5625}, {5, 0.1, 0}, {-1, 1e-9, 4 - 0.5625}} {
		assert.InDelta(t, c.want, gain([]float64{c.at, c.at}, []float64{c.sd, c.sd}), 1e-6, "at %g ± %g it", c.at, c.sd)
	}
}

// Far from the front and close to it the logarithm is accurate (inclusion and exclusion with 400 digits, mpmath 1.4.1),
// and its derivatives equal differences.
func TestExpectedImprovementFarOut(t *testing.T) {
	x := newImprovement([][]float64{{0.1, 0.6, 0.7}, {0.3, 0.3, 0.5}, {0.7, 0.2, 0.2}, {0.5, 0.5, 0.1}},
		[]float64{1, 1, 1})
	for _, c := range []struct {
		mean, sd []float64
		want     float64
	}{
		{[]float64{0.4, 0.4, 0.4}, []float64{0.1, 0.2, 0.3}, -3.420840220979714},
		{[]float64{0.9, 0.9, 0.9}, []float64{0.1, 0.1, 0.1}, -30.46317271562602},
		{[]float64{0.3, 0.3, 0.5}, []float64{0.01, 0.01, 0.01}, -6.028897867512799},
		{[]float64{0.8, 0.7, 0.9}, []float64{0.02, 0.01, 0.03}, -222.4756406031113},
		{[]float64{1.5, 0.1, 0.1}, []float64{0.01, 0.01, 0.01}, -1265.453130638801},
		{[]float64{-2, -1, -1}, []float64{0.01, 0.3, 0.01}, 2.45005642493145},
	} {
		byMean, bySD := make([]float64, 3), make([]float64, 3)
		if got := x.log(c.mean, c.sd, byMean, bySD); math.Abs(got-c.want) > 1e-11*(1+math.Abs(c.want)) {
			t.Errorf("at %v ± %v: %.15g, want %.15g", c.mean, c.sd, got, c.want)
		}
		step := &fd.Settings{Formula: fd.Central, Step: 1e-4 * slices.Min(c.sd)}
		dm := fd.Gradient(nil, func(m []float64) float64 { return x.log(m, c.sd, nil, nil) }, c.mean, step)
		ds := fd.Gradient(nil, func(s []float64) float64 { return x.log(c.mean, s, nil, nil) }, c.sd, step)
		for k := range 3 {
			if math.Abs(byMean[k]-dm[k]) > 1e-4*(1+math.Abs(dm[k])) ||
				math.Abs(bySD[k]-ds[k]) > 1e-4*(1+math.Abs(ds[k])) {
				t.Errorf("at %v ± %v: slopes %v and %v, by differences %v and %v", c.mean, c.sd, byMean, bySD, dm, ds)
				break
			}
		}
	}
}

// If the third of three objectives is the same everywhere, the gain is that of the other two times the distance of the
// third to the reference.
func TestExpectedImprovementEmbeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	two := randomFront(rng, 10, 2, false)
	three := make([][]float64, len(two))
	for i, p := range two {
		three[i] = []float64{p[1], 0.5, p[0]}
	}
	x, y := newImprovement(two, []float64{1.1, 1.2}), newImprovement(three, []float64{1.2, 1, 1.1})
	for range 20 {
		m, s := []float64{rng.Float64(), rng.Float64()}, []float64{0.3 * rng.Float64(), 0.3 * rng.Float64()}
		a := x.log(m, s, nil, nil) + math.Log(1-0.6)
		b := y.log([]float64{m[1], 0.6, m[0]}, []float64{s[1], 1e-3, s[0]}, nil, nil)
		assert.InDelta(t, b, a, 1e-9, "at %v ± %v: %g of three, %g of two", m, s, b, a)
	}
}

// The gradient of the search target equals differences through the processes.
func TestEHVISlopes(t *testing.T) {
	in := testbed.InputFor(t, EHVI, 7, testbed.ObserveAll(t, "dtlz2-k3", 14))
	in.Objectives = 3
	b := testbed.Fit(t, EHVI, in).(*frontBelief)
	valueAt := func(x []float64) float64 {
		v, err := b.gains(context.Background(), mat.NewDense(1, 7, slices.Clone(x)))
		require.NoError(t, err)
		return v[0]
	}
	X := testbed.Probes(4, 7)
	for i := range 4 {
		x, grad := mat.Row(nil, i, X), make([]float64, 7)
		if v := b.gradient(x, grad); math.Abs(v-valueAt(x)) > 1e-9*(1+math.Abs(v)) {
			t.Errorf("%g with the slope, %g without", v, valueAt(x))
		}
		for j, want := range fd.Gradient(nil, valueAt, x, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
			if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("the slope by variable %d is %g, by differences %g", j, grad[j], want)
			}
		}
	}
}
