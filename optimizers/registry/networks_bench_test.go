package registry

import (
	"testing"

	"bandscope/optimizers"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/testbed"
)

// BenchmarkNetworks is one whole step of methods that train networks on data that are difficult to fit, in processor
// time: rough ones for the number of inputs, or many.
func BenchmarkNetworks(b *testing.B) {
	for _, c := range []struct {
		spec     optimizers.Spec
		function string
		n        int
	}{
		{neural.Greedy, "ackley:2", 100},
		{neural.PosteriorGreedy, "ackley:10", 200},
		{neural.STOBNTS, "branin", 50},
		{neural.EnsemblesEI, "ackley:20", 200},
	} {
		b.Run(c.spec.Name, func(b *testing.B) {
			p, data := testbed.Observe(b, c.function, c.n)
			in := testbed.InputFor(b, c.spec, p.Dim(), data)
			start := processorTime()
			for b.Loop() {
				renew(in.Data)
				if _, err := testbed.Fit(b, c.spec, in).Suggest(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(1e3*(processorTime()-start)/float64(b.N), "cpu-ms/op")
		})
	}
}
