package several

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/pareto"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// randomFront are n random outcomes in [0, 1]^K, not all of them on a front; with grid, on a coarse grid, so that many share a value.
func randomFront(rng *rand.Rand, n, k int, grid bool) [][]float64 {
	front := make([][]float64, n)
	for i := range front {
		front[i] = make([]float64, k)
		for j := range front[i] {
			front[i][j] = rng.Float64()
			if grid {
				front[i][j] = math.Floor(4*front[i][j]) / 4
			}
		}
	}
	return front
}

// The columns cut the space without overlap, and their thresholds are the front's: by asking each point of the front. Of three objectives there are 2n+1, of
// two n+1, where no two points share a value (Dächert et al. 2017).
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 6; k++ {
		for _, grid := range []bool{false, true} {
			front := randomFront(rng, 12, k, grid)
			all := columns(front, k)
			for range 1000 {
				z := make([]float64, k)
				for j := range z {
					z[j] = 1.4*rng.Float64() - 0.2
				}
				want := math.Inf(1)
				for _, p := range front {
					ok := true
					for j := 1; j < k; j++ {
						ok = ok && p[j] <= z[j]
					}
					if ok {
						want = min(want, p[0])
					}
				}
				in := 0
				for _, c := range all {
					ok := true
					for j := 1; j < k; j++ {
						ok = ok && z[j] >= c.lo[j-1] && z[j] < c.hi[j-1]
					}
					if ok {
						in++
						if c.threshold != want {
							t.Fatalf("K=%d: at %v the threshold is %g, want %g", k, z, c.threshold, want)
						}
					}
				}
				if in != 1 {
					t.Fatalf("K=%d: %v lies in %d columns", k, z, in)
				}
			}
			if n := len(pareto.Front(front)); !grid && (k == 2 && len(all) != n+1 || k == 3 && len(all) != 2*n+1) {
				t.Errorf("K=%d: %d columns of %d points", k, len(all), n)
			}
		}
	}
}

// gained is the expected hypervolume improvement by inclusion and exclusion over all sets of a few points, from the textbook's E max(0, t − z).
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

// The expected improvement is that of inclusion and exclusion, for any number of objectives, and of a Monte-Carlo over outcomes with the hypervolume itself.
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
				if se := s / math.Sqrt(draws); math.Abs(got-m) > 5*se+1e-5 { // so many draws see nothing rarer
					t.Errorf("K=%d at %v ± %v: %g, by Monte-Carlo %g ± %g", k, mean, sd, got, m, se)
				}
			}
		}
	}
}

// Far from the front and right at it the logarithm is exact (inclusion and exclusion with 400 digits, mpmath 1.4.1), and its slopes are those of differences.
func TestExpectedImprovementFarOut(t *testing.T) {
	x := newImprovement([][]float64{{0.1, 0.6, 0.7}, {0.3, 0.3, 0.5}, {0.7, 0.2, 0.2}, {0.5, 0.5, 0.1}}, []float64{1, 1, 1})
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
			if math.Abs(byMean[k]-dm[k]) > 1e-4*(1+math.Abs(dm[k])) || math.Abs(bySD[k]-ds[k]) > 1e-4*(1+math.Abs(ds[k])) {
				t.Errorf("at %v ± %v: slopes %v and %v, by differences %v and %v", c.mean, c.sd, byMean, bySD, dm, ds)
				break
			}
		}
	}
}

// Two objectives among three, of which the third is the same everywhere, are two: what is gained is that of the two times the third's distance to the reference.
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
		if math.Abs(a-b) > 1e-9 {
			t.Errorf("at %v ± %v: %g of three, %g of two", m, s, b, a)
		}
	}
}

