package registry

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// The methods of a belief, called from several goroutines, return what they return one after the other. Screens find the
// next point while they draw the surrogate. The race detector looks at the same calls.
func TestBeliefsServeSeveralGoroutines(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 6)
	x := testbed.Probes(5, 2)
	calls := []func(context.Context, optimizers.Belief) (any, error){
		func(ctx context.Context, b optimizers.Belief) (any, error) { return b.Suggest(ctx) },
		func(ctx context.Context, b optimizers.Belief) (any, error) { return b.Predict(ctx, x) },
		func(ctx context.Context, b optimizers.Belief) (any, error) { return b.Samples(ctx, x, 2, 4) },
		func(ctx context.Context, b optimizers.Belief) (any, error) { return b.Used(ctx, x) },
		func(ctx context.Context, b optimizers.Belief) (any, error) { return b.Acquisition(ctx, x) },
		func(_ context.Context, b optimizers.Belief) (any, error) { return b.Legend(), nil },
	}
	type result struct {
		value any
		err   error
	}
	for _, spec := range sample.Of(All(), 3, 14) {
		in := testbed.InputFor(t, spec, 2, data, integrated...)
		serial, atOnce := make([]result, len(calls)), make([]result, len(calls))
		b := testbed.Fit(t, spec, in)
		for i, call := range calls {
			serial[i].value, serial[i].err = call(t.Context(), b)
		}
		b = testbed.Fit(t, spec, in)
		var group sync.WaitGroup
		for i, call := range calls {
			group.Go(func() { atOnce[i].value, atOnce[i].err = call(t.Context(), b) })
		}
		group.Wait()
		for i := range calls {
			if !reflect.DeepEqual(serial[i], atOnce[i]) {
				t.Errorf("%s, call %d: at once %v, one after the other %v", spec.Name, i, atOnce[i], serial[i])
			}
		}
	}
}
