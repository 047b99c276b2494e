package registry

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// BenchmarkCold is the processor time of the first step of a program with imported data, on Ackley's function: the fit,
// and the search for the next point.
func BenchmarkCold(b *testing.B) {
	for _, c := range []struct{ n, d int }{{100, 2}, {200, 20}, {500, 20}, {1000, 100}, {2000, 10}} {
		b.Run(fmt.Sprintf("n=%d/d=%d", c.n, c.d), func(b *testing.B) {
			p, data := testbed.Observe(b, fmt.Sprintf("ackley:%d", c.d), c.n)
			data.Imports = [][2]int{{0, c.n}}
			in := testbed.InputFor(b, gaussian.EI, p.Dim(), data)
			fitting, searching := 0.0, 0.0
			for b.Loop() {
				renew(in.Data)
				start := processorTime()
				belief, err := gaussian.EI.Fit(b.Context(), in)
				require.NoError(b, err)
				between := processorTime()
				_, err = belief.Suggest(b.Context())
				require.NoError(b, err)
				fitting, searching = fitting+between-start, searching+processorTime()-between
			}
			b.ReportMetric(1e3*fitting/float64(b.N), "fit-cpu-ms")
			b.ReportMetric(1e3*searching/float64(b.N), "search-cpu-ms")
		})
	}
}
