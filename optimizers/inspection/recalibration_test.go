package inspection

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Of exchangeable scores, whatever their distribution, the next one is at most the conformal quantile with a probability
// of p to p + 1/(n+1); with few scores it is the maximum, with n/(n+1) (Shafer & Vovk 2008).
func TestConformalQuantileCoversExchangeableScores(t *testing.T) {
	const draws, p = 20000, 0.95
	rng := rand.New(rand.NewPCG(31, 32))
	for _, c := range []struct {
		n         int
		low, high float64
	}{{8, 8. / 9, 8. / 9}, {18, 18. / 19, 18. / 19}, {19, p, p}, {30, p, p + 1./31}, {39, p, p}} {
		inside := 0
		for range draws {
			common := rng.NormFloat64() // exchangeable, but not independent
			scores := make([]float64, c.n+1)
			for i := range scores {
				scores[i] = math.Abs(common + rng.NormFloat64()/rng.NormFloat64()) // Cauchy
			}
			if scores[c.n] <= ConformalQuantile(scores[:c.n], p) {
				inside++
			}
		}
		share, within := float64(inside)/draws, 3*math.Sqrt(p*(1-p)/draws)
		if share < c.low-within || share > c.high+within {
			t.Errorf("of %d scores the quantile covers %.4f, want %.4f to %.4f", c.n, share, c.low, c.high)
		}
	}
}

// leaveOneOutMeans predicts each value by the mean and a tenth of the standard deviation of the others.
func leaveOneOutMeans(y []float64) (mean, sd []float64) {
	for i := range y {
		others := append(append([]float64{}, y[:i]...), y[i+1:]...)
		m, s := stat.MeanStdDev(others, nil)
		mean, sd = append(mean, m), append(sd, s/10)
	}
	return mean, sd
}

// The recalibrated band of a model that is ten times too certain covers exchangeable data with heavy tails.
func TestRecalibratedBandCoversExchangeableData(t *testing.T) {
	const draws, n = 4000, 20
	rng := rand.New(rand.NewPCG(33, 34))
	for l, level := range Levels {
		inside, before := 0, 0
		for range draws {
			y := make([]float64, n+1)
			for i := range y {
				y[i] = distuv.StudentsT{Mu: 2, Sigma: 3, Nu: 3, Src: rng}.Rand()
			}
			mean, sd := leaveOneOutMeans(y[:n])
			f := newBandFactors(y[:n], mean, sd)
			m, s := stat.MeanStdDev(y[:n], nil)
			h := newPredictions(y[n:], []float64{m}, []float64{s / 10 * f.Drawn()}, nil)
			inside += f.recalibrate(h).Coverage()[l].Inside
			before += newPredictions(y[n:], []float64{m}, []float64{s / 10}, nil).Coverage()[l].Inside
		}
		share, within := float64(inside)/draws, 3*math.Sqrt(level*(1-level)/draws)
		if share < level-within || float64(before)/draws > level/2 {
			t.Errorf("the %.0f %% band covers %.3f, before recalibration %.3f", 100*level, share,
				float64(before)/draws)
		}
	}
}

// A recalibrated residual is the normal quantile at the ends of the bands, increases in between, and has a density.
func TestCalibratedResiduals(t *testing.T) {
	f := BandFactors{3, 2.5, 2}
	for l, level := range Levels {
		u := distuv.UnitNormal.Quantile((1 + level) / 2)
		for _, sign := range []float64{-1, 1} {
			if z, _ := f.calibrated(sign * u * f[l]); math.Abs(z-sign*u) > 1e-12 {
				t.Errorf("the end of the %.0f %% band becomes %g, want %g", 100*level, z, sign*u)
			}
		}
	}
	const step = 1e-3
	mass, last := 0.0, math.Inf(-1)
	for z := -20.0; z < 20; z += step {
		h := newPredictions([]float64{z}, []float64{0}, []float64{f.Drawn()}, nil)
		h = f.recalibrate(h)
		if h.Z[0] < last {
			t.Fatalf("at %g the quantile decreases to %g", z, h.Z[0])
		}
		last = h.Z[0]
		mass += math.Exp(h.LogDensity[0]) * step
	}
	assert.InDelta(t, 1, mass, 1e-3, "the density has the mass")
	if z, slope := (BandFactors{1, 1, 1}).calibrated(1.3); math.Abs(z-1.3) > 1e-12 || math.Abs(slope-1) > 1e-12 {
		t.Errorf("factors of 1 change 1.3 to %g, with the slope %g", z, slope)
	}
}

// A wrong prediction without spread has the density 0, recalibrated or not.
func TestDensityOfAWrongPredictionWithoutSpread(t *testing.T) {
	h := newPredictions([]float64{1}, []float64{2}, []float64{0}, nil)
	for _, h := range []Predictions{h, (BandFactors{1, 2, 3}).recalibrate(h)} {
		assert.Equal(t, []float64{math.Inf(-1)}, h.LogDensity)
	}
}

// Enough results for the widest band are not mentioned.
func TestLegendOfEnoughResults(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 19)
	spec := specFor(t, "gp-ei")
	r := Recalibrated{testbed.Fit(t, spec, testbed.InputFor(t, spec, 1, data)), []BandFactors{{1, 1, 1.25}}, data.Len()}
	assert.Equal(t, "It is multiplied by 1.25, from leave-one-out residuals.", r.Legend().Meaning)
}

