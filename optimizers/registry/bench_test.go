package registry

import (
	"context"
	"math"
	"testing"

	"bandscope/optimizers"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/costaware"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/testbed"
)

// step measures one whole step of a method: fitting the belief and finding the next point.
func step(b *testing.B, spec optimizers.Spec, function string, n int, set ...string) {
	p, data := testbed.Observe(b, function, n)
	in := testbed.InputFor(b, spec, p.Dim(), data, set...)
	for b.Loop() {
		renew(in.Data)
		if _, err := testbed.Fit(b, spec, in).Suggest(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// renew changes the last outcome a little, so that its fit is not one that is known.
func renew(data optimizers.Data) {
	last := data.Y.RawRowView(data.Len() - 1)
	last[0] = math.Nextafter(last[0], math.Inf(1))
}

// Baseline: width 500 instead of 5,000. BenchmarkGrowing has those of Gaussian processes.
func BenchmarkStepGreedy50(b *testing.B) { step(b, neural.Greedy, "forrester", 50) }
func BenchmarkStepGreedy50Narrow(b *testing.B) {
	step(b, neural.Greedy, "forrester", 50, "width=500")
}
func BenchmarkStepGreedy50Branin(b *testing.B) { step(b, neural.Greedy, "branin", 50) }

// Baseline: StepGreedy50Branin, with γ as it is given.
func BenchmarkStepGreedy50AutoGamma(b *testing.B) {
	step(b, neural.Greedy, "branin", 50, "auto_gamma=on")
}

// Baseline: StepGreedy50Branin, a network without the random function.
func BenchmarkStepPosterior50(b *testing.B)   { step(b, neural.PosteriorGreedy, "branin", 50) }
func BenchmarkStepGreedyAckley5(b *testing.B) { step(b, neural.Greedy, "ackley:5", 60) }

// Baseline: half of the data.
func BenchmarkStepPosterior1000(b *testing.B) { step(b, neural.PosteriorGreedy, "ackley:100", 1000) }
func BenchmarkStepPosterior500(b *testing.B)  { step(b, neural.PosteriorGreedy, "ackley:100", 500) }

func BenchmarkStepGPTS50(b *testing.B) { step(b, gaussian.TS, "branin", 50) }

// BenchmarkEnsemble trains the hundred networks of a band, width 1000, 20 data, and evaluates them at 241 inputs.
func BenchmarkEnsemble(b *testing.B) {
	p, data := testbed.Observe(b, "forrester", 20)
	in := testbed.InputFor(b, neural.Greedy, p.Dim(), data, "width=1000", "ensemble=100")
	x := testbed.Probes(241, 1)
	for b.Loop() {
		if _, err := testbed.Fit(b, neural.Greedy, in).Predict(context.Background(), x); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is one whole step of every method at the sizes of the table in the guide to the performance: two
// variables and 50 data, twenty and 200.
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

// BenchmarkStepSeveral is one whole step of every method for several objectives: two of four variables, and three of
// seven with a front of 30 points, 100 data each.
func BenchmarkStepSeveral(b *testing.B) {
	spherical := testbed.ObserveAll(b, "dtlz2-k3", 100)
	for i := range 100 { // 30 points of a sphere, and the others behind it
		x, y := spherical.X.RawRowView(i), spherical.Y.RawRowView(i)
		value := 1.0
		if i >= 30 {
			value = 1.5 + x[6]
		}
		a, c := x[0]*math.Pi/2, x[1]*math.Pi/2
		y[0], y[1], y[2] = value*math.Cos(a)*math.Cos(c), value*math.Cos(a)*math.Sin(c), value*math.Sin(a)
	}
	for _, spec := range All() {
		if !spec.Multi || spec.Name == baselines.Random.Name {
			continue
		}
		for _, c := range []struct {
			name            string
			dim, objectives int
			data            optimizers.Data
		}{{"2", 4, 2, testbed.ObserveAll(b, "branin4-currin4", 100)}, {"3", 7, 3, spherical}} {
			in := testbed.InputFor(b, spec, c.dim, c.data)
			in.Objectives = c.objectives
			b.Run(spec.Name+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					renew(in.Data)
					if _, err := testbed.Fit(b, spec, in).Suggest(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkStepFidelity is one whole step of the methods that look at the fidelity's cost, after 100 data.
func BenchmarkStepFidelity(b *testing.B) {
	for _, spec := range []optimizers.Spec{costaware.MFMES, costaware.MESPerCost} {
		in := testbed.WithFidelity(b, spec, 100)
		b.Run(spec.Name, func(b *testing.B) {
			for b.Loop() {
				renew(in.Data)
				if _, err := testbed.Fit(b, spec, in).Suggest(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
