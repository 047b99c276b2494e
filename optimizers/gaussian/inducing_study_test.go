//go:build study

package gaussian

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/model/gp"
	"bandscope/optimizers/testbed"
)

// Inference through inducing points is compared with exact inference with the same hyperparameters and 2,000 results: the differences of the means,
// in standard deviations of the exact band; the mean ratio of the bands; the log predictive density; and the point that
// gp-ei suggests: its expected improvement by exact inference, and its value. The second half of the points of the test
// are near the best result.
func TestInducingAgainstExact(t *testing.T) {
	const n, probes = 2000, 1000
	for _, name := range []string{"ackley:10", "rosenbrock:10", "levy:10", "hartmann"} {
		d, data := visited(t, name, n, 1)
		p, err := functions.Find(name, 1)
		require.NoError(t, err)
		points, r := testbed.Probes(probes, d), rng.New(2, 0, "probes")
		best := 0
		for i := range n {
			if data.Y.At(i, 0) < data.Y.At(best, 0) {
				best = i
			}
		}
		for i := probes / 2; i < probes; i++ {
			for j := range d {
				points.Set(i, j, min(max(data.X.At(best, j)+0.05*r.NormFloat64(), 0), 1))
			}
		}
		truth := func(x []float64) float64 {
			v, _ := p.TrueValues(p.Domain.FromUnit(x))
			return p.Objectives[0].Transform().Apply(v[0])
		}
		in := testbed.InputFor(t, EI, d, data, "inference=inducing")
		sparse, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		mode := sparse.GP.Mode()
		f := newPrefix(in, 0, gpOptions(in), n)
		fmt.Printf("%s: noise %.3g\n", name, mode.Noise())
		g, err := gp.New(mode.Kernel(), mode.Noise(), f.all.x, f.all.y)
		require.NoError(t, err)
		exact := processFor(in, 0, sparse.Scale, gp.NewMixture(g))
		scoredBelief, err := exact.ScoredBelief(t.Context(), scoreByEI)
		require.NoError(t, err)
		for _, c := range []struct {
			what string
			of   *Process
		}{{"exact", exact}, {"inducing points", sparse}} {
			mean, sd, err := c.of.GP.Predict(t.Context(), points)
			want, wide, _ := exact.GP.Predict(t.Context(), points)
			require.NoError(t, err)
			b, err := c.of.ScoredBelief(t.Context(), scoreByEI)
			require.NoError(t, err)
			s, err := b.Suggest(t.Context())
			require.NoError(t, err)
			ei, _ := scoredBelief.Acquisition(t.Context(), s.X)
			fmt.Printf("  %-16s", c.what)
			for half := range 2 {
				off, ratio, lpd, rmse := 0.0, 0.0, 0.0, 0.0
				for i := half * probes / 2; i < (half+1)*probes/2; i++ {
					y := (truth(points.RawRowView(i)) - exact.Scale.Mean) / exact.Scale.SD
					v := sd[i]*sd[i] + c.of.GP.Noise()*c.of.GP.Noise()
					off += (mean[i] - want[i]) * (mean[i] - want[i]) / (wide[i] * wide[i])
					ratio += math.Log(sd[i] / wide[i])
					lpd += -0.5*math.Log(2*math.Pi*v) - (y-mean[i])*(y-mean[i])/(2*v)
					rmse += (y - mean[i]) * (y - mean[i])
				}
				const c = probes / 2
				fmt.Printf(" | Δmean %.2f sd, band × %.2f, rmse %.4f, lpd %.2f", math.Sqrt(off/c), math.Exp(ratio/c),
					math.Sqrt(rmse/c), lpd/c)
			}
			fmt.Printf(" | EI %.4g, value %.4g (best %.4g)\n", ei[0], truth(mat.Row(nil, 0, s.X)), data.Y.At(best, 0))
		}
	}
}
