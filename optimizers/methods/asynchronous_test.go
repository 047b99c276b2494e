package methods

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// asynchronous is the simple regret on a problem after so many results of a method that always has width points out, whose results come in random order.
func asynchronous(t testing.TB, spec optimizers.Spec, problem string, width, results int, seed uint64) float64 {
	t.Helper()
	p, err := functions.Find(problem, 1)
	if err != nil {
		t.Fatal(err)
	}
	in := testbed.InputFor(t, spec, p.Dim(), optimizers.Data{})
	in.Seed, in.Budget = seed, results
	rng := rand.New(rand.NewPCG(seed, 77))
	var out [][]float64
	best := math.Inf(1)
	for done := 0; done < results; done++ {
		for len(out) < width && done+len(out) < results {
			in.Step, in.Out = done+len(out), nil
			for _, x := range out {
				in.Out = search.Stack(in.Out, mat.NewDense(1, p.Dim(), x))
			}
			var s optimizers.Suggestion
			if search.InDesign(in) {
				if s, err = search.InitialPoint(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			} else {
				_, s = ask(t, spec, in)
			}
			out = append(out, slices.Clone(s.X.RawRowView(0)))
		}
		i := rng.IntN(len(out))
		x := out[i]
		out = slices.Delete(out, i, i+1)
		v, err := p.TrueValues(p.Domain.FromUnit(x))
		if err != nil {
			t.Fatal(err)
		}
		y := v[0] * p.Objectives[0].Direction.Sign()
		best = min(best, y)
		in.Data.X, in.Data.Y = search.Stack(in.Data.X, mat.NewDense(1, p.Dim(), x)), search.Stack(in.Data.Y, mat.NewDense(1, 1, []float64{y}))
	}
	return best
}

// braninLeast is the minimum of Branin's function.
const braninLeast = 0.39788735772973816

// With four points out at a time, told in random order, expected improvement finds the minimum of Branin's function as random points do not.
func TestFourOutAtATime(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes on one goroutine")
	}
	regret := map[string]float64{}
	for _, name := range []string{"gp-ei", "random"} {
		spec, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		regret[name] = asynchronous(t, *spec, "branin", 4, 24, 2) - braninLeast
	}
	if regret["gp-ei"] > 0.05 || regret["gp-ei"] > regret["random"]/5 {
		t.Errorf("the regrets are %v", regret)
	}
}
