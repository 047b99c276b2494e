package inspection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/transform"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// drawn are data of a process with known hyper-parameters over [0, 1], with noise.
func drawn(t *testing.T, n int, length, noise float64, rng *rand.Rand) (*mat.Dense, []float64, kernel.Stationary) {
	t.Helper()
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, rng.Float64())
	}
	k := kernel.Stationary{Form: kernel.SE, Lengths: []float64{length}, Scale: 1}
	prior, err := gp.New(k, noise, nil, nil)
	require.NoError(t, err)
	f, err := prior.Sample(t.Context(), x, 1, rng)
	require.NoError(t, err)
	y := mat.Row(nil, 0, f)
	for i := range y {
		y[i] += noise * rng.NormFloat64()
	}
	return x, y, k
}

// Of a process that is right, over 200 draws, each band covers what it promises within what as many independent data
// would be off by, those that are left out of its data and new ones.
func TestCoverageOfARightProcess(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const draws, n, noise = 200, 12, 0.1
	inside, fresh, bins := make([]int, 3), make([]int, 3), make([]int, 5)
	for range draws {
		x, y, k := drawn(t, n+1, 0.2, noise, rng)
		g, err := gp.New(k, noise, x.Slice(0, n, 0, 1).(*mat.Dense), y[:n])
		require.NoError(t, err)
		mean, sd, err := g.LeaveOneOut()
		require.NoError(t, err)
		index := rng.IntN(n) // one of each draw, so that they are independent
		predictions := newPredictions(y[index:index+1], mean[index:index+1], sd[index:index+1], nil)
		m, s, err := g.Predict(t.Context(), x.Slice(n, n+1, 0, 1).(*mat.Dense))
		require.NoError(t, err)
		new := newPredictions(y[n:], m, []float64{math.Hypot(s[0], noise)}, nil)
		for l := range Levels {
			inside[l] += predictions.Coverage()[l].Inside
			fresh[l] += new.Coverage()[l].Inside
		}
		for b, count := range predictions.Histogram(len(bins)) {
			bins[b] += count
		}
	}
	for l, p := range Levels {
		for name, count := range map[string]int{"left out": inside[l], "new": fresh[l]} {
			if off := math.Abs(float64(count) - draws*p); off > 3*math.Sqrt(draws*p*(1-p)) {
				t.Errorf("of %d data, %s, %d are inside of the band of %g", draws, name, count, p)
			}
		}
	}
	squares := 0.0
	for _, c := range bins {
		squares += math.Pow(float64(c)-draws/5.0, 2) / (draws / 5.0)
	}
	if squares > (distuv.ChiSquared{K: 4}).Quantile(0.999) {
		t.Errorf("the probability integral transform is not uniform: %v", bins)
	}
}

// A histogram passes over values of which nothing was said.
func TestHistogramWithoutValues(t *testing.T) {
	if got := (Predictions{Z: []float64{math.NaN(), 0, math.Inf(1), math.Inf(-1)}}).
		Histogram(2); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v", got)
	}
}

// What is said of each datum by the closed form is what processes say that never saw it, with the same
// hyper-parameters: its residual, the probability of less, and its density.
func TestHeldIsBruteForce(t *testing.T) {
	const n, noise = 9, 0.3
	x, y, k := drawn(t, n, 0.2, noise, rand.New(rand.NewPCG(5, 6)))
	g, err := gp.New(k, noise, x, y)
	require.NoError(t, err)
	mean, sd, err := g.LeaveOneOut()
	require.NoError(t, err)
	held := FromResiduals([]optimizers.Residuals{{Mean: mean, SD: sd}},
		optimizers.Data{X: x, Y: mat.NewDense(n, 1, y)})[0]
	score, pit := 0.0, held.PIT()
	for i := range n {
		others, err := gp.New(k, noise, optimizers.Data{X: x, Y: mat.NewDense(n, 1, slices.Clone(y))}.Without(i).X,
			slices.Delete(slices.Clone(y), i, i+1))
		require.NoError(t, err)
		m, s, err := others.Predict(t.Context(), x.Slice(i, i+1, 0, 1).(*mat.Dense))
		require.NoError(t, err)
		wide := math.Sqrt(s[0]*s[0] + noise*noise)
		z := (y[i] - m[0]) / wide
		if less := math.Erfc(-z/math.Sqrt2) / 2; math.Abs(held.Z[i]-z) > 1e-8 || math.Abs(pit[i]-less) > 1e-8 {
			t.Errorf("datum %d: %g and %g, by brute force %g and %g", i, held.Z[i], pit[i], z, less)
		}
		score += -z*z/2 - math.Log(wide*math.Sqrt(2*math.Pi))
	}
	if math.Abs(held.LogScore()-score) > 1e-8 {
		t.Errorf("the log score is %g, by brute force %g", held.LogScore(), score)
	}
}

