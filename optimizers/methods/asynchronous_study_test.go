//go:build study

package methods

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// With four points out at a time, told in random order, the simple regret after 40 results lies where that of a run lies which waits for every result and has three fewer: within
// the interval of the difference of the logarithms over seeds, or below.
func TestFourOutCostLittle(t *testing.T) {
	for _, name := range []string{"gp-ei", "gp-ucb", "gp-ts", "mes"} {
		spec, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		const seeds = 10
		var four, one, differences []float64
		for seed := range uint64(seeds) {
			a, b := asynchronous(t, *spec, "branin", 4, 40, seed+1)-braninLeast, asynchronous(t, *spec, "branin", 1, 37, seed+1)-braninLeast
			four, one = append(four, a), append(one, b)
			differences = append(differences, math.Log10(max(a, 1e-9))-math.Log10(max(b, 1e-9)))
		}
		mean, sd := stat.MeanStdDev(differences, nil)
		slices.Sort(four)
		slices.Sort(one)
		t.Logf("%s: median regret %.2g with four out, %.2g one after the other; log10 of the ratio %.2f ± %.2f", name, four[seeds/2], one[seeds/2], mean, sd/math.Sqrt(seeds))
		if mean-2.26*sd/math.Sqrt(seeds) > 0 {
			t.Errorf("%s: four out cost more than three results", name)
		}
	}
}
