package multiobjective

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// A warm start with another prior equals a new fit. There is no warm start with other data or another kernel.
func TestCarryingOver(t *testing.T) {
	ctx := context.Background()
	data := testbed.ObserveAll(t, "thesis-xy", 9)
	for _, spec := range []optimizers.Spec{MOBOUCB, MOBOTS} {
		in := testbed.InputFor(t, spec, 2, data)
		in.Objectives = 2
		before := testbed.Fit(t, spec, in).(*belief)
		other := testbed.InputFor(t, spec, 2, data, "prior=box(80%..90%, 10%..20%)")
		other.Objectives = 2
		carried, ok := before.WarmStart(other)
		require.True(t, ok, "a new prior needs a new fit")
		a, errA := carried.Suggest(ctx)
		b, errB := testbed.Fit(t, spec, other).Suggest(ctx)
		if errA != nil || errB != nil || !mat.Equal(a.X, b.X) {
			t.Errorf("%s: warm start %v, new fit %v", spec.Name, a.X, b.X)
		}
		smooth := testbed.InputFor(t, spec, 2, data, "kernel=se")
		fewer := other
		fewer.Data = optimizers.Data{X: data.X.Slice(0, 8, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, 8, 0, 2).(*mat.Dense)}
		for _, in := range []optimizers.Input{smooth, fewer} {
			in.Objectives = 2
			if _, ok := before.WarmStart(in); ok {
				t.Errorf("%s makes a warm start with other data or another kernel", spec.Name)
			}
		}
	}
}
