package registry

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// ask is what a method suggests with points out.
func ask(t testing.TB, spec optimizers.Spec, in optimizers.Input) (optimizers.Belief, optimizers.Suggestion) {
	t.Helper()
	b := testbed.Fit(t, spec, in)
	s, err := b.Suggest(t.Context())
	require.NoError(t, err, "%s with %v out", spec.Name, in.Pending)
	return b, s
}

// Four points that are asked for one after the other are four, of every method; where a method has an acquisition, what
// is suggested while points are out is where it is best among many points that are not out.
func TestFourPointsOutAreFour(t *testing.T) {
	_, single := testbed.Observe(t, "branin", 8)
	several := testbed.ObserveAll(t, "branin-currin", 8)
	probes := testbed.Probes(60, 2)
	for _, spec := range sample.Of(All(), 3, 4) {
		data, objectives := single, 1
		if spec.Multi && spec.Name != "random" {
			data, objectives = several, 2
		}
		in := testbed.InputFor(t, spec, 2, data, cheap...)
		in.Objectives = objectives
		for len(search.NewSpace(in).Pending) < 4 {
			b, s := ask(t, spec, in)
			x := s.X.RawRowView(0)
			for _, out := range search.NewSpace(in).Pending {
				if distance := math.Max(math.Abs(out[0]-x[0]), math.Abs(out[1]-x[1])); distance < 1e-3 {
					t.Errorf("%s: with %d out it suggests %v, which is out", spec.Name,
						len(search.NewSpace(in).Pending), x)
				}
			}
			l := b.Legend()
			limiter, limited := b.(optimizers.Constrained)
			if limited {
				allowed, err := limiter.Feasible(t.Context(), probes)
				limited = err != nil || allowed != nil
			}
			if here, err := b.Acquisition(t.Context(), s.X); err == nil && !limited && in.Pending != nil {
				all, err := b.Acquisition(t.Context(), probes)
				require.NoError(t, err)
				for i, v := range all {
					better := v - here[0]
					if l.LowerIsBetter {
						better = -better
					}
					if better > 1e-6*(1+math.Abs(here[0])) && !nearOut(probes.RawRowView(i), in) {
						t.Errorf("%s: %q is %g at %v, %g at the suggestion %v", spec.Name, l.Acquisition, v,
							probes.RawRowView(i), here[0], x)
						break
					}
				}
			}
			in.Pending = search.Stack(in.Pending, mat.DenseCopyOf(s.X))
			in.Step++
		}
	}
}

func nearOut(x []float64, in optimizers.Input) bool {
	for _, out := range search.NewSpace(in).Pending {
		if math.Abs(out[0]-x[0]) < search.AvoidRadius && math.Abs(out[1]-x[1]) < search.AvoidRadius {
			return true
		}
	}
	return false
}

// With a point out exactly where the acquisition is greatest the next one moves, by the acquisition itself where it
// counts with what is out, and the belief about the values, which is one of the data, stays what it was.
func TestTheNextPointMoves(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 8)
	x := testbed.Probes(20, 2)
	for i, name := range []string{
		"gp-ei", "gp-ucb", "ei-per-cost", "mes", "dngo", "neural-lin-ucb", "neural-ucb", "ntk-ucb", "uncertainty",
		"neural-ensembles-ei"} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		spec, err := Find(name)
		require.NoError(t, err)
		in := testbed.InputFor(t, *spec, 2, data, cheap...)
		before, first := ask(t, *spec, in)
		in.Pending = mat.DenseCopyOf(first.X)
		after, second := ask(t, *spec, in)
		if mat.EqualApprox(first.X, second.X, 1e-3) {
			t.Errorf("%s: %v is out, and suggested", name, first.X.RawRowView(0))
		}
		a, err := before.Predict(t.Context(), x)
		require.NoError(t, err)
		b, err := after.Predict(t.Context(), x)
		require.NoError(t, err)
		for i := range a[0].Mean {
			if a[0].Mean[i] != b[0].Mean[i] || a[0].SD[i] != b[0].SD[i] {
				t.Errorf("%s: a point that is out changes what is believed: %g ± %g, %g ± %g", name, a[0].Mean[i],
					a[0].SD[i], b[0].Mean[i], b[0].SD[i])
				break
			}
		}
		was, err := before.Acquisition(t.Context(), first.X)
		require.NoError(t, err)
		acquisition, err := after.Acquisition(t.Context(), first.X)
		require.NoError(t, err)
		if lower := after.Legend().LowerIsBetter; name != "neural-ensembles-ei" &&
			(lower && acquisition[0] <= was[0] || !lower && acquisition[0] >= was[0]) {
			t.Errorf("%s: where a point is out the acquisition is %g, it was %g", name, acquisition[0], was[0])
		}
	}
}
