//go:build study

package nn

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// TestAdamOverTheKinks makes adamObjectives.
func TestAdamOverTheKinks(t *testing.T) {
	for seed, want := range adamObjectives {
		_, report, err := kinked(uint64(seed)).adam(context.Background(), 4000, 0.003)
		require.NoError(t, err)
		if math.Abs(report.Objective-want) > 2e-3*want {
			t.Errorf("seed %d: Adam reaches %g, the fixture says %g", seed, report.Objective, want)
		}
	}
}

// TestBiasOfTrainedNetworks measures the bias of networks trained without noise against Prop. 1 of Paria et al. 2022,
// over 64 pairs of networks of each width (some minutes). With erf units, γ = 2 and 4 data, width times Gauss–Newton
// minus descent is −4.1 ± 1.2, −4.5 ± 0.5, 1.5 ± 0.3 and 3.5 ± 0.7 at width 1024, −4.0 ± 1.1, −4.1 ± 0.6, 2.1 ± 0.3 and
// 1.8 ± 0.5 at width 4096: a bias of O(1/width).
func TestBiasOfTrainedNetworks(t *testing.T) {
	for _, width := range []int{64, 256, 1024, 4096} {
		d := depart(t, width, 64)
		t.Logf("width %d, greatest residual %.1e; mean ± standard error at each input, times the width", width, d.left)
		var gn, gd mat.Dense
		gn.Add(d.linear, d.gn)
		gd.Add(d.linear, d.gd)
		for _, c := range []struct {
			name   string
			values *mat.Dense
		}{{"linear - Prop. 1", d.linear}, {"Gauss-Newton - Prop. 1", &gn}, {"descent - Prop. 1", &gd},
			{"Gauss-Newton - linear", d.gn},
			{"descent - linear", d.gd}, {"nearest - linear", d.nearest},
			{"Gauss-Newton - descent", difference(d.gn, d.gd)},
			{"Gauss-Newton - nearest", difference(d.gn, d.nearest)}} {
			_, points := c.values.Dims()
			line := ""
			for i := range points {
				mean, se := column(c.values, i)
				if c.values == d.gd && math.Abs(mean) > 5*se+8/float64(width) || c.values == d.gn &&
					math.Abs(mean) > 5*se+16/float64(width) {
					t.Errorf("%s at %d: %g ± %g is more than the width explains", c.name, i, mean, se)
				}
				line += fmt.Sprintf("  %8.2f ± %5.2f", float64(width)*mean, float64(width)*se)
			}
			t.Logf("%-24s%s", c.name, line)
		}
	}
}