// The search's slope is that of differences through the processes.
func TestEHVISlopes(t *testing.T) {
	in := testbed.InputFor(t, EHVI, 7, testbed.ObserveAll(t, "dtlz2-k3", 14))
	in.Objectives = 3
	b := testbed.Fit(t, EHVI, in).(*frontBelief)
	at := func(x []float64) float64 {
		v, err := b.gains(context.Background(), mat.NewDense(1, 7, slices.Clone(x)))
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	X := testbed.Probes(4, 7)
	for i := range 4 {
		x, grad := mat.Row(nil, i, X), make([]float64, 7)
		if v := b.gradient(x, grad); math.Abs(v-at(x)) > 1e-9*(1+math.Abs(v)) {
			t.Errorf("%g with the slope, %g without", v, at(x))
		}
		for j, want := range fd.Gradient(nil, at, x, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
			if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("the slope by variable %d is %g, by differences %g", j, grad[j], want)
			}
		}
	}
}

// The gain of a bound by hand, for a front {(0, 1), (1, 0)} with the reference (2, 2) and ε = 1/(2 + ¾·8) = 1/8: a point that adds, ones that a point of
// the front dominates by 0.2 and 1.1 or by 1.2 and 0.1, and one that it dominates but for less than ε.
func TestSMSGain(t *testing.T) {
	b := &frontBelief{belief: &belief{in: optimizers.Input{Objectives: 2, Budget: 20, Step: 12}}, front: [][]float64{{0, 1}, {1, 0}}, reference: []float64{2, 2}}
	near := b.nearness()
	if math.Abs(near[0]-0.125) > 1e-15 || math.Abs(near[1]-0.125) > 1e-15 {
		t.Errorf("ε is %v", near)
	}
	for _, c := range []struct {
		point []float64
		want  float64
	}{
		{[]float64{0.5, 0.5}, 0.25},
		{[]float64{-1, -1}, 9 - 3},
		{[]float64{1.2, 1.1}, -(1.2*2.1 - 1)}, // of the two that dominate it the one that it is worse than by more: 2.2·1.1 − 1 is 1.42
		{[]float64{0.2, 1.1}, -(1.2*1.1 - 1)},
		{[]float64{0.2, 0.9}, -0.2}, // dominated but for 0.1
		{[]float64{0.2, 0.8}, 0.8 * 0.2},
	} {
		if got := b.added(c.point, near); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v gains %g, want %g", c.point, got, c.want)
		}
	}
}

// Under noise the front is that of what the model believes of the data, not of its lucky observations; without noise it is that of the observations.
func TestFrontUnderNoise(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 3))
	data := testbed.ObserveAll(t, "schaffer", 30)
	for i := range data.Y.RawMatrix().Data {
		data.Y.RawMatrix().Data[i] += 0.5 * rng.NormFloat64()
	}
	for _, spec := range []optimizers.Spec{EHVI, SMSEGO, MOEADEGO, PESMO} {
		for _, noise := range []string{"0.3", "1e-4"} {
			in := testbed.InputFor(t, spec, 1, data, "noise=fixed", "noise_sd="+noise)
			in.Objectives = 2
			belief := testbed.Fit(t, spec, in)
			b, ok := belief.(*frontBelief)
			if !ok {
				b = belief.(*informationBelief).frontBelief
			}
			bands, err := b.Predict(ctx, data.X)
			if err != nil {
				t.Fatal(err)
			}
			var points [][]float64
			for i := range 30 {
				y := mat.Row(nil, i, data.Y)
				if noise == "0.3" {
					y = []float64{bands[0].Mean[i], bands[1].Mean[i]}
				}
				points = append(points, b.outcomesOf(y))
			}
			front := pareto.Front(points)
			if len(front) != len(b.front) {
				t.Fatalf("%s, noise %s: the front has %d points, want %d", spec.Name, noise, len(b.front), len(front))
			}
			for n, i := range front {
				for k, v := range points[i] {
					if math.Abs(b.front[n][k]-v) > 1e-9 {
						t.Fatalf("%s, noise %s: the front has %v, want %v", spec.Name, noise, b.front[n], points[i])
					}
				}
			}
		}
	}
}
