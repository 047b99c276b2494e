// Package fitcache keeps what optimizers made of data: the belief that was fitted and the point that was suggested from
// it, for the last few data sets that were asked about. Who asks while somebody computes waits, and shares what comes
// of it; who comes back finds it.
//
// A key that names the data comes in, with the method and what it sees, and a belief or a suggestion goes out. Where
// the data are from, and what becomes of a suggestion, is the session's matter.
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

// Bounds of what is kept: so many fits, those of where one stands and a few to step back and forth, and of them only
// the last ones whose beliefs take so many bytes together by size. The last one is always kept.
const (
	maxFits  = 4
	maxBytes = 256 << 20
)

// size is about what a belief takes, in bytes, as it is not asked: four n×n matrices of each objective, which is more
// than a Gaussian process keeps of its data (the kernel's factor, and what paths and gradients need) and more than
// networks keep of theirs.
func size(in optimizers.Input) int {
	n := in.Data.Len()
	return 4 * 8 * n * n * in.Objectives
}

// Cache are the fits that were used last; the zero value has none. It may be used from several goroutines.
type Cache struct {
	mu    sync.Mutex
	byKey map[string]*fit
	order []string // the last used is at the end
}

// fit is what was computed under one key.
type fit struct {
	turn     *semaphore.Weighted // of whoever computes
	belief   optimizers.Belief
	previous optimizers.Belief // of the fit that was used before, which may serve; nil once that is settled
	next     *optimizers.Suggestion
	fitted   time.Duration // to fit the belief
	spent    time.Duration // to find the suggestion, with the fit
	bytes    int
}

// Believe is what a method believes of what it sees, which the key names; it is fitted if nobody has. The error is the
// method's, or that of the context.
func (f *Cache) Believe(ctx context.Context, key string, spec *optimizers.Spec, in optimizers.Input,
	progress func(what string, done, total int)) (optimizers.Belief, error) {
	of := f.get(key, size(in))
	if err := of.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer of.turn.Release(1)
	return of.believe(ctx, spec, in, progress)
}

// Suggest is what a method would evaluate next, a point of the initial design or what it suggests from its belief, and
// how long it took to find, with the fit. A method that fails does not end a search: a random point is suggested in its
// place, with the reason as a note.
func (f *Cache) Suggest(ctx context.Context, key string, spec *optimizers.Spec, in optimizers.Input,
	progress func(what string, done, total int)) (optimizers.Suggestion, time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	if search.InDesign(in) {
		sug, err := search.InitialPoint(ctx, in)
		sug.Note = sanitize.Text(sug.Note)
		return sug, 0, err
	}
	of := f.get(key, size(in))
	if err := of.turn.Acquire(ctx, 1); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	defer of.turn.Release(1)
	return of.suggest(ctx, spec, in, progress)
}

// get is the fit under a key, a new one if it is not kept.
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

// evict forgets the fits that are too many.
func (f *Cache) evict() {
	sum := 0
	for i, key := range slices.Backward(f.order) {
		if sum += f.byKey[key].bytes; i < len(f.order)-1 && (len(f.order)-i > maxFits || sum > maxBytes) {
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
	progress func(what string, done, total int)) (optimizers.Belief, error) {
	if f.belief != nil {
		return f.belief, nil
	}
	in.Progress = progress
	start := time.Now()
	var b optimizers.Belief
	carried := false
	err := parallel.PanicToError(func() (err error) {
		if b, carried = f.reusePrevious(in); !carried {
			b, err = spec.Fit(ctx, in)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	if f.belief = b; !carried {
		f.fitted = time.Since(start)
	}
	return b, nil
}

// warmStart is the belief of a fit, or the one that it was left itself; nil if there is none or somebody is computing.
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

// reusePrevious takes the belief of the fit before over, where it serves.
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
	progress func(what string, done, total int)) (optimizers.Suggestion, time.Duration, error) {
	if f.next == nil {
		before := f.fitted // a belief that is there already took its time too
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

// fallbackNote begins the note of a suggestion that failed.
const fallbackNote = "a random point in place of a suggestion that failed: "

// IsFallback reports whether a note is that of a random point in place of a suggestion that failed.
func IsFallback(note string) bool { return strings.HasPrefix(note, fallbackNote) }

// propose asks the method for the next points, and takes a random one where it fails, or panics.
func (f *fit) propose(ctx context.Context, spec *optimizers.Spec, in optimizers.Input,
	progress func(what string, done, total int)) (optimizers.Suggestion, error) {
	var sug optimizers.Suggestion
	b, err := f.believe(ctx, spec, in, progress)
	if err == nil {
		if err = parallel.PanicToError(func() (err error) {
			sug, err = b.Suggest(ctx)
			return err
		}); err != nil {
			err = fmt.Errorf("%s: %w", spec.Name, err)
		}
	}
	if err == nil {
		return sug, nil
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