// The line that says what is wrong is silent for 99 of 100 data sets of a model whose hyper-parameters are fitted, and
// is not where the noise is taken for a tenth of what it is.
func TestAlarmIsSilent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const draws = 100
	false_, missed := 0, 0
	for i := range draws {
		x, y, k := drawn(t, []int{8, 12, 16}[i%3], []float64{0.1, 0.2, 0.4}[i/3%3], 0.2, rng)
		fitted, err := gp.Fit(t.Context(), x, y, 1,
			gp.Options{Form: kernel.SE, FitNoise: true, Priors: &gp.WeakPriors, Starts: 1}, rng)
		require.NoError(t, err)
		sure, err := gp.New(k, 0.02, x, y)
		require.NoError(t, err)
		for count, g := range map[*int]*gp.GP{&false_: fitted, &missed: sure} {
			mean, sd, err := g.LeaveOneOut()
			require.NoError(t, err)
			if _, alarm := newPredictions(y, mean, sd, nil).Alarm(); alarm {
				*count++
			}
		}
	}
	if false_ > 1 {
		t.Errorf("%d false alarms in %d", false_, draws)
	}
	if missed < draws/2 {
		t.Errorf("a noise that is ten times too small is seen in %d of %d", missed, draws)
	}
}

// What raises an alarm, and how it is said.
func TestAlarm(t *testing.T) {
	for _, c := range []struct {
		z    []float64
		want string
	}{
		{slices.Concat(slices.Repeat([]float64{3}, 4), slices.Repeat([]float64{0.9}, 8)),
			"the band is too narrow: 4 of 12 results outside 95 %"},
		{slices.Concat(slices.Repeat([]float64{-3}, 3), slices.Repeat([]float64{0.9}, 9)), ""},
		{slices.Repeat([]float64{0.1}, 12), "the band is too wide: 12 of 12 results inside 50 %"},
		{slices.Repeat([]float64{0.1}, 10), ""},
		{slices.Repeat([]float64{9}, 7), ""},
		{slices.Repeat([]float64{9}, 8), "the band is too narrow: 8 of 8 results outside 95 %"},
	} {
		n := len(c.z)
		a, alarm := newPredictions(c.z, make([]float64, n), slices.Repeat([]float64{1}, n), nil).Alarm()
		if alarm != (c.want != "") || alarm && a.String() != c.want {
			t.Errorf("%v: %q, want %q", c.z, a, c.want)
		}
	}
}

