package registry

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// closeDistance is the distance, in every variable of the unit cube, below which an evaluation is close to an earlier
// one, and solvedRegret the simple regret from which on an optimum counts as found.
const (
	closeDistance = 1e-3
	solvedRegret  = 1e-6
)

// exact is a noise-free function over the unit cube with its minimum.
type exact struct {
	name  string
	dim   int
	least float64
	value func(u []float64) float64

	refinements int // evaluations that may be close to an earlier one to refine a smooth optimum
}

// slope is a linear function, whose minimum is at the origin.
func slope(dim int) exact {
	return exact{name: "slope", dim: dim, refinements: 1, value: func(u []float64) (sum float64) {
		for j, v := range u {
			sum += float64(j+1) * v
		}
		return sum
	}}
}

// bowl is a convex quadratic function.
func bowl(dim int) exact {
	return exact{name: "bowl", dim: dim, refinements: 6, value: func(u []float64) (sum float64) {
		for j, v := range u {
			sum += float64(j+2) * (v - 0.37) * (v - 0.37)
		}
		return sum
	}}
}

// valley is a quadratic function of one variable with its minimum inside.
func valley() exact {
	return exact{name: "valley", dim: 1, refinements: 5, value: func(u []float64) float64 {
		return (u[0] - 0.715) * (u[0] - 0.715)
	}}
}

// outside is a quadratic function whose minimum is at a bound of its first variable.
func outside(dim int) exact {
	return exact{name: "outside", dim: dim, least: 0.04, refinements: 6, value: func(u []float64) float64 {
		sum := (u[0] + 0.2) * (u[0] + 0.2)
		for _, v := range u[1:] {
			sum += 2 * (v - 0.61) * (v - 0.61)
		}
		return sum
	}}
}

// level is a constant function.
func level(dim int) exact {
	return exact{name: "constant", dim: dim, least: 4, value: func([]float64) float64 { return 4 }}
}

// published is a test function with a known optimum.
func published(t testing.TB, name string) exact {
	t.Helper()
	p, err := functions.Find(name, 0)
	require.NoError(t, err)
	return exact{name: name, dim: p.Dim(), least: p.Optimum().Value, value: func(u []float64) float64 {
		y, err := p.TrueValues(p.Domain.FromUnit(slices.Clone(u)))
		if err != nil {
			t.Error(err)
			return math.NaN()
		}
		return y[0]
	}}
}

// repeatCounts are the evaluations of a run that are close to an earlier one: until the optimum is found, those of them
// that improve nothing, and afterwards.
type repeatCounts struct {
	before, useless, after int
	evaluationsBefore      int
	evaluationsAfter       int
	regret                 float64
	stopped                int // how many suggestions after the initial design say that nothing better is expected
}

// countRepeats counts the close evaluations of a run.
func countRepeats(X *mat.Dense, values []float64, least float64) (c repeatCounts) {
	c.regret = math.Inf(1)
	for i, v := range values {
		near := false
		for k := range i {
			distance := 0.0
			for j, u := range X.RawRowView(i) {
				distance = max(distance, math.Abs(u-X.At(k, j)))
			}
			near = near || distance < closeDistance
		}
		regret := v - least
		switch found := c.regret <= solvedRegret; {
		case found:
			c.evaluationsAfter++
			if near {
				c.after++
			}
		default:
			c.evaluationsBefore++
			if near {
				c.before++
			}
			if near && regret >= c.regret {
				c.useless++
			}
		}
		c.regret = min(c.regret, regret)
	}
	return c
}

// optimize runs a method on a function.
func optimize(t testing.TB, spec optimizers.Spec, f exact, steps int, seed uint64, set ...string) repeatCounts {
	t.Helper()
	in := testbed.InputFor(t, spec, f.dim, optimizers.Data{}, set...)
	in.Seed, in.Budget = seed, steps
	var x, y []float64
	stopped := 0
	for step := range steps {
		in.Step = step
		u, ok := testbed.Initial(t, in)
		if !ok {
			s, err := testbed.Fit(t, spec, in).Suggest(t.Context())
			require.NoError(t, err)
			u = s.X.RawRowView(0)
			if s.Note == search.StopNote {
				stopped++
			}
		}
		x, y = append(x, u...), append(y, f.value(u))
		in.Data = optimizers.Data{X: mat.NewDense(len(y), f.dim, slices.Clone(x)),
			Y: mat.NewDense(len(y), 1, slices.Clone(y))}
	}
	c := countRepeats(in.Data.X, y, f.least)
	c.stopped = stopped
	return c
}

// TestFoundOptimumIsLeft runs methods without noise on functions whose optimum they find within a few evaluations:
// almost none of the others are close to an earlier one.
func TestFoundOptimumIsLeft(t *testing.T) {
	for _, method := range []string{"gp-ei", "gp-ucb", "gp-ts", "turbo", "posterior-greedy"} {
		spec, err := Find(method)
		require.NoError(t, err)
		for _, f := range []exact{slope(1), slope(3), outside(2), valley()} {
			t.Run(method+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				c := optimize(t, *spec, f, 16, 5, "hyperparameters=fitted", "restarts=1", "width=64", "epochs=50")
				if c.before+c.after > f.refinements {
					t.Errorf("%d evaluations are close to an earlier one before the optimum is found, %d of %d after",
						c.before, c.after, c.evaluationsAfter)
				}
			})
		}
	}
}
