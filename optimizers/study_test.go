//go:build study

package optimizers

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
)

// TestBranin runs the methods on Branin–Hoo with T = 50 and default settings over ten seeds: the median simple regret of gp-ei and of
// neural-greedy is at most 0.001 (Nadigatla 2022, table 5.1, has means of 0.052 and 0.130).
func TestBranin(t *testing.T) {
	p, err := functions.Find("branin", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec Spec
		most float64 // allowed median; 0 only reports
	}{{gpEI, 1e-3}, {neuralGreedy, 1e-3}, {gpUCB, 0}, {gpTS, 0}, {randomSearch, 0}} {
		var regrets []float64
		for seed := range uint64(10) {
			regrets = append(regrets, regret(t, c.spec, p, seed, 50))
		}
		sorted := slices.Sorted(slices.Values(regrets))
		median := (sorted[4] + sorted[5]) / 2
		t.Logf("%-14s median %.2e; by seed %.1e", c.spec.Name, median, regrets)
		if c.most > 0 && !(median <= c.most) {
			t.Errorf("%s: the median simple regret is %g, more than %g", c.spec.Name, median, c.most)
		}
	}
}

// regret is the simple regret of a method after so many steps.
func regret(t *testing.T, spec Spec, p *functions.Problem, seed uint64, steps int) float64 {
	t.Helper()
	in := input(t, spec, p.Dim(), Data{})
	in.Seed, in.Budget = seed, steps
	var x, y []float64
	best := 0.0
	for step := range steps {
		in.Step = step
		u, ok := InitialPoint(in)
		if !ok {
			s, err := fit(t, spec, in).Suggest(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			u = s.X.RawRowView(0)
		}
		v, err := p.Evaluate(p.Domain.FromUnit(u))
		if err != nil {
			t.Fatal(err)
		}
		x, y = append(x, u...), append(y, v[0])
		in.Data = Data{X: mat.NewDense(len(y), p.Dim(), slices.Clone(x)), Y: mat.NewDense(len(y), 1, slices.Clone(y))}
		if r := v[0] - p.Optimum.Value; step == 0 || r < best {
			best = r
		}
	}
	return best
}
