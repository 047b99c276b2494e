package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// A suggestion is searched for once, whoever asks at the same time; a search that fails, or panics, leaves it to the
// next; who waits does not wait longer than its context.
func TestOnce(t *testing.T) {
	ctx := context.Background()
	var once SuggestionCache
	wrong := errors.New("no luck")
	if s, err := once.Suggest(ctx, func() (optimizers.Suggestion, error) {
		return optimizers.Suggestion{Note: "half"}, wrong
	}); err != wrong || s.Note != "" {
		t.Errorf("a search that fails gives %+v, %v", s, err)
	}
	func() {
		defer func() { recover() }()
		once.Suggest(ctx, func() (optimizers.Suggestion, error) { panic("no luck either") })
	}()
	waiting, failing := make(chan struct{}), make(chan struct{})
	var before sync.WaitGroup
	before.Go(func() {
		once.Suggest(ctx, func() (optimizers.Suggestion, error) {
			close(failing)
			<-waiting
			return optimizers.Suggestion{}, wrong
		})
	})
	<-failing
	before.Go(func() { // waits for the search that fails, and searches then
		close(waiting)
		if s, err := once.Suggest(ctx, func() (optimizers.Suggestion, error) {
			return optimizers.Suggestion{}, errors.ErrUnsupported
		}); err != errors.ErrUnsupported {
			t.Errorf("who waited for a search that failed gets %+v, %v", s, err)
		}
	})
	before.Wait()
	begun, end := make(chan struct{}), make(chan struct{})
	var searches atomic.Int64
	find := func() (optimizers.Suggestion, error) {
		if searches.Add(1) == 1 {
			close(begun)
		}
		<-end
		return optimizers.Suggestion{X: mat.NewDense(1, 1, []float64{0.5}), Note: "found"}, nil
	}
	var wait sync.WaitGroup
	ask := func() {
		if s, err := once.Suggest(ctx, find); err != nil || s.Note != "found" {
			t.Errorf("%+v, %v", s, err)
		}
	}
	wait.Go(ask)
	<-begun
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := once.Suggest(ended, find); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits with a context that has ended gets %v", err)
	}
	for range 3 {
		wait.Go(ask)
	}
	close(end)
	wait.Wait()
	ask()
	if searches.Load() != 1 {
		t.Errorf("it was searched for %d times", searches.Load())
	}
}
