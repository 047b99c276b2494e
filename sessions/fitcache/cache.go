// Package fitcache caches the work of optimizers on data: the fitted belief and the point suggested from it, for the
// last few data sets. If several goroutines ask for the same data, one computes and the others wait for its result.
//
// The inputs are a key that identifies the data, and the method with its input; the output is a belief or a suggestion.
// The session provides the data and records the suggestions.
package fitcache

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions/sanitize"
)

// Bounds of the cache: maxFits fits, enough for the current state and a few steps back and forth, and of these only the
// last ones with beliefs of at most maxBytes together, by size. The last fit is always kept.
const (
	maxFits  = 4
	maxBytes = 256 << 20
)

// size estimates the memory of a belief in bytes: four n×n matrices per objective, more than a Gaussian process needs
// for its data (the factor of the kernel, paths and gradients), and more than networks need.
func size(in optimizers.Input) int {
	n := in.Data.Len()
	return 4 * 8 * n * n * in.Objectives
}

// Cache is the last used fits; the zero value is empty. It may be used from several goroutines.
type Cache struct {
	mu    sync.Mutex
	byKey map[string]*fit
	order []string // the last used is last
}

// fit is the results under one key.
type fit struct {
	turn     *semaphore.Weighted // held while computing
	belief   optimizers.Belief
	previous optimizers.Belief // of the previously used fit, for a warm start; nil once it was tried
	next     *optimizers.Suggestion
	fitted   time.Duration // time to fit the belief
	spent    time.Duration // time to find the suggestion, including the fit
	bytes    int
}

// Believe is the belief of a method for an input, which the key identifies; it is fitted if it is not cached. It
// returns the error of the method, or that of the context.
func (f *Cache) Believe(ctx context.Context, key string, spec *optimizers.Spec, in optimizers.Input,
	progress func(subject string, done, total int)) (optimizers.Belief, error) {
	entry := f.get(key, size(in))
	if err := entry.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer entry.turn.Release(1)
	return entry.believe(ctx, spec, in, progress)
}

// Suggest is the next point to evaluate, from the initial design or the belief of the method, and the time to find it,
// including the fit. If the method fails, Suggest returns a random point instead, with the reason as a note; the
// error of a method with a Suggest of its own is returned. If the domain is finite and no point of it is left, the error
// is search.ErrExhausted.
func (f *Cache) Suggest(ctx context.Context, key string, spec *optimizers.Spec, in optimizers.Input,
	progress func(subject string, done, total int)) (optimizers.Suggestion, time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	if err := search.CheckExhausted(in); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	if search.InDesign(in) {
		sug, err := search.InitialPoint(ctx, in)
		sug.Note = sanitize.Text(sug.Note)
		return sug, 0, err
	}
	entry := f.get(key, size(in))
	if err := entry.turn.Acquire(ctx, 1); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	defer entry.turn.Release(1)
	return entry.suggest(ctx, spec, in, progress)
}

// get is the fit under a key, a new one if it is not cached.
func (f *Cache) get(key string, bytes int) *fit {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.order, key); i >= 0 {
		f.order = append(slices.Delete(f.order, i, i+1), key)
		return f.byKey[key]
	}
	if f.byKey == nil {
		f.byKey = map[string]*fit{}
	}
	next := &fit{turn: semaphore.NewWeighted(1), bytes: bytes}
	if n := len(f.order); n > 0 {
		next.previous = f.byKey[f.order[n-1]].warmStart()
	}
	f.byKey[key] = next
	f.order = append(f.order, key)
	f.evict()
	return next
}

// evict removes the fits beyond the bounds.
func (f *Cache) evict() {
	sum := 0
	for i, key := range slices.Backward(f.order) {
		sum += f.byKey[key].bytes
		if i < len(f.order)-1 && (len(f.order)-i > maxFits || sum > maxBytes) {
			for _, old := range f.order[:i+1] {
				delete(f.byKey, old)
			}
			f.order = slices.Delete(f.order, 0, i+1)
			return
		}
	}
}

// believe fits the belief once. The caller has the turn.
func (f *fit) believe(ctx context.Context, spec *optimizers.Spec, in optimizers.Input,
	progress func(subject string, done, total int)) (optimizers.Belief, error) {
	if f.belief != nil {
		return f.belief, nil
	}
	in.Progress = progress
	start := time.Now()
	var b optimizers.Belief
	carried := false
	err := parallel.PanicToError(func() (err error) {
		b, carried = f.reusePrevious(in)
		if !carried {
			b, err = spec.Fit(ctx, in)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	f.belief = b
	if !carried {
		f.fitted = time.Since(start)
	}
	return b, nil
}

// warmStart is the belief of a fit, or else its own previous one; nil if there is none or another goroutine computes.
func (f *fit) warmStart() optimizers.Belief {
	if !f.turn.TryAcquire(1) {
		return nil
	}
	defer f.turn.Release(1)
	if f.belief != nil {
		return f.belief
	}
	return f.previous
}

// reusePrevious reuses the belief of the previous fit, if that supports a warm start.
func (f *fit) reusePrevious(in optimizers.Input) (optimizers.Belief, bool) {
	c, ok := f.previous.(optimizers.WarmStarter)
	f.previous = nil
	if !ok {
		return nil, false
	}
	return c.WarmStart(in)
}

// suggest asks the method for the next points once. The caller has the turn.
func (f *fit) suggest(ctx context.Context, spec *optimizers.Spec, in optimizers.Input,
	progress func(subject string, done, total int)) (optimizers.Suggestion, time.Duration, error) {
	if f.next == nil {
		before := f.fitted // an existing belief took its time too
		start := time.Now()
		sug, err := f.propose(ctx, spec, in, progress)
		if err != nil {
			return optimizers.Suggestion{}, 0, err
		}
		f.spent = before + time.Since(start)
		f.next = &sug
	}
	return *f.next, f.spent, nil
}

// fallbackNote is the start of the note on a random point.
const fallbackNote = "a random point in place of a suggestion that failed: "

// IsFallback reports whether a note is that of a random point in place of a suggestion that failed.
func IsFallback(note string) bool { return strings.HasPrefix(note, fallbackNote) }

// propose asks the method for the next points, and returns a random point if the method fails or panics.
func (f *fit) propose(ctx context.Context, spec *optimizers.Spec, in optimizers.Input,
	progress func(subject string, done, total int)) (optimizers.Suggestion, error) {
	var sug optimizers.Suggestion
	if spec.Suggest != nil {
		in.Progress = progress
		err := parallel.PanicToError(func() (err error) {
			sug, err = spec.Suggest(ctx, in)
			return err
		})
		sug.Note = sanitize.Text(sug.Note)
		return sug, err
	}
	b, err := f.believe(ctx, spec, in, progress)
	if err == nil {
		err = parallel.PanicToError(func() (err error) {
			sug, err = b.Suggest(ctx)
			return err
		})
		if err != nil {
			err = fmt.Errorf("%s: %w", spec.Name, err)
		}
	}
	if err == nil {
		return search.WithoutRepeatedRows(in, sug), nil
	}
	if ctx.Err() != nil {
		return optimizers.Suggestion{}, err
	}
	x, none := search.RandomPoint(ctx, in, "in place of a failed suggestion")
	if none != nil {
		return optimizers.Suggestion{}, none
	}
	return optimizers.Suggestion{X: x, Note: fallbackNote + sanitize.Text(err.Error())}, nil
}
