package registry

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// Every method keeps to bounds, pinned variables and away from rejected points, in the initial design and after it, and
// a space that is the whole cube changes nothing.
func TestSpace(t *testing.T) {
	for _, spec := range sample.Of(All(), 3, 5) {
		for _, n := range []int{0, 6} {
			var data optimizers.Data
			if n > 0 {
				_, data = testbed.Observe(t, "branin", n)
			}
			in := testbed.InputFor(t, spec, 2, data, cheap...)
			in.Low, in.High = []float64{0.3, 0.25}, []float64{0.6, 0.25}
			next := func() []float64 {
				if x, ok := testbed.Initial(t, in); ok {
					return x
				}
				s, err := testbed.Fit(t, spec, in).Suggest(context.Background())
				require.NoError(t, err)
				return mat.Row(nil, 0, s.X)
			}
			first := next()
			in.Avoid = [][]float64{first}
			second := next()
			for _, x := range [][]float64{first, second} {
				if x[0] < 0.3 || x[0] > 0.6 || x[1] != 0.25 {
					t.Errorf("%s after %d data: %v lies outside of [0.3, 0.6] × {0.25}", spec.Name, n, x)
				}
			}
			if math.Abs(first[0]-second[0]) < search.AvoidRadius {
				t.Errorf("%s after %d data: %v was rejected, and %v is suggested", spec.Name, n, first, second)
			}
		}
	}
}

// As an initial design it is the same for every method, and each point is new.
func TestDesignByUncertainty(t *testing.T) {
	var first *mat.Dense
	for _, spec := range All() {
		if spec.Name != "gp-ei" && spec.Name != "neural-greedy" && spec.Name != "random" {
			continue
		}
		x := mat.NewDense(4, 2, nil)
		for i := range 4 {
			in := testbed.InputFor(t, spec, 2, optimizers.Data{}, "design=uncertainty", "initial=4")
			if in.Step = i; i > 0 {
				in.Data = optimizers.Data{X: x.Slice(0, i, 0, 2).(*mat.Dense), Y: mat.NewDense(i, 1, nil)}
			}
			p, ok := testbed.Initial(t, in)
			require.True(t, ok, "%s: no point %d", spec.Name, i)
			for k := range i {
				if math.Hypot(x.At(k, 0)-p[0], x.At(k, 1)-p[1]) < 0.3 {
					t.Errorf("%s: points %d and %d are %v and %v", spec.Name, k, i, x.RawRowView(k), p)
				}
			}
			x.SetRow(i, p)
		}
		if first != nil && !mat.Equal(first, x) {
			t.Errorf("%s has a design of its own", spec.Name)
		}
		first = x
	}
}
