package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/testbed"
)

// BenchmarkAsk is the fit and the suggestion after 100 results in six dimensions, as of a program that has just
// started: alone, and with three points out. Another seed each time keeps what was fitted before from serving.
func BenchmarkAsk(b *testing.B) {
	for name, out := range map[string]*mat.Dense{"alone": nil, "three out": testbed.Probes(3, 6)} {
		b.Run(name, func(b *testing.B) {
			spec, err := Find("gp-ei")
			require.NoError(b, err)
			_, data := testbed.Observe(b, "hartmann:6", 100)
			in := testbed.InputFor(b, *spec, 6, data)
			in.Pending = out
			for i := 0; b.Loop(); i++ {
				in.Seed = uint64(i + 1)
				ask(b, *spec, in)
			}
		})
	}
}
