package registry

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// BenchmarkLarge is the processor time of steps with 10,000 data in ten variables: the first one of a program, with
// imported data, and further ones, each with one more result; and the most memory that the program holds.
func BenchmarkLarge(b *testing.B) {
	const n, more, dim = 10000, 4, 10
	_, data := testbed.Observe(b, "ackley:10", n+more)
	step := func(n int) float64 {
		owner := optimizers.Data{X: data.X.Slice(0, n, 0, dim).(*mat.Dense), Y: data.Y.Slice(0, n, 0, 1).(*mat.Dense),
			Imports: [][2]int{{0, 10000}}}
		start := processorTime()
		if _, err := testbed.Fit(b, gaussian.EI, testbed.InputFor(b, gaussian.EI, dim, owner)).Suggest(b.Context()); err != nil {
			b.Fatal(err)
		}
		return processorTime() - start
	}
	cold, warm := 0.0, 0.0
	for b.Loop() {
		renew(data)
		cold += step(n)
		for i := range more {
			warm += step(n+1+i) / more
		}
	}
	b.ReportMetric(cold/float64(b.N), "cold-cpu-s")
	b.ReportMetric(warm/float64(b.N), "warm-cpu-s")
	b.ReportMetric(float64(peak(b)), "peak-MB")
}
