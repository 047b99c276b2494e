package gp

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/kernel"
)

// mixture returns a mixture of three processes over n observations.
func mixture(t testing.TB, n int) *Mixture {
	t.Helper()
	X, y := data(n, 2, 8)
	m := &Mixture{}
	for i, k := range []kernel.Stationary{
		{Form: kernel.Matern52, Scale: 0.8, Lengths: []float64{0.2, 0.5}},
		{Form: kernel.Matern52, Scale: 1.6, Lengths: []float64{0.1, 0.3}},
		{Form: kernel.SE, Scale: 1.1, Lengths: []float64{0.4, 1}},
	} {
		g, err := New(k, 0.05*float64(i+1), X, y)
		require.NoError(t, err)
		m.draws = append(m.draws, g)
	}
	m.mode = m.draws[0]
	return m
}

// The moments of a mixture, of one value and of two, agree with those of its samples, joint samples and paths, within
// four standard errors.
func TestMixtureMomentsAreThoseOfItsSamples(t *testing.T) {
	m, inputs := mixture(t, 7), mat.NewDense(2, 2, []float64{0.3, 0.6, 0.75, 0.4})
	mean, sd, err := m.Predict(t.Context(), inputs)
	require.NoError(t, err)
	const count = 20000
	z, err := m.Sample(t.Context(), inputs, count, newRand(3))
	require.NoError(t, err)
	columns := [2][]float64{mat.Col(nil, 0, z), mat.Col(nil, 1, z)}
	for j, c := range columns {
		got, spread := stat.MeanStdDev(c, nil)
		if math.Abs(got-mean[j]) > 4*sd[j]/math.Sqrt(count) || math.Abs(spread-sd[j]) > 0.04*sd[j] {
			t.Errorf("value %d has the mean %g and the sd %g, its samples %g and %g", j, mean[j], sd[j], got, spread)
		}
	}
	want := stat.Covariance(columns[0], columns[1], nil)
	_, _, pair, err := m.PredictPairs(t.Context(), inputs.Slice(0, 1, 0, 2).(*mat.Dense), inputs.Slice(1, 2, 0, 2).(*mat.Dense))
	require.NoError(t, err)
	unused := make([]float64, 2)
	cross, err := m.CrossCovariance(inputs.Slice(1, 2, 0, 2).(*mat.Dense))
	require.NoError(t, err)
	for name, got := range map[string]float64{"PredictPairs": pair[0],
		"Covariance":      m.Covariance(inputs.RawRowView(0), inputs.RawRowView(1), unused, make([]float64, 2)),
		"CrossCovariance": cross.Covariances(inputs.Slice(0, 1, 0, 2).(*mat.Dense)).At(0, 0)} {
		if math.Abs(got-want) > 4*sd[0]*sd[1]*2/math.Sqrt(count) {
			t.Errorf("by %s the covariance is %g, of samples %g", name, got, want)
		}
		assert.InDelta(t, pair[0], got, 1e-9, "by %s the covariance is %g, by PredictPairs %g", name, got, pair[0])
	}
	paths := make([]float64, 3000)
	for i := range paths {
		p, err := m.Path(300, newRand(uint64(i)))
		require.NoError(t, err)
		paths[i] = p.At(inputs.RawRowView(0))
	}
	got, spread := stat.MeanStdDev(paths, nil)
	if math.Abs(got-mean[0]) > 4*sd[0]/math.Sqrt(3000) || math.Abs(spread-sd[0]) > 0.1*sd[0] {
		t.Errorf("paths have the mean %g and the sd %g, want %g and %g", got, spread, mean[0], sd[0])
	}
}

