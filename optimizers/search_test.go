package optimizers

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
)

// A climb that begins on an edge, near a maximum as those of a search do, goes along the edge however steeply the target rises to the outside.
func TestClimbAlongAnEdge(t *testing.T) {
	for _, space := range []Space{{Dim: 2}, {Dim: 2, Low: []float64{0.25, 0}, High: []float64{0.75, 1}}} {
		low, high := space.Bounds(0)
		for edge, slope := range map[float64]float64{low: -1e4, high: 1e4} {
			target := Target{Gradient: func(x, grad []float64) float64 {
				grad[0], grad[1] = slope, -2*(x[1]-0.7)
				return slope*x[0] - (x[1]-0.7)*(x[1]-0.7)
			}}
			at, v, _ := climb(context.Background(), target, space, []float64{edge, 0.6})
			if at[0] != edge || math.Abs(at[1]-0.7) > 1e-6 || math.Abs(v-slope*edge) > 1e-6 {
				t.Errorf("from the edge at %g the climb ends at %v, of value %g", edge, at, v)
			}
			// Where the target falls to the outside the climb leaves the edge.
			inward := Target{Gradient: func(x, grad []float64) float64 {
				grad[0], grad[1] = -2*(x[0]-0.5), -2*(x[1]-0.7)
				return -(x[0]-0.5)*(x[0]-0.5) - (x[1]-0.7)*(x[1]-0.7)
			}}
			if at, _, _ := climb(context.Background(), inward, space, []float64{edge, 0.6}); math.Abs(at[0]-0.5) > 1e-6 || math.Abs(at[1]-0.7) > 1e-6 {
				t.Errorf("from the edge at %g the climb to (0.5, 0.7) ends at %v", edge, at)
			}
		}
	}
}

// The places from which a search climbs: the best first, none near a better one, none without a value, ten at most and in one dimension five.
func TestStartsLieApart(t *testing.T) {
	for d, most := range map[int]int{1: 5, 3: 10} {
		pool := probes(400, d)
		values := make([]float64, 400)
		order := make([]int, 400)
		for i := range values {
			values[i], order[i] = pool.At(i, 0), i
			if i%7 == 0 {
				values[i] = math.Inf(-1)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if values[a] > values[b] {
				return -1
			}
			return 1
		})
		starts := apart(pool, order, values)
		if len(starts) != most || !slices.Equal(starts[0], pool.RawRowView(order[0])) {
			t.Errorf("d = %d: %d starts, the first at %v", d, len(starts), starts[0])
		}
		next := 0
		for _, i := range order { // the rule again, of all pairs
			if next == len(starts) || math.IsInf(values[i], -1) {
				break
			}
			x := pool.RawRowView(i)
			far := math.Inf(1)
			for _, s := range starts[:next] {
				sum := 0.0
				for j := range s {
					sum += (s[j] - x[j]) * (s[j] - x[j])
				}
				far = min(far, math.Sqrt(sum/float64(d)))
			}
			if taken := slices.Equal(x, starts[next]); taken != (far >= 0.02) {
				t.Fatalf("d = %d: a point of value %g, %g from the starts before, is taken: %v", d, values[i], far, taken)
			} else if taken {
				next++
			}
		}
	}
	few := mat.NewDense(3, 2, []float64{0.1, 0.1, 0.1, 0.11, 0.9, 0.9})
	if starts := apart(few, []int{0, 1, 2}, []float64{3, 2, math.Inf(-1)}); len(starts) != 1 {
		t.Errorf("of two near points and one without a value %v are starts", starts)
	}
}

// A suggestion that repeats a point is noted, be that observed or failed, alone or among others.
func TestRepeatsOfFailedPoints(t *testing.T) {
	x := []float64{0.3, 0.6}
	seen, other := mat.NewDense(2, 2, []float64{0.1, 0.2, 0.3, 0.6}), mat.NewDense(1, 2, []float64{0.3, 0.61})
	for i, c := range []struct {
		data Data
		want bool
	}{
		{Data{}, false}, {Data{X: seen}, true}, {Data{Failed: seen}, true}, {Data{X: other, Failed: seen}, true}, {Data{X: seen, Failed: other}, true},
		{Data{X: other, Failed: other}, false}, {Data{X: other}, false},
	} {
		if note := repeatNote(c.data, x); (note != "") != c.want {
			t.Errorf("%d: the note is %q", i, note)
		}
	}
}

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

