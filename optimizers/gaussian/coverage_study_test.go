//go:build study

package gaussian

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/model/gp"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// coverageFunctions are the functions of the searches in which coverage is measured.
var coverageFunctions = []string{"forrester", "gramacy-lee", "sine-trend", "branin", "six-hump", "goldstein-price",
	"hartmann:3", "ackley:2", "levy:2", "rosenbrock:2"}

// searchSeeds is the number of searches per function.
const searchSeeds = 10

// searched returns the observations of a search by expected improvement that starts with five points of the initial
// design.
func searched(t *testing.T, function string, seed uint64, n int, set ...string) (*functions.Problem, optimizers.Data) {
	p := problem(t, function, seed)
	x, y := mat.NewDense(n, p.Dim(), nil), mat.NewDense(n, 1, nil)
	all := optimizers.Data{X: x, Y: y}
	for step := range n {
		var data optimizers.Data
		if step > 0 {
			data = dataPrefix(all, step)
		}
		in := testbed.InputFor(t, EI, p.Dim(), data, append([]string{"initial=5"}, set...)...)
		in.Seed = seed
		var s optimizers.Suggestion
		var err error
		if search.InDesign(in) {
			s, err = search.InitialPoint(t.Context(), in)
		} else {
			s, err = testbed.Fit(t, EI, in).Suggest(t.Context())
		}
		require.NoError(t, err)
		x.SetRow(step, mat.Row(nil, 0, s.X))
		y.Set(step, 0, truth(t, p, x.RawRowView(step)))
	}
	return p, all
}

// The test runs searches by expected improvement with integrated hyperparameters, on ten functions with ten seeds, and
// checks the bands after 8, 12, 16 and 20 evaluations. The 95 % band covers at least 90 % of the domain on average and
// at least 75 % in eight of ten cells; the 50 % band covers between 40 and 75 % on average. The log predictive density
// exceeds that of fitted hyperparameters with the same kernel on the same data by two standard errors of the paired
// difference. Other priors and kernels are only reported.
func TestCoverageOfPriors(t *testing.T) {
	names := coverageFunctions
	chosen, base := integratedPriors, gp.Priors{LengthSD: 1, ScaleMedian: 1, ScaleSD: 1, NoiseMedian: 1e-2, NoiseSD: 1}
	with := func(p gp.Priors, median float64, scaled bool, correlation float64) gp.Priors {
		p.LengthMedian, p.DimensionScaled, p.Correlation = median, scaled, correlation
		return p
	}
	hvarfner := gp.Priors{LengthMedian: math.Exp(math.Sqrt2), LengthSD: math.Sqrt(3), DimensionScaled: true, ScaleMedian: 1,
		ScaleSD: 1, NoiseMedian: 1e-2, NoiseSD: 1}
	searches := make([]struct {
		problem *functions.Problem
		data    optimizers.Data
	}, len(names)*searchSeeds)
	parallel.Do(len(searches), func(i int) {
		searches[i].problem, searches[i].data = searched(t, names[i/searchSeeds], uint64(i%searchSeeds+1), 20,
			"kernel=matern52", "hyperparameters="+integratedLabel)
	})
	var fitted []bandCell
	for _, c := range []struct {
		name, kernel, how string
		priors            gp.Priors
	}{
		{"fitted", "se", fittedLabel, chosen},
		{"fitted", "matern52", fittedLabel, chosen},
		{"chosen", "matern52", integratedLabel, chosen},
		{"chosen", "se", integratedLabel, chosen},
		{"median 0.5, log-sd 1", "matern52", integratedLabel, with(base, 0.5, false, 0)},
		{"correlated, by dimension", "matern52", integratedLabel, with(base, 0.3, true, 0.9)},
		{"Hvarfner et al. 2024", "matern52", integratedLabel, hvarfner},
	} {
		integratedPriors = c.priors
		set := []string{"kernel=" + c.kernel, "hyperparameters=" + c.how}
		cells := make([]bandCell, len(searches)*4)
		parallel.Do(len(cells), func(i int) {
			s := searches[i/4]
			cells[i] = coverage(t, s.problem, dataPrefix(s.data, 8+4*(i%4)), uint64(i/4%searchSeeds+1), set...)
		})
		var total bandCell
		enough := 0
		for _, cell := range cells {
			n := float64(len(cells))
			total.Wide, total.Narrow, total.Density = total.Wide+cell.Wide/n, total.Narrow+cell.Narrow/n,
				total.Density+cell.Density/n
			if cell.Wide >= 0.75 {
				enough++
			}
		}
		share := float64(enough) / float64(len(cells))
		t.Logf("%-26s %-9s 95 %%: %4.1f  50 %%: %4.1f  log density %6.3f  at least 75 %% in %.0f %%", c.name, c.kernel,
			100*total.Wide, 100*total.Narrow, total.Density, 100*share)
		if c.kernel != "matern52" {
			continue
		}
		if c.how == fittedLabel {
			fitted = cells
		}
		if c.name != "chosen" {
			continue
		}
		differences := make([]float64, len(cells))
		for i := range cells {
			differences[i] = cells[i].Density - fitted[i].Density
		}
		mean, sd := stat.MeanStdDev(differences, nil)
		if low := mean - 2*sd/math.Sqrt(float64(len(cells))); low <= 0 {
			t.Errorf("the log density is greater by %.3f, at least %.3f", mean, low)
		}
		if total.Wide < 0.9 || share < 0.8 || total.Narrow < 0.4 || total.Narrow > 0.75 {
			t.Errorf("the chosen priors cover %+v, at least 75 %% in %.2f", total, share)
		}
	}
	integratedPriors = chosen
	compareWithBoTorch(t, coverageSearches(t))
}

// Searches with integrated hyperparameters and the Matérn kernel reach regrets similar to those of the fitted
// squared-exponential kernel. The test reports medians and quartiles over ten seeds each.
func TestRegretOfIntegration(t *testing.T) {
	for _, c := range []struct {
		function string
		n        int
	}{{"branin", 50}, {"hartmann", 100}, {"ackley:5", 60}, {"levy:5", 60}} {
		for _, set := range [][]string{{"kernel=se", "hyperparameters=" + fittedLabel},
			{"kernel=matern52", "hyperparameters=" + fittedLabel},
			{"kernel=se", "hyperparameters=" + integratedLabel},
			{"kernel=matern52", "hyperparameters=" + integratedLabel}} {
			regrets := make([]float64, searchSeeds)
			parallel.Do(searchSeeds, func(i int) {
				p, data := searched(t, c.function, uint64(i+1), c.n, set...)
				regrets[i] = slices.Min(data.Column(0)) - p.Objectives[0].Transform().Apply(p.Optimum().Value)
			})
			slices.Sort(regrets)
			t.Logf("%-9s %3d evaluations, %v: median %.3g, quartiles %.3g and %.3g", c.function, c.n, set,
				(regrets[4]+regrets[5])/2, regrets[2], regrets[7])
		}
	}
}