// The gradients of the moments and covariances of a mixture equal differences.
func TestMixtureGradients(t *testing.T) {
	m, x, z := mixture(t, 7), []float64{0.31, 0.62}, []float64{0.7, 0.2}
	places := mat.NewDense(2, 2, []float64{0.7, 0.2, 0.1, 0.9})
	cross, err := m.CrossCovariance(places)
	require.NoError(t, err)
	settings := &fd.Settings{Formula: fd.Central}
	unused := [2][]float64{make([]float64, 2), make([]float64, 2)}
	dmean, dsd, dx, dz := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	m.Gradient(x, dmean, dsd)
	m.Covariance(x, z, dx, dz)
	cov, slopes := make([]float64, 2), mat.NewDense(2, 2, nil)
	cross.Gradient(x, cov, slopes)
	for _, c := range []struct {
		name string
		got  []float64
		f    func(x []float64) float64
		at   []float64
	}{
		{"mean", dmean, func(x []float64) float64 { v, _ := m.Gradient(x, unused[0], unused[1]); return v }, x},
		{"sd", dsd, func(x []float64) float64 { _, v := m.Gradient(x, unused[0], unused[1]); return v }, x},
		{"covariance by x", dx, func(x []float64) float64 { return m.Covariance(x, z, unused[0], unused[1]) }, x},
		{"covariance by z", dz, func(z []float64) float64 { return m.Covariance(x, z, unused[0], unused[1]) }, z},
		{"cross-covariance", slopes.RawRowView(1), func(x []float64) float64 {
			return cross.Covariances(mat.NewDense(1, 2, x)).At(0, 1)
		}, x},
	} {
		want := fd.Gradient(nil, c.f, c.at, settings)
		for j := range want {
			if math.Abs(c.got[j]-want[j]) > 1e-6*(1+math.Abs(want[j])) {
				t.Errorf("the slope of the %s by input %d is %g, by differences %g", c.name, j, c.got[j], want[j])
			}
		}
	}
	if want := cross.Covariances(mat.NewDense(1, 2, x)); math.Abs(cov[0]-want.At(0, 0)) > 1e-12 ||
		math.Abs(cov[1]-want.At(0, 1)) > 1e-12 {
		t.Errorf("the covariances are %v, want %v", cov, mat.Formatted(want))
	}
}

// A mixture of one process equals that process, to the last bit: its moments, its samples and its paths.
func TestMixtureOfOne(t *testing.T) {
	g := mixture(t, 7).draws[1]
	m, inputs := NewMixture(g), mat.NewDense(3, 2, []float64{0.3, 0.6, 0.75, 0.4, 0.1, 0.2})
	mean, sd, _ := m.Predict(t.Context(), inputs)
	wantMean, wantSD, _ := g.Predict(t.Context(), inputs)
	drawn, _ := m.Sample(t.Context(), inputs, 2, newRand(1))
	wantDrawn, _ := g.Sample(t.Context(), inputs, 2, newRand(1))
	path, _ := m.Path(50, newRand(1))
	wantPath, _ := g.Path(50, newRand(1))
	loo, _, _ := m.LeaveOneOut()
	wantLOO, _, _ := g.LeaveOneOut()
	for i := range 3 {
		if mean[i] != wantMean[i] || sd[i] != wantSD[i] || drawn.At(1, i) != wantDrawn.At(1, i) ||
			path.At(inputs.RawRowView(i)) != wantPath.At(inputs.RawRowView(i)) || loo[i] != wantLOO[i] {
			t.Errorf("row %d differs", i)
		}
	}
	if m.Integrated() || m.Noise() != g.Noise() || m.Gram(inputs).At(0, 1) != g.Kernel().Gram(inputs).At(0, 1) {
		t.Error("a mixture of one process differs from that process")
	}
}

// The means at many inputs are the means of the moments, and those of one process at one input, to the last bit.
func TestMeans(t *testing.T) {
	m, inputs := mixture(t, 7), mat.NewDense(3, 2, []float64{0.3, 0.6, 0.75, 0.4, 0.1, 0.2})
	mean, _, _ := m.Predict(t.Context(), inputs)
	for i, v := range m.Means(inputs) {
		assert.InDelta(t, mean[i], v, 1e-12, "the mean")
	}
	g := m.draws[1]
	for i, v := range g.Means(inputs) {
		if want := g.Mean(inputs.RawRowView(i)); v != want {
			t.Errorf("the mean of a process is %g, want %g", v, want)
		}
	}
}

// A mixture that believes its own means keeps its mean, and Without removes an observation from every process.
func TestMixtureBelievesAndForgets(t *testing.T) {
	m, inputs := mixture(t, 7), mat.NewDense(1, 2, []float64{0.3, 0.6})
	mean, sd, _ := m.Predict(t.Context(), inputs)
	sure, err := m.Believe(t.Context(), inputs)
	require.NoError(t, err)
	after, less, _ := sure.Predict(t.Context(), inputs)
	if math.Abs(after[0]-mean[0]) > 1e-9 || less[0] >= sd[0] {
		t.Errorf("the mean moves from %g to %g, the sd from %g to %g", mean[0], after[0], sd[0], less[0])
	}
	rest, err := m.Without(2)
	require.NoError(t, err)
	got, _, _ := rest.Predict(t.Context(), inputs)
	want := 0.0
	for _, g := range m.draws {
		w, err := g.Without(2)
		require.NoError(t, err)
		want += w.Mean(inputs.RawRowView(0)) / 3
	}
	assert.InDelta(t, want, got[0], 1e-12, "without an observation the mean")
}