// Whenever the context ends, every method ends with its error, and with nothing that could be taken for a belief or a suggestion.
func TestEveryMethodEndsWithItsContext(t *testing.T) {
	_, data := observe(t, "branin", 5)
	for _, spec := range All() {
		stopped := 0
		for _, after := range []int64{0, 1, 2, 4, 8, 16} {
			ctx := newTripped(after)
			in := input(t, spec, 2, data, "width=16", "ensemble=2", "trees=4", "draws=2", "features=50")
			b, err := spec.Fit(ctx, in)
			if err == nil {
				_, err = b.Suggest(ctx)
			}
			if err != nil {
				stopped++
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: after %d looks at the context: %v", spec.Name, after, err)
				}
			} else if ctx.left.Load() < 0 {
				t.Errorf("%s: it ended without an error after its context did", spec.Name)
			}
		}
		if stopped == 0 && spec.Name != randomSearch.Name {
			t.Errorf("%s: it does not look at its context", spec.Name)
		}
	}
}

// A network that is trained on from step to step is trained with every number of data up to a hundred, and then with every tenth.
func TestWarmChain(t *testing.T) {
	_, data := observe(t, "forrester", 123)
	in := input(t, neuralGreedy, 1, data, "width=8", "start=warm", "trainer=gradient-descent", "epochs=1", "ensemble=2")
	var told []int
	in.Progress = func(what string, done, total int) {
		if strings.HasPrefix(what, "training from the network before") {
			told = append(told, done)
		}
	}
	first := min(InitialCount(in), 122)
	fit(t, neuralGreedy, in)
	var want []int
	for n := first; n < 123; n++ {
		if n <= 100 || n == 110 || n == 120 || n == first {
			want = append(want, n-first)
		}
	}
	if !slices.Equal(told, want) {
		t.Errorf("it is trained on %d more data, want %d", told, want)
	}
	for n, want := range map[int]bool{1: true, 99: true, 100: true, 101: false, 110: true, 115: false, 990: true, 1000: true, 1010: false, 1100: true} {
		if inChain(n) != want {
			t.Errorf("%d data are in the chain: %v", n, !want)
		}
	}
}

// An acquisition that panics does so in the goroutine of whoever asked for the search, wherever it is called: in a climb's goroutines, which are the library's, by
// its gradient or by its values, and in workers of its own.
func TestPanicsOfAnAcquisitionReachTheCaller(t *testing.T) {
	values := func(panics func(rows int) bool) func(context.Context, *mat.Dense) ([]float64, error) {
		return func(_ context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			v := make([]float64, n)
			return v, parallel.Try(n, func(i int) error {
				if panics(n) {
					panic("no such place")
				}
				v[i] = -math.Abs(X.At(i, 0) - 0.3)
				return nil
			})
		}
	}
	for name, target := range map[string]Target{
		"a gradient":    {Values: values(func(int) bool { return false }), Gradient: func(x, grad []float64) float64 { panic("no such place") }},
		"values":        {Values: values(func(int) bool { return true })},
		"values of one": {Values: values(func(rows int) bool { return rows == 1 })},
	} {
		p := parallel.Catch(func() { Maximize(context.Background(), Space{Dim: 2}, target, rand.New(rand.NewPCG(1, 1)), nil) })
		if p == nil || p.Value != "no such place" {
			t.Errorf("%s: the panic is %v", name, p)
		}
	}
}

// An error that the values give only where a climb asks for them is that of the search.
func TestErrorsInAClimbEndTheSearch(t *testing.T) {
	wrong := errors.New("no such place")
	_, _, err := Maximize(context.Background(), Space{Dim: 2}, Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		if n == 1 {
			return nil, wrong
		}
		return make([]float64, n), nil
	}}, rand.New(rand.NewPCG(1, 1)), nil)
	if !errors.Is(err, wrong) {
		t.Errorf("the error is %v", err)
	}
}
