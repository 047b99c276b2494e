package registry

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/batch"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// Methods of every kind choose batches that share a value, keep the distance that is asked for, and differ; a study
// asks all of them.
func TestBatches(t *testing.T) {
	var list []optimizers.Spec
	for _, spec := range All() {
		if slices.Contains([]string{"sto-bnts-linear", "forest-ei", "gp-ucb", "ehvi", "random"}, spec.Name) {
			list = append(list, spec)
		}
	}
	batchesFor(t, list)
}

func batchesFor(t *testing.T, list []optimizers.Spec) {
	for _, spec := range list {
		t.Run(spec.Name, func(t *testing.T) {
			_, data := testbed.Observe(t, "branin", 4)
			if spec.Multi {
				data = testbed.ObserveAll(t, "branin-currin", 4)
			}
			in := testbed.InputFor(t, spec, 2, data, append([]string{"initial=1"}, cheap...)...)
			_, in.Objectives = data.Y.Dims()
			in.Domain = &space.Domain{Inputs: []space.Input{{Levels: []float64{0, 1}}, {}}}
			m := batch.Method{Normalize: func(u []float64) []float64 {
				return u
			}, Next: func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
				b, err := spec.Fit(ctx, in)
				if err != nil {
					return optimizers.Suggestion{}, false, err
				}
				s, err := b.Suggest(ctx)
				return s, b.Legend().LowerIsBetter, err
			}}
			b, err := batch.Choose(t.Context(), in, batch.Request{Points: 2, Shared: []int{0}, MinDistance: 0.2}, m)
			require.NoError(t, err)
			x, y := mat.Row(nil, 0, b.Suggestions[0].X), mat.Row(nil, 0, b.Suggestions[1].X)
			if x[0] != b.Shared[0] || y[0] != b.Shared[0] || math.Abs(x[1]-y[1]) < 0.2 {
				t.Errorf("%v and %v share %v", x, y, b.Shared)
			}
			if spec.Name != "random" && b.Compared != 2 {
				t.Errorf("%d values were compared", b.Compared)
			}
		})
	}
}
