package registry

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// Every third method suggests feasible points only, and in the study every one.
func TestKnownConstraints(t *testing.T) { knownConstraints(t, 3) }

// knownConstraints asks methods in the initial design and after it, under a sum over numbers and levels and a
// constraint that is not linear.
func knownConstraints(t *testing.T, every int) {
	levels := []float64{0, 0.25, 0.5, 0.75, 1}
	d := &space.Domain{Inputs: []space.Input{{}, {Levels: levels}, {}},
		Linear:    []space.Linear{{Text: "sum", A: []float64{1, 1, 0.5}, B: 0.9, Equal: true}},
		Nonlinear: []space.Constraint{{Text: "product", Func: func(u []float64) float64 { return u[0]*u[2] - 0.2 }}}}
	for i, spec := range All() {
		if i%every > 0 {
			continue
		}
		in := testbed.InputFor(t, spec, 3, testbed.ObserveAll(t, "hartmann:3", 4), cheap...)
		in.Domain = d
		for j := range 4 {
			d.Snap(in.Data.X.RawRowView(j))
		}
		s, err := testbed.Fit(t, spec, in).Suggest(t.Context())
		if err != nil {
			t.Errorf("%s: %v", spec.Name, err)
			continue
		}
		points, _ := s.X.Dims()
		in.Step = 1
		first, err := search.InitialPoint(t.Context(), in)
		require.NoError(t, err)
		for _, x := range append(rows(s.X, points), mat.Row(nil, 0, first.X)) {
			if !d.Feasible(x) || !slices.Contains(levels, x[1]) || math.Abs(x[0]+x[1]+x[2]/2-0.9) > space.Tolerance {
				t.Errorf("%s suggests %v", spec.Name, x)
			}
		}
	}
}

func rows(m *mat.Dense, n int) (list [][]float64) {
	for i := range n {
		list = append(list, mat.Row(nil, i, m))
	}
	return list
}
