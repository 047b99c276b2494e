package gaussian

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/testbed"
)

// A belief without an observation equals that of a process conditioned on all others, with the same kernel, noise and
// scale: band, incumbent and acquisition function, with and without noise.
func TestWithoutADatum(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 9)
	probes := testbed.Probes(7, 2)
	for _, set := range [][]string{{"restarts=1", "hyperparameters=fitted", "noise=fixed"},
		{"restarts=1", "hyperparameters=fitted", "noise=fixed", "noise_sd=0.3"}} {
		in := testbed.InputFor(t, EI, 2, data, set...)
		p, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		ei, ucb := testbed.Fit(t, EI, in), testbed.Fit(t, UCB, testbed.InputFor(t, UCB, 2, data, set...))
		for i := range data.Len() {
			less := data.Without(i)
			g, err := gp.New(p.GP.Mode().Kernel(), p.GP.Noise(), less.X, p.Scale.Apply(less.Column(0)))
			require.NoError(t, err)
			mean, sd, _ := g.Predict(t.Context(), probes)
			best := math.Inf(1)
			for j := range less.Len() {
				v := (less.Y.At(j, 0) - p.Scale.Mean) / p.Scale.SD
				if set[len(set)-1] == "noise_sd=0.3" {
					v = g.Mean(less.X.RawRowView(j))
				}
				best = min(best, v)
			}
			for name, b := range map[string]optimizers.Belief{"EI": ei, "UCB": ucb} {
				without, err := b.(optimizers.LeaveOutRefitter).LeaveOut(t.Context(), i)
				require.NoError(t, err)
				band, _ := without.Predict(t.Context(), probes)
				acq, _ := without.Acquisition(t.Context(), probes)
				for j := range mean {
					m, s := p.Scale.Value(mean[j]), sd[j]*p.Scale.SD
					want := normdist.ExpectedImprovement(m, s, p.Scale.Value(best))
					if name == "UCB" {
						want = m - math.Sqrt(0.125*math.Log(2*10+1))*s // the step counts all observations
					}
					if math.Abs(band[0].Mean[j]-m) > 1e-8*(1+math.Abs(m)) || math.Abs(band[0].SD[j]-s) > 1e-7*(1+s) ||
						math.Abs(acq[j]-want) > 1e-7*(1+math.Abs(want)) {
						t.Errorf("%s without %d: %g ± %g and %g, want %g ± %g and %g", name, i, band[0].Mean[j],
							band[0].SD[j], acq[j], m, s, want)
					}
				}
			}
		}
	}
}

// The draw of a belief without an observation passes through the other observations, and no longer through that one.
func TestADrawWithoutADatum(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	b := testbed.Fit(t, TS, testbed.InputFor(t, TS, 1, data, "restarts=1", "noise=fixed"))
	without, err := b.(optimizers.LeaveOutRefitter).LeaveOut(t.Context(), 2)
	require.NoError(t, err)
	draw, err := without.Used(t.Context(), data.X)
	require.NoError(t, err)
	off := func(i int) float64 { return math.Abs(draw[0][i]-data.Y.At(i, 0)) / mat.Max(data.Y) }
	for i := range data.Len() {
		if (i == 2) != (off(i) > 0.01) {
			t.Errorf("at observation %d the draw differs by %g of the greatest value", i, off(i))
		}
	}
}
