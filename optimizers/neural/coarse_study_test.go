//go:build study

package neural

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// TestLikenessesLoseNothing: on networks of width 5000 that were trained, searches that look through likenesses first
// end no higher in the mean than searches that look at the whole networks everywhere, to a hundredth of the spread of
// the data, with 95 % confidence.
func TestLikenessesLoseNothing(t *testing.T) {
	ctx := context.Background()
	for _, spec := range []optimizers.Spec{Greedy, PosteriorGreedy} {
		for _, c := range []struct {
			function, gamma string
			n               int
		}{{"forrester", "2", 12}, {"branin", "2", 30}, {"branin", "4", 50}, {"hartmann:3", "2", 50},
			{"ackley:4", "2", 50}, {"hartmann:6", "0.5", 50}} {
			p, data := testbed.Observe(t, c.function, c.n)
			var loss []float64
			through := 0
			for seed := range uint64(10) {
				in := testbed.InputFor(t, spec, p.Dim(), data, "gamma="+c.gamma)
				in.Seed = seed
				b := testbed.Fit(t, spec, in).(*trainedBelief)
				draw, space := DrawFor(in, b.used[0]), search.NewSpace(in)
				_, want, err := search.Maximize(ctx, space, draw.MinTarget(), in.Stream("acquisition"),
					search.Incumbents(in.Data, 3))
				require.NoError(t, err)
				if draw.Approximate, err = coarseApproximation(ctx, in, b.arch, b.used[0], space,
					in.Stream("likeness")); err != nil {
					t.Fatal(err)
				}
				if draw.Approximate != nil {
					through++
				}
				_, got, err := search.Maximize(ctx, space, draw.MinTarget(), in.Stream("acquisition"),
					search.Incumbents(in.Data, 3))
				require.NoError(t, err)
				loss = append(loss, want-got)
			}
			mean, sd := stat.MeanStdDev(loss, nil)
			half := 2.262 * sd / math.Sqrt(float64(len(loss))) // Student's t, 9 degrees of freedom
			t.Logf("%s on %s, γ = %s: %d of %d through a likeness, loss %.2g ± %.2g", spec.Name, c.function, c.gamma,
				through, len(loss), mean, half)
			if mean+half > 0.01 && mean-half > 0 || mean > 0.01 {
				t.Errorf("%s on %s, γ = %s: the searches lose %.3g ± %.3g", spec.Name, c.function, c.gamma, mean, half)
			}
		}
	}
}
