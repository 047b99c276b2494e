package neural

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distmv"

	"bandscope/model/linear"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/testbed"
)

// linearFor is the regression under a belief.
func linearFor(t *testing.T, b optimizers.Belief) *linBelief {
	t.Helper()
	switch b := b.(type) {
	case acquisition.ScoredBelief:
		return b.Model.(*linBelief)
	case acquisition.SampledBelief:
		return b.Model.(*linBelief)
	}
	t.Fatalf("%T has no linear head", b)
	return nil
}

// logEvidence is log N(y; 0, prior ΦΦᵀ + noise I), by the n×n matrix.
func logEvidence(t *testing.T, phi *mat.Dense, y []float64, prior, noise float64) float64 {
	t.Helper()
	var cov mat.SymDense
	cov.SymOuterK(prior, phi)
	for i := range y {
		cov.SetSym(i, i, cov.At(i, i)+noise)
	}
	law, ok := distmv.NewNormal(make([]float64, len(y)), &cov, nil)
	require.True(t, ok, "the covariance cannot be factorized")
	return law.LogProb(y)
}

// The band is the textbook's Bayesian regression on the network's features, the slopes are those of differences, and
// the samples have the band's moments.
func TestLinearHeads(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 12)
	x := testbed.Probes(4, 2)
	for _, c := range []struct {
		spec optimizers.Spec
		set  []string
	}{{LinTS, []string{"width=40"}}, {LinUCB, []string{"width=8"}}, {DNGO, []string{"epochs=200"}},
		{DNGO, []string{"epochs=200", "quadratic=on"}}} {
		belief := testbed.Fit(t, c.spec, testbed.InputFor(t, c.spec, 2, data, c.set...))
		b := linearFor(t, belief)
		phi := b.features(data.X)
		_, m := phi.Dims()
		prior, noise, err := linear.FitEvidence(t.Context(), phi, b.Scale.Apply(data.Column(0)), dngoMinNoise)
		require.NoError(t, err)
		if c.spec.Name != DNGO.Name {
			prior, noise = b.In.Params.Number("prior"), b.In.Params.Number("noise2")
		}
		var a, s, w mat.Dense
		a.Mul(phi.T(), phi)
		a.Scale(1/noise, &a)
		for i := range m {
			a.Set(i, i, a.At(i, i)+1/prior)
		}
		require.NoError(t, s.Inverse(&a))
		w.Mul(phi.T(), mat.NewVecDense(12, b.Scale.Apply(data.Column(0))))
		w.Mul(&s, &w)
		w.Scale(1/noise, &w)
		bands, err := belief.Predict(ctx, x)
		require.NoError(t, err)
		const draws = 2000
		samples, _ := belief.Samples(ctx, x, draws, 1)
		position := b.features(x)
		for i := range 4 {
			var sf mat.VecDense
			sf.MulVec(&s, position.RowView(i))
			mean, sd := b.Scale.Value(mat.Dot(position.RowView(i), w.ColView(0))),
				b.Scale.SD*math.Sqrt(mat.Dot(position.RowView(i), &sf))
			if math.Abs(bands[0].Mean[i]-mean) > 1e-5*b.Scale.SD || math.Abs(bands[0].SD[i]-sd) > 1e-5*b.Scale.SD {
				t.Errorf("%s: %g ± %g, by the textbook %g ± %g", c.spec.Name, bands[0].Mean[i], bands[0].SD[i], mean,
					sd)
			}
			m1, s1 := stat.MeanStdDev(mat.Col(nil, i, samples[0]), nil)
			if math.Abs(m1-mean) > 5*sd/math.Sqrt(draws) || math.Abs(s1-sd) > 5*sd/math.Sqrt(2*draws) {
				t.Errorf("%s: samples have %g ± %g, the posterior %g ± %g", c.spec.Name, m1, s1, mean, sd)
			}
			dmean, dsd := make([]float64, 2), make([]float64, 2)
			b.Surrogate.(acquisition.Differentiable).Gradient(x.RawRowView(i), dmean, dsd)
			for k, slope := range [][]float64{dmean, dsd} {
				diff := fd.Gradient(nil, func(position []float64) float64 {
					mean, sd, _ := b.Surrogate.Predict(ctx, mat.NewDense(1, 2, append([]float64(nil), position...)))
					return [2]float64{mean[0], sd[0]}[k]
				}, x.RawRowView(i), &fd.Settings{Formula: fd.Central})
				for j := range 2 {
					if math.Abs(slope[j]-diff[j]) > 1e-4*(1+math.Abs(diff[j])) {
						t.Errorf("%s: the slope of moment %d is %v, by differences %v", c.spec.Name, k, slope, diff)
					}
				}
			}
		}
		if c.spec.Name != "dngo" {
			continue
		}
		top := logEvidence(t, phi, b.Scale.Apply(data.Column(0)), prior, noise)
		for _, f := range []float64{0.5, 2} {
			for _, other := range [][2]float64{{prior * f, noise}, {prior, math.Max(noise*f, dngoMinNoise)}} {
				if v := logEvidence(t, phi, b.Scale.Apply(data.Column(0)), other[0], other[1]); v > top+1e-6 {
					t.Errorf("dngo: the evidence is %g at %v, %g at what was chosen", v, other, top)
				}
			}
		}
	}
}
