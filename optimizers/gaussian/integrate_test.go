package gaussian

import (
	"fmt"
	"testing"

	"bandscope/optimizers/testbed"
)

// BenchmarkStep times a step of a search (fit and suggestion) with fitted and with integrated hyperparameters.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		function string
		n        int
	}{{"branin", 20}, {"hartmann:3", 30}, {"hartmann", 50}, {"hartmann", 100}} {
		p, data := testbed.Observe(b, c.function, c.n)
		for _, values := range []string{fittedLabel, integratedLabel} {
			b.Run(fmt.Sprintf("%s/%d/%s", c.function, c.n, values), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					in := testbed.InputFor(b, EI, p.Dim(), data, "kernel=matern52", "hyperparameters="+values)
					in.Seed = uint64(i) // no fit is cached
					if _, err := testbed.Fit(b, EI, in).Suggest(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
