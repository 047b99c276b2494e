//go:build study

package evaluator

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"bandscope/functions/trainer"
)

// A random search of 200 evaluations has the quantiles that another implementation of the same text found, at the same
// points. Tolerances are some standard errors of a quantile of
// 200. Where embeddings collapse, in the lowest tenth, trainings are chaotic: the work of their search is not compared.
func TestRandomSearchIsThatOfThePrototype(t *testing.T) {
	points := []float64{0.1, 0.25, 0.5, 0.75, 0.9}
	for _, c := range []struct {
		problem *Problem
		stream  uint64
		point   func(u []float64) []float64
		dim     int
		want    [][]float64
		within  [][]float64
	}{
		{SparseRetrieval("retrieval"), 90, func(u []float64) []float64 {
			x := []float64{0.3 * math.Pow(200, u[0]), 0.02 + 0.98*u[1], 32 + math.Floor(129*u[2]),
				0.03 * math.Pow(40./3, u[3]), u[4] / 2, math.Floor(2 * u[5])}
			return x
		}, 6, [][]float64{{10.7, 41.9, 60.4, 69.8, 75.75}, {0.27, 1.51, 4.84, 10.1, 27.0}},
			[][]float64{{4, 3, 2, 2, 1}, {math.Inf(1), 0.3, 0.7, 1.5, 3}}},
		{HierarchyForecast("forecast"), 91, func(u []float64) []float64 {
			return []float64{math.Pow(10, 6*u[0]-6), math.Pow(32, u[1]), 2 + math.Floor(11*u[2]),
				1e-3 * math.Pow(50, u[3]), 1 + math.Floor(8*u[4])}
		}, 5,
			[][]float64{{4.96, 5.43, 6.15, 6.74, 7.23}, {11.91, 12.27, 12.99, 13.76, 14.57},
				{0.252, 0.499, 0.852, 1.52, 3.27}},
			[][]float64{{0.2, 0.2, 0.2, 0.2, 0.3}, {0.15, 0.15, 0.15, 0.2, 0.3}, {0.05, 0.06, 0.08, 0.2, 0.5}}},
	} {
		t.Run(c.problem.name, func(t *testing.T) {
			source, values := trainer.NewSource(1, c.stream), make([][]float64, len(c.want))
			var took []float64
			for range 200 {
				u := make([]float64, c.dim)
				for j := range u {
					u[j] = source.Float64()
				}
				begun := time.Now()
				o, err := c.problem.Evaluate(t.Context(), c.point(u), nil)
				if err != nil || o.Failed != "" {
					t.Fatalf("%v: %+v, %v", c.point(u), o, err)
				}
				took = append(took, time.Since(begun).Seconds())
				for k, v := range o.Values {
					values[k] = append(values[k], v)
				}
			}
			slices.Sort(took)
			t.Logf("%.2f s in the median, %.2f s at most", took[100], took[199])
			for k, v := range values {
				slices.Sort(v)
				for i, p := range points {
					if got := stat.Quantile(p, stat.LinInterp, v, nil); math.Abs(got-c.want[k][i]) > c.within[k][i] {
						t.Errorf("the %g quantile of value %d is %.4g, want %.4g", p, k, got, c.want[k][i])
					} else {
						t.Logf("the %g quantile of value %d is %.4g, the prototype's %.4g", p, k, got, c.want[k][i])
					}
				}
			}
		})
	}
}
