package registry

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// chooser is how the next point is chosen from an input.
type chooser func(t testing.TB, in optimizers.Input) optimizers.Suggestion

// methodFor chooses as a method does.
func methodFor(t testing.TB, name string) (optimizers.Spec, chooser) {
	t.Helper()
	spec, err := Find(name)
	require.NoError(t, err)
	return *spec, func(t testing.TB, in optimizers.Input) optimizers.Suggestion {
		_, s := ask(t, *spec, in)
		return s
	}
}

// asynchronous are the simple regrets on a problem after each of so many results where width points are always out,
// whose results come in random order. The initial design has four points, however many results there are to be, so that
// runs of one seed begin alike.
func asynchronous(t testing.TB, spec optimizers.Spec, choose chooser, problem string, width, results int, seed uint64,
	set ...string) []float64 {
	t.Helper()
	p, err := functions.Find(problem, 1)
	require.NoError(t, err)
	in := testbed.InputFor(t, spec, p.Dim(), optimizers.Data{}, append([]string{"initial=4"}, set...)...)
	in.Seed = seed
	rng := rand.New(rand.NewPCG(seed, 77))
	var out [][]float64
	var regrets []float64
	best := math.Inf(1)
	for done := range results {
		for len(out) < width && done+len(out) < results {
			in.Step, in.Pending = done+len(out), nil
			for _, x := range out {
				in.Pending = search.Stack(in.Pending, mat.NewDense(1, p.Dim(), x))
			}
			var s optimizers.Suggestion
			if search.InDesign(in) {
				if s, err = search.InitialPoint(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			} else {
				s = choose(t, in)
			}
			out = append(out, slices.Clone(s.X.RawRowView(0)))
		}
		i := rng.IntN(len(out))
		x := out[i]
		out = slices.Delete(out, i, i+1)
		v, err := p.TrueValues(p.Domain.FromUnit(x))
		require.NoError(t, err)
		sign := p.Objectives[0].Direction.Sign()
		best = min(best, v[0]*sign)
		regrets = append(regrets, best-p.Optimum().Value*sign)
		in.Data.X, in.Data.Y = search.Stack(in.Data.X, mat.NewDense(1, p.Dim(), x)),
			search.Stack(in.Data.Y, mat.NewDense(1, 1, []float64{v[0] * sign}))
	}
	return regrets
}

// With four points out at a time, told in random order, expected improvement is nearer to the minimum after 16 results
// than random points are, of eight seeds at least in seven: were either as good as the other, that would happen in 9 of
// 256 cases.
func TestFourOutAtATime(t *testing.T) {
	if testing.Short() {
		t.Skip("16 runs one after the other; TestFourPointsOutAreFour shares the same search")
	}
	wins := 0
	regrets := map[string][]float64{}
	for seed := range uint64(8) {
		for _, name := range []string{"gp-ei", "random"} {
			spec, choose := methodFor(t, name)
			r := asynchronous(t, spec, choose, "forrester", 4, 16, seed+1, "restarts=1",
				"hyperparameters=fitted")
			regrets[name] = append(regrets[name], r[len(r)-1])
		}
		if regrets["gp-ei"][seed] < regrets["random"][seed] {
			wins++
		}
	}
	if wins < 7 {
		t.Errorf("it is better %d times of 8: %v", wins, regrets)
	}
}
