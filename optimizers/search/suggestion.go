package search

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// SuggestionCache holds the suggestion of a belief: it is searched for when it is first asked for, and the same ever
// after. A search that fails is tried again by whoever asks next. The zero value has none yet; it may be asked from
// several goroutines, of which one searches and the others wait, each as long as its context lasts.
type SuggestionCache struct {
	mu         sync.Mutex
	busy       chan struct{} // closed when the search that runs has ended; nil while none runs
	suggestion *optimizers.Suggestion
}

// Suggest returns the suggestion, by find if it is not yet found.
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
	defer func() { // also where find panics
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

// SuggestMaximum is the suggestion where a target is greatest over a space, as the method keeps to limits, with what
// predict says there; shown is a value of the target as it is shown. The search begins at the rows of from too, beside
// its sample of the space.
func SuggestMaximum(ctx context.Context, in optimizers.Input, space Space, t Target, shown func(value float64) float64,
	from *mat.Dense,
	predict func(context.Context, *mat.Dense) ([]optimizers.Band, error)) (optimizers.Suggestion, error) {
	t, err := WithLimits(in, t)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	x, value, err := Maximize(ctx, space, t, in.Stream("acquisition"), from)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	at := mat.NewDense(1, in.Dim, x)
	bands, err := predict(ctx, at)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	return optimizers.Suggestion{X: at, Mean: bands[0].Mean, SD: bands[0].SD, Acquisition: []float64{shown(value)},
		Note: RepeatNote(in.Data, x)}, nil
}
