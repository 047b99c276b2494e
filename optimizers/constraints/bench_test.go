package constraints

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/synthetic"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// A step of expected improvement with 100 data of six variables: without limits, and with two.
func BenchmarkStep(b *testing.B) {
	for name, count := range map[string]int{"free": 0, "two limits": 2} {
		b.Run(name, func(b *testing.B) {
			spec := WithLimits(gaussian.EI)
			_, data := testbed.Observe(b, "hartmann:6", 100)
			for i := 0; b.Loop(); i++ {
				in := testbed.InputFor(b, spec, 6, data)
				in.Seed = uint64(i) // or the fit is kept
				if count > 0 {
					in.Data.Limits = mat.NewDense(100, count, nil)
					for k := range count {
						in.Limits = append(in.Limits, optimizers.Limit{Name: "c", Min: math.Inf(-1), Max: 0.5,
							Objective: -1})
						for j := range 100 {
							in.Data.Limits.Set(j, k, math.Sin(3*data.X.At(j, k))*data.X.At(j, k+2))
						}
					}
				}
				if _, err := testbed.Fit(b, spec, in).Suggest(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A step with 40 data of a welded beam of steel: four variables and five limits, none of which is known beforehand. A
// warm step follows another one, as in a session that stays open; a cold one is the first after a session is opened.
func BenchmarkBeam(b *testing.B) {
	data := beamData()
	for _, method := range []optimizers.Spec{gaussian.EI, gaussian.UCB} {
		spec := WithLimits(method)
		for _, start := range []string{"cold", "warm"} {
			b.Run(method.Name+"/"+start, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					if start == "warm" {
						b.StopTimer()
						before := beamInput(b, spec, data, 39)
						before.Seed = uint64(i)
						testbed.Fit(b, spec, before)
						b.StartTimer()
					}
					in := beamInput(b, spec, data, 40)
					in.Seed = uint64(i) // or the fit is kept
					if _, err := testbed.Fit(b, spec, in).Suggest(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// beamData are 40 designs of a welded beam of steel, with their costs and the slack of five requirements.
func beamData() optimizers.Data {
	data := optimizers.Data{X: testbed.Probes(40, 4), Y: mat.NewDense(40, 1, nil), Limits: mat.NewDense(40, 5, nil)}
	for i := range 40 {
		x := data.X.RawRowView(i)
		beam := synthetic.Beam{Material: synthetic.Materials[0], H: 0.125 + 2*x[0], L: 0.1 + 10*x[1], T: 1 + 9*x[2],
			B: 0.125 + 2*x[3]}
		data.Y.Set(i, 0, beam.Cost())
		slack := beam.Slack()
		data.Limits.SetRow(i, slack[:])
	}
	return data
}

// beamInput is what a method sees after the first n of these designs.
func beamInput(t testing.TB, spec optimizers.Spec, data optimizers.Data, n int) optimizers.Input {
	in := testbed.InputFor(t, spec, 4, optimizers.Data{X: data.X.Slice(0, n, 0, 4).(*mat.Dense),
		Y: data.Y.Slice(0, n, 0, 1).(*mat.Dense), Limits: data.Limits.Slice(0, n, 0, 5).(*mat.Dense)})
	for range 5 {
		in.Limits = append(in.Limits, optimizers.Limit{Name: "c", Min: 0, Max: math.Inf(1), Objective: -1})
	}
	return in
}
