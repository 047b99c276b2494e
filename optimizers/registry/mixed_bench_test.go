package registry

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// mixedInput is what a method sees of four numbers, two integers and two choices after n data.
func mixedInput(t testing.TB, spec optimizers.Spec, n int) optimizers.Input {
	d := &space.Domain{Inputs: make([]space.Input, 8)}
	for j, count := range map[int]int{4: 11, 5: 5, 6: 5, 7: 3} {
		for i := range count {
			d.Inputs[j].Levels = append(d.Inputs[j].Levels, float64(i)/float64(count-1))
		}
		d.Inputs[j].Choice = j > 5
	}
	x, y := testbed.Probes(n, 8), mat.NewDense(n, 1, nil)
	for i := range n {
		u := d.Snap(x.RawRowView(i))
		y.Set(i, 0, math.Sin(3*u[0])+u[1]*u[1]-u[2]*u[3]+math.Pow(u[4]-0.3, 2)+0.3*u[5]*u[0]+
			[]float64{0.2, -0.1, 0.4, 0, 0.3}[int(math.Round(4*u[6]))]*(1+u[1])+0.2*math.Cos(5*u[7]))
	}
	in := testbed.InputFor(t, spec, 8, optimizers.Data{X: x, Y: y})
	in.Domain = d
	return in
}

// BenchmarkMixed is a step of gp-ei over four numbers, two integers and two choices after 100 data: of a program that
// has just started, and after a step before it; and where the numbers sum to one and there is another constraint.
func BenchmarkMixed(b *testing.B) {
	for _, name := range []string{"first", "next", "constrained"} {
		b.Run(name, func(b *testing.B) {
			in := mixedInput(b, gaussian.EI, 100)
			if name == "constrained" {
				in.Domain.Linear = []space.Linear{{A: []float64{1, 1, 1, 1, 0, 0, 0, 0}, B: 1, Equal: true}}
				in.Domain.Nonlinear = []space.Constraint{{Func: func(u []float64) float64 { return u[0]*u[4] - 0.2 }}}
			}
			start, steps := processorTime(), 0
			for i := 0; b.Loop(); i++ {
				if name == "first" {
					in.Seed = uint64(i + 1)
				} else {
					renew(in.Data)
				}
				ask(b, gaussian.EI, in)
				steps++
			}
			b.ReportMetric(1e3*(processorTime()-start)/float64(steps), "cpu-ms/op")
		})
	}
}
