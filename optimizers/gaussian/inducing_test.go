package gaussian

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// quickFit are parameters with which only the signal is fitted.
var quickFit = []string{"lengthscale=0.3", "noise=fixed", "noise_sd=0.05", "restarts=1"}

// Inference is exact up to maxExact results, with the parameter exact, and otherwise with inducing points.
func TestInferenceByNumberOfResults(t *testing.T) {
	in := testbed.InputFor(t, EI, 2, optimizers.Data{})
	for _, c := range []struct {
		inference string
		n         int
		want      bool
	}{{"auto", maxExact, false}, {"auto", maxExact + 1, true}, {"exact", 10 * maxExact, false},
		{"inducing", inducingCount, false}, {"inducing", inducingCount + 1, true}} {
		var err error
		if in.Params, err = in.Params.WithText(inferenceKey, c.inference); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, c.want, usesInducing(in, c.n), "%+v", c)
	}
}

// With inducing points, predictions are near those of exact inference, results since the last check are inducing points,
// the legend says how the model is approximated, parts of the computation are reported, and a process with cached fits
// predicts what one without does.
func TestFitThroughInducingPoints(t *testing.T) {
	const n = 1060
	_, data := testbed.Observe(t, "branin", n)
	data.Imports = [][2]int{{0, n}} // one search
	in := testbed.InputFor(t, EI, 2, data, append([]string{"inference=inducing"}, quickFit...)...)
	var reported []string
	in.Progress = func(subject string, done, total int) {
		if !slices.Contains(reported, subject) {
			reported = append(reported, subject)
		}
	}
	fit := func() *Process {
		b, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		return b
	}
	probes := testbed.Probes(200, 2)
	b := fit()
	mean, sd, err := b.GP.Predict(t.Context(), probes)
	f := newPrefix(in, 0, gpOptions(in), n)
	exact, _ := gp.New(b.GP.Mode().Kernel(), b.GP.Mode().Noise(), f.all.x, f.all.y)
	want, wide, _ := exact.Predict(t.Context(), probes)
	require.NoError(t, err)
	for i := range mean {
		if d := mean[i] - want[i]; d*d > 0.1*0.1*wide[i]*wide[i] || sd[i] < 0.9*wide[i] || sd[i] > 1.1*wide[i] {
			t.Errorf("%.4f ± %.4f, by exact inference %.4f ± %.4f", mean[i], sd[i], want[i], wide[i])
		}
	}
	if again, _, _ := fit().GP.Predict(t.Context(), probes); !slices.Equal(again, mean) {
		t.Error("with cached fits the predictions differ")
	}
	l := b.Describe()
	if m, count := b.GP.Mode().Inducing(); count != n || m < 10 || m > n || !strings.Contains(l.Inference, "1060 results") ||
		!slices.ContainsFunc(l.Facts, func(f optimizers.Fact) bool { return f.Name == optimizers.FactInducing }) {
		t.Errorf("%d of %d, %q, %v", m, count, l.Inference, l.Facts)
	}
	for _, subject := range []string{"searching for hyperparameters with 1000 results of 1060", "selecting inducing points",
		"conditioning the model on all results"} {
		if !slices.Contains(reported, subject) {
			t.Errorf("%q is not among %q", subject, reported)
		}
	}
	if evidence, err := b.LogEvidence(t.Context()); err != nil || evidence[0] == evidence[0] {
		t.Errorf("log evidence %v, %v", evidence, err)
	}
}

// The best results and the results since the last check of the hyperparameters are inducing points, unless their values
// follow from those of others.
func TestInducingRows(t *testing.T) {
	const n = 1060
	_, data := testbed.Observe(t, "ackley:6", n)
	in := testbed.InputFor(t, EI, 6, data, append([]string{"inference=inducing"}, quickFit...)...)
	f := newPrefix(in, 0, gpOptions(in), n)
	fitted := f.first(n - 20)
	g, err := gp.New(kernel.Stationary{Form: kernel.Matern52, Scale: 1, Lengths: []float64{1, 1, 1, 1, 1, 1}}, 0.05, nil, nil)
	require.NoError(t, err)
	rows, err := fitted.inducingRows(t.Context(), g)
	if err != nil || len(rows) != inducingCount {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	best := 0
	for i, y := range mat.Col(nil, 0, data.Y)[:n-20] {
		if y < data.Y.At(best, 0) {
			best = i
		}
	}
	all, err := f.addNewRows(t.Context(), g, rows, n-20)
	if err != nil || rows[0] != best || len(all) != inducingCount+20 || all[len(all)-1] != n-1 {
		t.Errorf("the first is %d, the best result %d; %d rows with the new ones: %v", rows[0], best, len(all), err)
	}
	if f.key() == (lru.Key{}) || f.key() == newPrefix(testbed.InputFor(t, EI, 6, data,
		append([]string{"inference=exact"}, quickFit...)...), 0, gpOptions(in), n).key() {
		t.Error("a fit to a sample has the key of one to all results")
	}
}
