package retrieval

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// One training of the problem's defaults.
func BenchmarkTraining(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		t, err := New(Defaults())
		require.NoError(b, err)
		for t.At() < t.TotalUpdates() {
			require.NoError(b, t.Step())
		}
	}
}

// One update, of which none allocates.
func BenchmarkStep(b *testing.B) {
	s := Defaults()
	s.Steps = 10000
	t, err := New(s)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if t.At() == t.TotalUpdates() {
			b.StopTimer()
			t, _ = New(s)
			b.StartTimer()
		}
		require.NoError(b, t.Step())
	}
}

func BenchmarkJudge(b *testing.B) {
	t, err := New(Defaults())
	require.NoError(b, err)
	for b.Loop() {
		t.Evaluate()
	}
}

// Search with and without an index, 20,000 rows of 128 values, by density.
func BenchmarkRace(b *testing.B) {
	for _, c := range []struct {
		name    string
		density float64
	}{{"0.50", 0.5}, {"0.24", 0.24}, {"0.12", 0.12}, {"0.06", 0.06}, {"0.05", 0.05}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s, err := MeasureSearch(context.Background(), 20000, even(128, c.density), 1)
				require.NoError(b, err)
				b.ReportMetric(s.Flops, "F")
				b.ReportMetric(s.Speedup(), "gain")
				b.ReportMetric(128/s.Flops, "d/F")
				b.ReportMetric(float64(s.Sparse.Microseconds()), "µs/sparse")
				b.ReportMetric(float64(s.Dense.Microseconds()), "µs/dense")
			}
		})
	}
}
