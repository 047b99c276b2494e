package registry

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Every handle of every method sets its value: the belief with these parameters has that handle with that value, no
// longer fitted, and with the parameters of Fit it is fitted again. The other handles keep their values if those are not
// fitted.
func TestHandles(t *testing.T) {
	sets := map[string][][]string{"": {{"width=64", "ensemble=2", "epochs=20", "restarts=1", "trees=5"}},
		"gp-ei":   {{"kernel=se"}, {"kernel=0.5*periodic(period=0.3)*se + linear"}, {"kernel=rq", "lengthscale=0.2"}},
		"ntk-ucb": {{"kernel=nngp"}, {"kernel=ntk", "auto_gamma=off"}}}
	_, data := testbed.Observe(t, "forrester", 6)
	handles := 0
	for _, spec := range sample.Of(All(), 2, 15) {
		if spec.Multi && !spec.Supports(1, false) {
			continue
		}
		for _, set := range append(sets[spec.Name], sets[""]...) {
			in := testbed.InputFor(t, spec, 1, data, set...)
			in.Objectives = 1
			b, err := spec.Fit(t.Context(), in)
			if err != nil {
				continue // it is for other problems
			}
			for i, h := range optimizers.HandlesOf(b) {
				handles++
				checkHandle(t, spec, in, i, h)
			}
		}
	}
	if handles < 15 {
		t.Errorf("there are only %d handles", handles)
	}
}

func checkHandle(t *testing.T, spec optimizers.Spec, in optimizers.Input, i int, h optimizers.Handle) {
	t.Helper()
	with := func(settings []optimizers.Setting) optimizers.Handle {
		next := in
		for _, s := range settings {
			var err error
			if next.Params, err = next.Params.WithText(s.Key, s.Text); err != nil {
				t.Fatalf("%s: %s with %+v: %v", spec.Name, h.Name, s, err)
			}
		}
		b, err := spec.Fit(t.Context(), next)
		require.NoError(t, err, "%s: %s with %+v", spec.Name, h.Name, settings)
		return optimizers.HandlesOf(b)[i]
	}
	if !(h.Min < h.Max && h.Symbol != "" && h.Name != "") {
		t.Errorf("%s has the handle %+v", spec.Name, h)
	}
	for _, share := range []float64{0, 0.37, 1} {
		want := h.Min * math.Pow(h.Max/h.Min, share)
		if got := with(h.Set(in.Params, want)); math.Abs(got.Value-want) > 1e-9*want || got.Fitted || got.Name != h.Name {
			t.Errorf("%s: %s is set to %g and is %+v", spec.Name, h.Name, want, got)
		}
	}
	if h.Fit != nil {
		if got := with(h.Fit(in.Params)); !got.Fitted || got.Name != h.Name {
			t.Errorf("%s: %s is not fitted again: %+v", spec.Name, h.Name, got)
		}
	} else if h.Fitted {
		t.Errorf("%s: %s is fitted and cannot be", spec.Name, h.Name)
	}
}

// The covariances after the data are those of samples, within 4.5 standard errors, and on the diagonal the squared
// standard deviation of the band. Those before the data are those of the belief without data.
func TestCovariances(t *testing.T) {
	const draws = 4000
	_, data := testbed.Observe(t, "forrester", 4)
	scale := stat.PopStdDev(data.Column(0), nil)
	x, X := []float64{0.42}, mat.NewDense(4, 1, []float64{0.42, 0.5, 0.1, 0.95})
	for _, c := range [][]string{{"gp-ei", "kernel=2*se(length=0.2)"},
		{"gp-ei", "kernel=2*periodic(period=0.4, length=1)*se(length=0.3) + 1*linear(bias=0.5)"},
		{"ntk-ucb", "kernel=ntk"}, {"ntk-ts", "kernel=nngp"},
		{"neural-greedy", "band=posterior", "width=32"}, {"neural-greedy", "band=nngp", "width=32"}} {
		spec, err := Find(c[0])
		require.NoError(t, err)
		in := testbed.InputFor(t, *spec, 1, data, append(slices.Clone(c[1:]), "sigma2=0.05", "auto_gamma=off",
			"noise=fixed", "noise_sd=0.2")...)
		covariances := func() (b optimizers.Belief, prior, posterior []float64) {
			b, err := spec.Fit(t.Context(), in)
			require.NoError(t, err)
			if prior, posterior, err = b.(optimizers.Covariant).Covariances(t.Context(), x, X); err != nil {
				t.Fatal(err)
			}
			return b, prior, posterior
		}
		b, prior, posterior := covariances()
		checkCovariance(t, c[0]+" "+c[1]+": the posterior", b, posterior, X, draws)
		in.Data, in.Expected = optimizers.Data{}, [][]float64{{-2 * scale, 2 * scale}}
		if _, _, without := covariances(); !floats.EqualApprox(prior, without, 1e-9) {
			t.Errorf("%v: the prior covariances are %v, without data %v", c, prior, without)
		}
	}
	ensemble, err := Find("neural-greedy")
	require.NoError(t, err)
	b, err := ensemble.Fit(t.Context(), testbed.InputFor(t, *ensemble, 1, data, "width=32"))
	require.NoError(t, err)
	_, _, err = b.(optimizers.Covariant).Covariances(t.Context(), x, X)
	assert.ErrorIs(t, err, optimizers.ErrUnsupported, "an ensemble has covariances: %v", err)
}

func checkCovariance(t *testing.T, subject string, b optimizers.Belief, cov []float64, X *mat.Dense, draws int) {
	t.Helper()
	bands, err := b.Predict(t.Context(), X)
	require.NoError(t, err)
	if v := bands[0].SD[0] * bands[0].SD[0]; math.Abs(cov[0]-v) > 1e-9*v {
		t.Errorf("%s variance is %g, that of the band %g", subject, cov[0], v)
	}
	samples, err := b.Samples(t.Context(), X, draws, 3)
	require.NoError(t, err)
	first := mat.Col(nil, 0, samples[0])
	for i, want := range cov {
		other := mat.Col(nil, i, samples[0])
		got := stat.Covariance(first, other, nil)
		v := bands[0].SD[0] * bands[0].SD[i]
		if se := math.Sqrt((v*v + want*want) / float64(draws)); math.Abs(got-want) > 4.5*se {
			t.Errorf("%s covariance %d is %g, of samples %g ± %g", subject, i, want, got, se)
		}
	}
}
