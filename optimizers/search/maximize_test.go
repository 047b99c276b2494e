package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/model/parallel"
)

// On every function of one and two variables, but for those of the benchmark in instances, some of which have nothing
// but plateaus, the search for the minimum is not worse than the best of 10,000 random points.
func TestMaximizeBeatsRandomPoints(t *testing.T) {
	for _, f := range functions.Families() {
		for d := 1; d <= 2 && f.Instances == 0; d++ {
			name := f.Name
			if f.MinDim != f.MaxDim {
				name += []string{"", ":1", ":2"}[d]
			} else if f.MinDim != d {
				continue
			}
			p, err := functions.Find(name, 2)
			if err != nil {
				continue
			}
			sign := -p.Objectives[0].Direction.Sign()
			value := func(u []float64) float64 { return sign * p.Truth.Value(p.Domain.FromUnit(u))[0] }
			target := Target{
				Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
					n, _ := X.Dims()
					v := make([]float64, n)
					for i := range v {
						v[i] = value(X.RawRowView(i))
					}
					return v, nil
				},
				Gradient: func(x, grad []float64) float64 {
					fd.Gradient(grad, value, x, &fd.Settings{Formula: fd.Central, Step: 1e-7})
					return value(x)
				},
			}
			x, v, err := Maximize(context.Background(), Space{Dim: d}, target, rand.New(rand.NewPCG(1, 1)), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if v != value(x) {
				t.Errorf("%s: the value %g is not that of the point, %g", name, v, value(x))
			}
			rng := rand.New(rand.NewPCG(2, 2))
			best := math.Inf(-1)
			for range 10_000 {
				u := make([]float64, d)
				for j := range u {
					u[j] = rng.Float64()
				}
				best = max(best, value(u))
			}
			if v < best {
				t.Errorf("%s: found %g, the best of 10,000 random points is %g", name, v, best)
			}
		}
	}
}

func TestMaximizeAtTheEdge(t *testing.T) {
	linear := Target{
		Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			v := make([]float64, n)
			for i := range v {
				v[i] = X.At(i, 0) - 2*X.At(i, 1)
			}
			return v, nil
		},
		Gradient: func(x, grad []float64) float64 { grad[0], grad[1] = 1, -2; return x[0] - 2*x[1] },
	}
	x, v, err := Maximize(context.Background(), Space{Dim: 2}, linear, rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil || math.Abs(v-1) > 1e-9 {
		t.Errorf("with a gradient: %v, %g, %v", x, v, err)
	}
	linear.Gradient = nil
	if x, v, err = Maximize(context.Background(), Space{Dim: 2}, linear, rand.New(rand.NewPCG(1, 1)), nil); err !=
		nil || math.Abs(v-1) > 1e-3 {
		t.Errorf("without: %v, %g, %v", x, v, err)
	}
}