// The moments of the hyperparameters' posterior agree with those that another sampler found; see the file. The
// lengthscales, the signal and the noise are compared, within four standard errors of both.
func TestSlicesAgainstAnotherSampler(t *testing.T) {
	text, err := os.ReadFile("testdata/posterior.json")
	require.NoError(t, err)
	var all struct {
		Sets []struct {
			Name, Form          string
			X                   [][]float64
			Y                   []float64
			Mean, SD, MeanError []float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &all))
	priors := Priors{LengthMedian: 0.25, LengthSD: 0.8, ScaleMedian: 1.5, ScaleSD: 1, NoiseMedian: 0.01, NoiseSD: 1}
	for _, s := range all.Sets {
		X := mat.NewDense(len(s.Y), len(s.X[0]), nil)
		for i, row := range s.X {
			X.SetRow(i, row)
		}
		form, err := kernel.FindForm(s.Form)
		require.NoError(t, err)
		opt := Options{Form: form, FitNoise: true, Priors: &priors, Starts: 2}
		mode, err := Fit(t.Context(), X, s.Y, len(s.X[0]), opt, newRand(1))
		require.NoError(t, err)
		const count = 1500
		m, err := Integrate(t.Context(), mode, X, s.Y, opt, count, newRand(2))
		require.NoError(t, err)
		for j := range s.Mean {
			draws := make([]float64, count)
			for i, g := range m.Draws() {
				k := g.Kernel().(kernel.Stationary)
				draws[i] = math.Log(append(append([]float64(nil), k.Lengths...), k.Scale, g.Noise())[j])
			}
			mean, sd := stat.MeanStdDev(draws, nil)
			if off := math.Abs(mean - s.Mean[j]); off > 4*math.Hypot(s.MeanError[j], chainError(draws)) {
				t.Errorf("%s: log hyperparameter %d has the mean %.3f ± %.3f, by the other sampler %.3f ± %.3f",
					s.Name, j, mean, chainError(draws), s.Mean[j], s.MeanError[j])
			}
			if math.Abs(math.Log(sd/s.SD[j])) > 0.15 {
				t.Errorf("%s: log hyperparameter %d has the sd %.3f, by the other sampler %.3f", s.Name, j, sd,
					s.SD[j])
			}
		}
	}
}

// chainError returns the standard error of the mean of a chain, by the means of batches (Geyer 1992).
func chainError(chain []float64) float64 {
	const batches = 30
	var means []float64
	size := len(chain) / batches
	for i := range batches {
		means = append(means, stat.Mean(chain[i*size:(i+1)*size], nil))
	}
	return stat.StdDev(means, nil) / math.Sqrt(batches)
}

// The leave-one-out predictions of a mixture, with importance weights, agree with those of draws given the other
// observations, within a fifth of the standard deviation.
func TestMixtureLeavesOneOut(t *testing.T) {
	X, y := data(9, 1, 8)
	opt := Options{Form: kernel.Matern52, FitNoise: true, Priors: &WeakPriors, Starts: 2}
	draw := func(X *mat.Dense, y []float64) *Mixture {
		mode, err := Fit(t.Context(), X, y, 1, opt, newRand(1))
		require.NoError(t, err)
		m, err := Integrate(t.Context(), mode, X, y, opt, 800, newRand(4))
		require.NoError(t, err)
		return m
	}
	mean, sd, err := draw(X, y).LeaveOneOut()
	require.NoError(t, err)
	for _, i := range []int{0, 4, 8} {
		rest, targets := mat.NewDense(8, 1, nil), make([]float64, 0, 8)
		for j := range y {
			if j != i {
				rest.SetRow(len(targets), X.RawRowView(j))
				targets = append(targets, y[j])
			}
		}
		m := draw(rest, targets)
		wantMean, wantSD, err := m.Predict(t.Context(), mat.NewDense(1, 1, []float64{X.At(i, 0)}))
		require.NoError(t, err)
		want := math.Hypot(wantSD[0], m.Noise())
		if math.Abs(mean[i]-wantMean[0]) > 0.2*want || math.Abs(math.Log(sd[i]/want)) > 0.25 {
			t.Errorf("observation %d: %.3f ± %.3f, from the others %.3f ± %.3f", i, mean[i], sd[i], wantMean[0], want)
		}
	}
}
