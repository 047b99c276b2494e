package optimizers

import (
	"context"
	"math"
	"testing"

	"bandscope/model/preference"
)

// step measures one whole step of a method: fitting the belief and finding the next point.
func step(b *testing.B, spec Spec, function string, n int, set ...string) {
	p, data := observe(b, function, n)
	in := input(b, spec, p.Dim(), data, set...)
	for b.Loop() {
		if _, err := fit(b, spec, in).Suggest(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// Baselines: one start instead of five for the Gaussian process, width 500 instead of 5,000 for the network.
func BenchmarkStepGPEI100(b *testing.B)         { step(b, gpEI, "branin", 100) }
func BenchmarkStepGPEI100OneStart(b *testing.B) { step(b, gpEI, "branin", 100, "restarts=1") }
func BenchmarkStepGreedy50(b *testing.B)        { step(b, neuralGreedy, "forrester", 50) }
func BenchmarkStepGreedy50Narrow(b *testing.B)  { step(b, neuralGreedy, "forrester", 50, "width=500") }
func BenchmarkStepGreedy50Branin(b *testing.B)  { step(b, neuralGreedy, "branin", 50) }
func BenchmarkStepGPTS50(b *testing.B)          { step(b, gpTS, "branin", 50) }

// BenchmarkEnsemble trains the hundred networks of a band, width 1000, 20 data, and evaluates them at 241 inputs.
func BenchmarkEnsemble(b *testing.B) {
	p, data := observe(b, "forrester", 20)
	in := input(b, neuralGreedy, p.Dim(), data, "width=1000", "ensemble=100")
	x := probes(241, 1)
	for b.Loop() {
		if _, err := fit(b, neuralGreedy, in).Predict(context.Background(), x); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is one whole step of every method at the sizes of the README's table: two variables and 50 data, twenty and 200.
func BenchmarkStep(b *testing.B) {
	for _, size := range []struct {
		function string
		n        int
	}{{"branin", 50}, {"ackley:20", 200}} {
		for _, spec := range All() {
			b.Run(spec.Name+"/"+size.function, func(b *testing.B) { step(b, spec, size.function, size.n) })
		}
	}
}

// BenchmarkStepSeveral is one whole step of every method for several objectives: two of four variables, and three of seven with a front of 30 points, 100 data
// each.
func BenchmarkStepSeveral(b *testing.B) {
	spherical := observeAll(b, "dtlz2-k3", 100)
	for i := range 100 { // 30 points of a sphere, and the others behind it
		x, y := spherical.X.RawRowView(i), spherical.Y.RawRowView(i)
		far := 1.0
		if i >= 30 {
			far = 1.5 + x[6]
		}
		a, c := x[0]*math.Pi/2, x[1]*math.Pi/2
		y[0], y[1], y[2] = far*math.Cos(a)*math.Cos(c), far*math.Cos(a)*math.Sin(c), far*math.Sin(a)
	}
	for _, spec := range All() {
		if !spec.Multi || spec.Name == randomSearch.Name {
			continue
		}
		for _, c := range []struct {
			name            string
			dim, objectives int
			data            Data
		}{{"2", 4, 2, observeAll(b, "branin4-currin4", 100)}, {"3", 7, 3, spherical}} {
			in := input(b, spec, c.dim, c.data)
			in.Objectives = c.objectives
			b.Run(spec.Name+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					if _, err := fit(b, spec, in).Suggest(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLearned is what 2,000 particles cost for one answer more, the twenty-first, and for twenty after an edit of the prior.
func BenchmarkLearned(b *testing.B) {
	in := input(b, moboTS, 2, observeAll(b, "thesis-xy", 20))
	in.Objectives = 2
	rng := in.Stream("bench")
	for range 21 {
		one, two := math.Pi/2*rng.Float64(), math.Pi/2*rng.Float64()
		a := preference.Answer{A: []float64{math.Cos(one), math.Sin(one)}, B: []float64{math.Cos(two), math.Sin(two)}, Choice: preference.A}
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
			Learned(in)
			in.Answers = all
			b.StartTimer()
			Learned(in)
		}
	})
	b.Run("twenty", func(b *testing.B) {
		in.Answers = all[:20]
		for b.Loop() {
			in.Seed++
			Learned(in)
		}
	})
}

// BenchmarkStepFidelity is one whole step of the methods that look at the fidelity's cost, after 100 data.
func BenchmarkStepFidelity(b *testing.B) {
	for _, spec := range []Spec{mfMES, costMES} {
		in := fidelityInput(b, spec, 100)
		b.Run(spec.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := fit(b, spec, in).Suggest(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
