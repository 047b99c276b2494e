package search

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// SuggestionCache holds the suggestion of a belief. The first call searches for it, and later calls return the same
// one. A search that fails is repeated by the next call. The zero value is empty. It may be used from several
// goroutines: one of them searches and the others wait, each until its context ends.
type SuggestionCache struct {
	mu         sync.Mutex
	busy       chan struct{} // closed when the current search ends; nil if none runs
	suggestion *optimizers.Suggestion
}

// Suggest returns the suggestion, and calls find if there is none yet.
func (o *SuggestionCache) Suggest(ctx context.Context,
	find func() (optimizers.Suggestion, error)) (optimizers.Suggestion, error) {
	for {
		o.mu.Lock()
		if o.suggestion != nil {
			defer o.mu.Unlock()
			return *o.suggestion, nil
		}
		busy := o.busy
		if busy == nil {
			o.busy = make(chan struct{})
			o.mu.Unlock()
			break
		}
		o.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return optimizers.Suggestion{}, ctx.Err()
		}
	}
	var s optimizers.Suggestion
	found := false
	defer func() { // also if find panics
		o.mu.Lock()
		defer o.mu.Unlock()
		if found {
			o.suggestion = &s
		}
		close(o.busy)
		o.busy = nil
	}()
	s, err := find()
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	found = true
	return s, nil
}

// SuggestMaximum suggests the maximum of a target over a space, with the limits of the method and the prediction there;
// shown converts a value of the target for display. The search also begins at the rows of from.
func SuggestMaximum(ctx context.Context, in optimizers.Input, space Space, t Target, shown func(value float64) float64,
	from *mat.Dense,
	predict func(context.Context, *mat.Dense) ([]optimizers.Band, error)) (optimizers.Suggestion, error) {
	t, err := WithLimits(in, t)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	x, value, note, err := MaximizeWithoutRepeats(ctx, in, space, t, in.Stream("acquisition"), from,
		func(ctx context.Context, X *mat.Dense) (optimizers.Band, error) {
			bands, err := predict(ctx, X)
			if err != nil {
				return optimizers.Band{}, err
			}
			return bands[0], nil
		})
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	inputs := mat.NewDense(1, in.Dim, x)
	bands, err := predict(ctx, inputs)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	return optimizers.Suggestion{X: inputs, Mean: bands[0].Mean, SD: bands[0].SD, Acquisition: []float64{shown(value)},
		Note: note}, nil
}
