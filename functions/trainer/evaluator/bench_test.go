package evaluator

import "testing"

// One evaluation of each kind, none remembered.
func BenchmarkEvaluate(b *testing.B) {
	for _, c := range []struct {
		name    string
		problem *Problem
		x       []float64
	}{
		{"retrieval", SparseRetrieval("b"), []float64{12, 0.8, 128, 0.2, 0.2, 0}},
		{"retrieval-largest", SparseRetrieval("b"), []float64{0.3, 0.8, 160, 0.4, 0.2, 1}},
		{"hierarchy", HierarchyForecast("b"), []float64{0.01, 4, 8, 0.01, 4}},
		{"hierarchy-lstm", HierarchyForecast("b"), []float64{0.01, 4, 8, 0.01, 4, 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.problem.train(b.Context(), c.x, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