// Factors are conformal quantiles over normal ones, at the highest level that the scores have, and finite where the model
// is certain.
func TestBandFactors(t *testing.T) {
	y, ones := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 1, 1, 1, 1, 1}
	assert.Equal(t, BandFactors{0.1, 0.1, 0.1}, newBandFactors(y, y, make([]float64, 6)), "of exact predictions")
	mean := []float64{1.5, 2, 3, 4, 5, 6}
	if f := newBandFactors(y, mean, make([]float64, 6)); math.IsInf(f.Drawn(), 0) || f.Drawn() < 100 {
		t.Errorf("of a wrong prediction without spread: %v", f)
	}
	const normal50, normal80, normal86, normal95 = 0.6744897502, 1.2815515655, 1.4652337927, 1.9599639845 // of 6/7: 86
	mean = []float64{1.1, 2.2, 3.3, 4.4, 5.5, 6.6}
	assert.InDeltaSlice(t, []float64{0.4 / normal50, 0.6 / normal80, 0.6 / normal86}, []float64(newBandFactors(y, mean, ones)), 1e-9,
		"of 6 scores up to 0.6")
	var many, far, one []float64
	for i := range 39 {
		many, far, one = append(many, 0), append(far, float64(i+1)), append(one, 1)
	}
	assert.InDelta(t, 38/normal95, newBandFactors(many, far, one).Drawn(), 1e-6, "the 38th of 39 scores from 1 to 39")
}

// The bands of a displayed belief are multiplied, its means and suggestions are those of the belief, and its legend has
// the factor. Methods without a closed form are refitted.
func TestRecalibratedBelief(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	for _, c := range []struct {
		method, refit string
		set           []string
	}{{"gp-ei", "", nil}, {"neural-greedy", "refit", []string{"width=32", "ensemble=3"}},
		{"neural-greedy", "", []string{"width=32", "band=nngp"}}, {"forest-ei", "refit", []string{"trees=10"}},
		{"neural-ucb", "", []string{"width=16"}}} {
		spec := specFor(t, c.method)
		in := testbed.InputFor(t, spec, 1, data, append(c.set, "recalibration=loo")...)
		var fits atomic.Int64 // refits run side by side
		fit := func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
			fits.Add(1)
			return spec.Fit(ctx, in)
		}
		b := testbed.Fit(t, spec, in)
		factors, err := Recalibrate(t.Context(), in, fit, b)
		if err != nil || len(factors) != 1 || !in.Recalibrates() {
			t.Fatalf("%s: %v (%v)", c.method, factors, err)
		}
		if c.refit != "" && int(fits.Load()) != data.Len() {
			t.Errorf("%s was fitted %d times", c.method, fits.Load())
		}
		r, x := Recalibrated{b, factors, data.Len()}, testbed.Probes(7, 1)
		was, err := b.Predict(t.Context(), x)
		require.NoError(t, err)
		now, err := r.Predict(t.Context(), x)
		require.NoError(t, err)
		if band, err := r.PredictObjective(t.Context(), x, 0); err != nil || !reflect.DeepEqual(band, now[0]) {
			t.Errorf("%s: an objective has the band %v, want %v (%v)", c.method, band, now[0], err)
		}
		for i, sd := range was[0].SD {
			if now[0].Mean[i] != was[0].Mean[i] || math.Abs(now[0].SD[i]-sd*factors[0].Drawn()) > 1e-9*sd {
				t.Errorf("%s: %g ± %g, was %g ± %g", c.method, now[0].Mean[i], now[0].SD[i], was[0].Mean[i], sd)
			}
		}
		if l := r.Legend(); !strings.Contains(l.Band, " × ") || !strings.Contains(l.Band, "leave-one-out") ||
			!strings.Contains(l.Meaning, "6 results give a band of 86 %, which is extended to 95 % as if errors were normal; 19 results") ||
			l.Facts[0].Name != optimizers.FactBand || l.Draws != 0 || len(b.Legend().Facts) > len(l.Facts) {
			t.Errorf("%s: %+v", c.method, l)
		}
	}
}

// There are no factors with few results or without a band; a cancelled computation is an error.
func TestRecalibrationNeedsResults(t *testing.T) {
	_, few := testbed.Observe(t, "forrester", minRecalibrationData-1)
	_, data := testbed.Observe(t, "forrester", 6)
	gp, none := specFor(t, "gp-ei"), specFor(t, "random")
	in := testbed.InputFor(t, gp, 1, few)
	if f, err := Recalibrate(t.Context(), in, gp.Fit, testbed.Fit(t, gp, in)); f != nil || err != nil {
		t.Errorf("with few results: %v (%v)", f, err)
	}
	in = testbed.InputFor(t, none, 1, data, "recalibration=loo")
	if f, err := Recalibrate(t.Context(), in, none.Fit, testbed.Fit(t, none, in)); f != nil || err != nil ||
		in.Recalibrates() {
		t.Errorf("without a band: %v (%v)", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in = testbed.InputFor(t, gp, 1, data)
	b := testbed.Fit(t, gp, in)
	cancel()
	if _, err := Recalibrate(ctx, in, gp.Fit, b); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