// Known intervals: of 0 of 10 and 5 of 10 by R's binom.test (4.3), the first in closed form 1 − 0.025^(1/10).
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.3084971}, {5, 10, 0.1870860, 0.8129140}, {10, 10, 0.6915029, 1}, {11, 12, 0.6152038, 0.9978924}} {
		if low, high := ClopperPearson(c.k, c.n); math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("%d of %d: %g to %g, want %g to %g", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

// What is estimated from a few draws is Student's: bands of M draws cover a further one as often as they promise, the
// density integrates to 1, and more degrees of freedom are the normal law.
func TestFewDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const m, trials = 3, 4000
	inside := make([]int, len(Levels))
	for range trials {
		d := make([]float64, m)
		sum, squares := 0.0, 0.0
		for i := range d {
			d[i] = 3 + 2*rng.NormFloat64()
			sum += d[i] / m
		}
		for _, v := range d {
			squares += (v - sum) * (v - sum) / (m - 1)
		}
		p := predictionFor(sum, math.Sqrt(squares), m)
		mean, sd, freedom := p.observation(0, 0)
		for l, c := range newPredictions([]float64{3 + 2*rng.NormFloat64()}, []float64{mean}, []float64{sd},
			[]float64{freedom}).Coverage() {
			inside[l] += c.Inside
		}
	}
	for l, p := range Levels {
		if off := math.Abs(float64(inside[l]) - trials*p); off > 3.5*math.Sqrt(trials*p*(1-p)) {
			t.Errorf("the band of %g covers %d of %d", p, inside[l], trials)
		}
	}
	sum := 0.0
	for y := -60.0; y < 60; y += 0.01 {
		sum += 0.01 * math.Exp(newPredictions([]float64{y}, []float64{1}, []float64{2}, []float64{5}).LogDensity[0])
	}
	assert.InDelta(t, 1, sum, 1e-3, "the density integrates to")
	mean, sd, freedom := predictionFor(1, 0.1, 8).observation(0, 30)
	few, many := newPredictions([]float64{70}, []float64{mean}, []float64{sd}, []float64{freedom}),
		newPredictions([]float64{70}, []float64{mean}, []float64{sd}, nil)
	if math.Abs(few.Z[0]-many.Z[0]) > 1e-3 || math.Abs(few.LogDensity[0]-many.LogDensity[0]) > 1e-3 {
		t.Errorf("with a noise that is known: %v, by the normal law %v", few, many)
	}
	if h := newPredictions([]float64{1, 2}, []float64{1, 1}, []float64{0, 0}, []float64{7, 7}); h.Z[0] != 0 ||
		!math.IsInf(h.Z[1], 1) {
		t.Errorf("without any spread: %v", h.Z)
	}
}

// Of a number that the method finds fixed ones around the middle of its range are tried, all of which it takes.
func TestFixedNumbersForOneThatIsFound(t *testing.T) {
	d := param.Decl{Key: "gamma", Kind: param.Number, Min: 0.1, Max: 20, Log: true, Zero: true}
	values := otherValues(d, 0.0)
	for i, v := range values {
		if _, err := d.Check(v); err != nil || math.Abs(v.(float64)/math.Sqrt2-[]float64{0.25, 0.5, 1, 2}[i]) > 1e-12 {
			t.Errorf("%v is tried (%v)", v, err)
		}
	}
	assert.Equal(t, 4, len(values), "%v are tried", values)
}

// On another scale, residuals are those on that scale, and the density is the slope of the cumulative probability.
func TestPredictionsOnAnotherScale(t *testing.T) {
	warp := &optimizers.Warp{Bilog: transform.Bilog{Low: 1, High: math.Inf(1), Width: 0.5}}
	band := (&optimizers.WarpedBand{Mean: []float64{1.7}, SD: []float64{0.4}, Warp: warp}).Band()
	at := func(y float64) Predictions { return compare([]float64{y}, band, nil) }
	for _, y := range []float64{0.2, 1.3, 2.5, 9} {
		h := at(y)
		assert.InDelta(t, y, band.Quantile(0, h.Z[0]), 1e-9, "the quantile of %g", y)
		slope := fd.Derivative(func(y float64) float64 { return distuv.UnitNormal.CDF(at(y).Z[0]) }, y,
			&fd.Settings{Formula: fd.Central, Step: 1e-5})
		assert.InEpsilon(t, slope, math.Exp(h.LogDensity[0]), 1e-5, "the density at %g", y)
		factors := BandFactors{1.2, 1.5, 2}
		wide := Recalibrated{nil, []BandFactors{factors}, 30}.scale(band, 0)
		h = factors.recalibrate(compare([]float64{y}, wide, nil))
		quantile, _ := factors.calibrated((warp.Apply(y) - 1.7) / 0.4)
		assert.InDelta(t, quantile, h.Z[0], 1e-9, "recalibrated, at %g", y)
	}
}
