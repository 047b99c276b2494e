package retrieval

import (
	"context"
	"testing"
)

// One training of the problem's defaults.
func BenchmarkTraining(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		t, err := New(Defaults())
		if err != nil {
			b.Fatal(err)
		}
		for t.At() < t.TotalUpdates() {
			if err := t.Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// One update, of which none allocates.
func BenchmarkStep(b *testing.B) {
	s := Defaults()
	s.Steps = 10000
	t, err := New(s)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if t.At() == t.TotalUpdates() {
			b.StopTimer()
			t, _ = New(s)
			b.StartTimer()
		}
		if err := t.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	t, err := New(Defaults())
	if err != nil {
		b.Fatal(err)
	}
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
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(s.Flops, "F")
				b.ReportMetric(s.Speedup(), "gain")
				b.ReportMetric(128/s.Flops, "d/F")
				b.ReportMetric(float64(s.Sparse.Microseconds()), "µs/sparse")
				b.ReportMetric(float64(s.Dense.Microseconds()), "µs/dense")
			}
		})
	}
}