func TestMaximizeErrors(t *testing.T) {
	nan := Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			v[i] = math.NaN()
		}
		return v, nil
	}}
	if _, _, err := Maximize(context.Background(), Space{Dim: 1}, nan, rand.New(rand.NewPCG(1, 1)), nil); err == nil {
		t.Error("a target without values is maximized")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Maximize(ctx, Space{Dim: 1}, nan, rand.New(rand.NewPCG(1, 1)), nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A climb that begins on an edge, near a maximum as those of a search do, goes along the edge however steeply the
// target rises to the outside.
func TestClimbAlongAnEdge(t *testing.T) {
	for _, space := range []Space{{Dim: 2}, {Dim: 2, Low: []float64{0.25, 0}, High: []float64{0.75, 1}}} {
		low, high := space.Bounds(0)
		for edge, slope := range map[float64]float64{low: -1e4, high: 1e4} {
			target := Target{Gradient: func(x, grad []float64) float64 {
				grad[0], grad[1] = slope, -2*(x[1]-0.7)
				return slope*x[0] - (x[1]-0.7)*(x[1]-0.7)
			}}
			top, v, _ := climb(context.Background(), target, space, []float64{edge, 0.6}, climbSteps)
			if top[0] != edge || math.Abs(top[1]-0.7) > 1e-6 || math.Abs(v-slope*edge) > 1e-6 {
				t.Errorf("from the edge at %g the climb ends at %v, of value %g", edge, top, v)
			}
			// Where the target falls to the outside the climb leaves the edge.
			inward := Target{Gradient: func(x, grad []float64) float64 {
				grad[0], grad[1] = -2*(x[0]-0.5), -2*(x[1]-0.7)
				return -(x[0]-0.5)*(x[0]-0.5) - (x[1]-0.7)*(x[1]-0.7)
			}}
			if top, _, _ := climb(context.Background(), inward, space, []float64{edge, 0.6},
				climbSteps); math.Abs(top[0]-0.5) > 1e-6 || math.Abs(top[1]-0.7) > 1e-6 {
				t.Errorf("from the edge at %g the climb to (0.5, 0.7) ends at %v", edge, top)
			}
		}
	}
}

// The places from which a search climbs: the best first, none near a better one, none without a value, ten at most and
// in one dimension five.
func TestStartsLieApart(t *testing.T) {
	for d, most := range map[int]int{1: 5, 3: 10} {
		pool := uniform(400, d, rand.New(rand.NewPCG(7, 8)))
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
		starts, err := pickSeparated(pool, values, longClimbs)
		if err != nil || len(starts) != most || !slices.Equal(starts[0].X, pool.RawRowView(order[0])) ||
			starts[0].Value != values[order[0]] {
			t.Fatalf("d = %d: %d starts, the first at %v, %v", d, len(starts), starts[0], err)
		}
		next := 0
		for _, i := range order { // the rule again, of all pairs
			if next == len(starts) || math.IsInf(values[i], -1) {
				break
			}
			x := pool.RawRowView(i)
			distance := math.Inf(1)
			for _, s := range starts[:next] {
				sum := 0.0
				for j := range x {
					sum += (s.X[j] - x[j]) * (s.X[j] - x[j])
				}
				distance = min(distance, math.Sqrt(sum/float64(d)))
			}
			if taken := slices.Equal(x, starts[next].X); taken != (distance >= 0.02) {
				t.Fatalf("d = %d: a point of value %g, %g from the starts before, is taken: %v", d, values[i], distance,
					taken)
			} else if taken {
				next++
			}
		}
	}
	three := mat.NewDense(3, 2, []float64{0.1, 0.1, 0.1, 0.11, 0.9, 0.9})
	if starts, err := pickSeparated(three, []float64{3, 2, math.Inf(-1)}, 10); err != nil || len(starts) != 1 {
		t.Errorf("of two near points and one without a value %v are starts, %v", starts, err)
	}
}

// An acquisition that panics does so in the goroutine of whoever asked for the search, wherever it is called: in a
// climb's goroutines, which are the library's, by its gradient or by its values, and in workers of its own.
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
		"a gradient": {Values: values(func(int) bool { return false }), Gradient: func(x, grad []float64) float64 {
			panic("no such place")
		}},
		"values":        {Values: values(func(int) bool { return true })},
		"values of one": {Values: values(func(rows int) bool { return rows == 1 })},
	} {
		p := parallel.Catch(func() {
			Maximize(context.Background(), Space{Dim: 2}, target, rand.New(rand.NewPCG(1, 1)), nil)
		})
		if p == nil || p.Value != "no such place" {
			t.Errorf("%s: the panic is %v", name, p)
		}
	}
}

// An error that the values give only where a climb asks for them is that of the search.
func TestErrorsInAClimbEndTheSearch(t *testing.T) {
	wrong := errors.New("no such place")
	_, _, err := Maximize(context.Background(), Space{Dim: 2},
		Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			if n == 1 {
				return nil, wrong
			}
			return make([]float64, n), nil
		}}, rand.New(rand.NewPCG(1, 1)), nil)
	assert.ErrorIs(t, err, wrong, "the error is %v", err)
}

// A Latin hypercube has one point in each slice of each axis.
func TestLatinHypercube(t *testing.T) {
	x := latinHypercube(7, 3, rand.New(rand.NewPCG(1, 1)))
	for j := range 3 {
		seen := map[int]bool{}
		for _, v := range mat.Col(nil, j, x) {
			seen[int(v*7)] = true
		}
		assert.Equal(t, 7, len(seen), "axis %d: %d of 7 slices hold a point", j, len(seen))
	}
}
