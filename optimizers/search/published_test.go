package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"

	"bandscope/functions"
	"bandscope/optimizers/space"
)

// The published optimum of a design problem with whole numbers and constraints is found where the search sees the
// truth; in the study those of two problems, by five searches each.
func TestPublishedOptimum(t *testing.T) { publishedOptima(t, 1, "pressure-vessel") }

func publishedOptima(t *testing.T, searches int, names ...string) {
	for _, name := range names {
		p, err := functions.Find(name, 1)
		require.NoError(t, err)
		d := &space.Domain{Inputs: make([]space.Input, p.Dim())}
		var free []int
		for j, v := range p.Domain {
			if v.Kind == functions.Real {
				free = append(free, j)
				continue
			}
			d.Inputs[j].Choice = v.Kind == functions.Choice
			for i := range v.Levels() {
				d.Inputs[j].Levels = append(d.Inputs[j].Levels, v.ToUnit(v.Level(i)))
			}
		}
		for _, c := range p.Constraints {
			d.Nonlinear = append(d.Nonlinear, space.Constraint{Text: c.Text, Func: func(u []float64) float64 {
				return c.Excess(p.Domain.FromUnit(u))
			}})
		}
		value := func(u []float64) float64 { return -p.Truth.Value(p.Domain.FromUnit(u))[0] }
		target := of(func(x, grad []float64) float64 {
			clear(grad)
			for _, j := range free {
				point := append([]float64(nil), x...)
				grad[j] = fd.Derivative(func(u float64) float64 {
					point[j] = u
					return value(point)
				}, x[j], &fd.Settings{Formula: fd.Central, Step: 1e-6})
			}
			return value(x)
		})
		for seed := range searches {
			x, v, err := Maximize(t.Context(), Space{Dim: p.Dim(), Domain: d}, target,
				rand.New(rand.NewPCG(1, uint64(seed))), nil)
			if err != nil || math.Abs(-v-p.Optimum().Value) > 1e-6*p.Optimum().Value {
				t.Errorf("%s, seed %d: found %g at %v, the published optimum is %g (%v)", name, seed, -v,
					p.Domain.FromUnit(x), p.Optimum().Value, err)
			}
		}
	}
}
