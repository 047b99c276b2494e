package weights

import (
	"math"
	"testing"

	"bandscope/model/preference"
	"bandscope/optimizers/testbed"
)

// BenchmarkLearned is what 2,000 particles cost for one answer more, the twenty-first, and for twenty after an edit of
// the prior.
func BenchmarkLearned(b *testing.B) {
	in := testbed.InputFor(b, steered, 2, testbed.ObserveAll(b, "thesis-xy", 20))
	in.Objectives = 2
	rng := in.Stream("bench")
	for range 21 {
		value, two := math.Pi/2*rng.Float64(), math.Pi/2*rng.Float64()
		a := preference.Answer{A: []float64{math.Cos(value), math.Sin(value)}, B: []float64{math.Cos(two), math.Sin(two)},
			Choice: preference.A}
		if 0.7*a.A[0]+0.3*a.A[1] < 0.7*a.B[0]+0.3*a.B[1] {
			a.Choice = preference.B
		}
		in.Answers = append(in.Answers, a)
	}
	all := in.Answers
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			in.Seed++
			in.Answers = all[:20]
			LearnPosterior(in)
			in.Answers = all
			b.StartTimer()
			LearnPosterior(in)
		}
	})
	b.Run("twenty", func(b *testing.B) {
		in.Answers = all[:20]
		for b.Loop() {
			in.Seed++
			LearnPosterior(in)
		}
	})
}
