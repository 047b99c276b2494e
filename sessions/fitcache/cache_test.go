package fitcache

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// counted is a method that counts its fits, behind the initial design, and suggests 0.5 unless it is told to fail.
type counted struct {
	fits atomic.Int32
	wait chan struct{} // fits wait for it, unless it is nil
	err  error
}

type belief struct {
	optimizers.Unsupported
	of *counted
}

func (b belief) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, 1, []float64{0.5})}, b.of.err
}

func (b belief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (c *counted) spec() *optimizers.Spec {
	return &optimizers.Spec{Name: "counted",
		Fit: func(ctx context.Context, _ optimizers.Input) (optimizers.Belief, error) {
			c.fits.Add(1)
			if c.wait != nil {
				select {
				case <-c.wait:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			return belief{of: c}, nil
		}}
}

// seen is what a method sees after so many steps with so many data.
func seen(data int) optimizers.Input {
	in := optimizers.Input{Dim: 1, Objectives: 1, Step: 1000, Budget: 2000, Widths: []float64{1},
		Params: param.Defaults(search.Params())}
	in.Data.X, in.Data.Y = mat.NewDense(data, 1, nil), mat.NewDense(data, 1, nil)
	return in
}

// Many who ask at once share one fit; who gives up while it runs does not end it for the others.
func TestOneFitIsShared(t *testing.T) {
	c := &counted{wait: make(chan struct{})}
	var f Cache
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := f.Believe(t.Context(), "a", c.spec(), seen(3), nil); err != nil {
				t.Error(err)
			}
		})
	}
	for c.fits.Load() == 0 {
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Believe(ended, "a", c.spec(), seen(3), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("who gives up gets %v", err)
	}
	close(c.wait)
	all.Wait()
	sug, spent, err := f.Suggest(t.Context(), "a", c.spec(), seen(3), nil)
	again, same, _ := f.Suggest(t.Context(), "a", c.spec(), seen(3), nil)
	if err != nil || sug.X.At(0, 0) != 0.5 || again.X != sug.X || spent != same || spent == 0 {
		t.Errorf("%v after %v, %v; then %v after %v", sug, spent, err, again, same)
	}
	if n := c.fits.Load(); n != 1 {
		t.Errorf("it was fitted %d times", n)
	}
}

// The last few are kept, and of large ones only as many as fit, the last one always.
func TestKeptIsBounded(t *testing.T) {
	n := 1
	for size(seen(n)) <= maxBytes/2 {
		n *= 2
	}
	for _, tc := range []struct {
		data int
		kept int
	}{{3, maxFits}, {n, 1}, {n / 4, maxFits}, {4 * n, 1}} {
		c := &counted{}
		var f Cache
		keys := []string{"a", "b", "c", "d", "e", "f"}
		for _, k := range keys {
			if _, err := f.Believe(t.Context(), k, c.spec(), seen(tc.data), nil); err != nil {
				t.Fatal(err)
			}
		}
		for i, k := range keys[len(keys)-tc.kept:] {
			before := c.fits.Load()
			if f.Believe(t.Context(), k, c.spec(), seen(tc.data), nil); c.fits.Load() != before {
				t.Errorf("%d data: the fit %d of the last %d is not kept", tc.data, i+1, tc.kept)
			}
		}
		if len(f.order) != tc.kept || len(f.byKey) != tc.kept {
			t.Errorf("%d data: %d fits are kept, want %d", tc.data, len(f.order), tc.kept)
		}
	}
}

// A method that fails gives way to a random point with its reason, which does not drive a terminal.
func TestFailuresGiveWay(t *testing.T) {
	c := &counted{err: errors.New("it \x1b[2J diverged")}
	var f Cache
	sug, _, err := f.Suggest(t.Context(), "a", c.spec(), seen(3), nil)
	if err != nil || !IsFallback(sug.Note) || !strings.Contains(sug.Note, "counted: it ␛[2J diverged") {
		t.Errorf("%+v, %v", sug, err)
	}
	assert.False(t, IsFallback("an ordinary note"), "an ordinary note is that of a failure")
}

// A method that panics, in its fit or in its search and in whatever goroutine, is one that fails: a random point takes
// the place of its suggestion, and says so.
func TestPanicsGiveWay(t *testing.T) {
	panics := func() { parallel.Do(2, func(int) { panic("no such place") }) }
	for name, spec := range map[string]*optimizers.Spec{
		"in its fit": {Name: "bad", Fit: func(context.Context, optimizers.Input) (optimizers.Belief, error) {
			panics()
			return nil, nil
		}},
		"in its search": {Name: "bad", Fit: func(context.Context, optimizers.Input) (optimizers.Belief, error) {
			return bad{panics: panics}, nil
		}},
	} {
		var f Cache
		s, _, err := f.Suggest(t.Context(), "a", spec, seen(2), nil)
		if err != nil || s.X == nil || !IsFallback(s.Note) ||
			!strings.HasSuffix(s.Note, "bad: internal error: no such place") {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if _, err := new(Cache).Believe(t.Context(), "a", spec, seen(2), nil); (err != nil) != (name == "in its fit") {
			t.Errorf("%s: what it believes: %v", name, err)
		}
	}
}

// bad is a belief whose search panics.
type bad struct {
	optimizers.Unsupported
	panics func()
}

func (b bad) Suggest(context.Context) (optimizers.Suggestion, error) {
	b.panics()
	return optimizers.Suggestion{}, nil
}

func (bad) Legend() optimizers.Legend { return optimizers.Legend{} }
