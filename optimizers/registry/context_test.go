package registry

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/optimizers/baselines"
	"bandscope/optimizers/testbed"
)

// tripped is a context that ends when it was asked so often whether it has.
type tripped struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func newTripped(after int64) *tripped {
	c := &tripped{Context: context.Background(), done: make(chan struct{})}
	c.left.Store(after)
	return c
}

func (c *tripped) Err() error {
	switch left := c.left.Add(-1); {
	case left == -1:
		close(c.done)
		return context.Canceled
	case left < -1:
		return context.Canceled
	}
	return nil
}

func (c *tripped) Done() <-chan struct{} { return c.done }

// Whenever the context ends, every method ends with its error, and with nothing that could be taken for a belief or a
// suggestion.
func TestEveryMethodEndsWithItsContext(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 5)
	for _, spec := range All() {
		stopped := 0
		for _, after := range []int64{0, 1, 2, 4, 8, 16} {
			ctx := newTripped(after)
			in := testbed.InputFor(t, spec, 2, data, cheap...)
			b, err := spec.Fit(ctx, in)
			if err == nil {
				_, err = b.Suggest(ctx)
			}
			if err != nil {
				stopped++
				assert.ErrorIs(t, err, context.Canceled, "%s: after %d looks at the context: %v", spec.Name, after, err)
			} else if ctx.left.Load() < 0 {
				t.Errorf("%s: it ended without an error after its context did", spec.Name)
			}
		}
		if stopped == 0 && spec.Name != baselines.Random.Name {
			t.Errorf("%s: it does not look at its context", spec.Name)
		}
	}
}
