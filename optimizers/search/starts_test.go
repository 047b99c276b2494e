package search

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
)

// bumps is a sum of a few Gaussian bumps of one width at random places of the cube, with its greatest value: the
// successiveHalving top that a climb from one of these places leads to.
func bumps(t *testing.T, dim int, width float64, rng *rand.Rand) (target Target, top float64) {
	const count = 12
	centers, heights := uniform(count, dim, rng), make([]float64, count)
	for i := range heights {
		heights[i] = 0.4 + 0.4*rng.Float64()
	}
	heights[0] = 1
	target = of(func(x, grad []float64) (v float64) {
		clear(grad)
		for i, h := range heights {
			c, sum := centers.RawRowView(i), 0.0
			for j := range x {
				sum += (x[j] - c[j]) * (x[j] - c[j])
			}
			bump := h * math.Exp(-sum/(2*width*width))
			v += bump
			for j := range grad {
				grad[j] -= bump * (x[j] - c[j]) / (width * width)
			}
		}
		return v
	})
	for i := range heights {
		_, v, err := climb(t.Context(), target, Space{Dim: dim}, centers.RawRowView(i), climbSteps)
		require.NoError(t, err)
		top = max(top, v)
	}
	return target, top
}

// Of twelve bumps the search finds the highest, with slopes and without, by few values: a dense sample takes 6,000 in
// three dimensions, 10,000 in five and 20,000 in twenty.
func TestHighestOfManyBumps(t *testing.T) {
	for _, c := range []struct {
		dim    int
		width  float64
		slopes bool
		near   float64
		least  int
	}{{3, 0.1, true, 1e-6, 10}, {3, 0.1, false, 0.01, 10}, {5, 0.2, true, 1e-6, 10}, {5, 0.2, false, 0.01, 9},
		{10, 0.3, false, 0.02, 9}, {20, 0.5, true, 1e-6, 10}} {
		found := 0
		for seed := range uint64(10) {
			target, top := bumps(t, c.dim, c.width, rand.New(rand.NewPCG(seed, 1)))
			var asked atomic.Int64
			values := target.Values
			target.Values = func(ctx context.Context, X *mat.Dense) ([]float64, error) {
				n, _ := X.Dims()
				asked.Add(int64(n))
				return values(ctx, X)
			}
			if !c.slopes {
				target.Gradient = nil
			}
			_, v, err := Maximize(t.Context(), Space{Dim: c.dim}, target, rand.New(rand.NewPCG(seed, 2)), nil)
			require.NoError(t, err)
			if n := asked.Load(); n > 4500 {
				t.Errorf("d = %d: %d values were asked for", c.dim, n)
			}
			if v >= top-c.near {
				found++
			}
		}
		if found < c.least {
			t.Errorf("d = %d, width %g, slopes %v: the highest bump was found in %d of 10", c.dim, c.width, c.slopes,
				found)
		}
	}
}

// What a search finds does not depend on how many cores there are, and is the same again.
func TestSearchOnOneCore(t *testing.T) {
	for _, slopes := range []bool{true, false} {
		target, _ := bumps(t, 4, 0.2, rand.New(rand.NewPCG(1, 1)))
		if !slopes {
			target.Gradient = nil
		}
		find := func() []float64 {
			x, _, err := Maximize(t.Context(), Space{Dim: 4}, target, rand.New(rand.NewPCG(1, 2)), nil)
			require.NoError(t, err)
			return x
		}
		many := find()
		before := runtime.GOMAXPROCS(1)
		serial := find()
		runtime.GOMAXPROCS(before)
		if !slices.Equal(many, serial) {
			t.Errorf("%v, on one core %v", many, serial)
		}
	}
}

// Of the candidates only the quarter that a coarse likeness promises most of is looked at closely, beside those around
// what is given; the best of these is what is found, also where it is not the best by the likeness.
func TestCoarseLook(t *testing.T) {
	var asked, coarse atomic.Int64
	counting := func(n *atomic.Int64, f func(x []float64) float64) func(context.Context, *mat.Dense) ([]float64,
		error) {
		return func(_ context.Context, X *mat.Dense) ([]float64, error) {
			rows, _ := X.Dims()
			n.Add(int64(rows))
			v := make([]float64, rows)
			for i := range v {
				v[i] = f(X.RawRowView(i))
			}
			return v, nil
		}
	}
	value := func(x []float64) float64 { return -math.Abs(x[0]-0.4) - x[1]/8 }
	like := func(x []float64) float64 { return -math.Abs(x[0]-0.45) - x[1]/8 }
	target := Target{Values: counting(&asked, value), Approximate: counting(&coarse, like)}
	space, extra := Space{Dim: 2}, mat.NewDense(1, 2, []float64{0.9, 0.9})
	pool, err := sample(t.Context(), space, 400, rng.New(1, 0, "sample"), extra)
	require.NoError(t, err)
	got, err := evaluatePromising(t.Context(), target, space, pool, 400)
	if err != nil || asked.Load() != 100+33 || coarse.Load() != 400 {
		t.Fatalf("%d looked at closely, %d coarsely, %v", asked.Load(), coarse.Load(), err)
	}
	var likes []float64
	for i := range 400 {
		likes = append(likes, like(pool.RawRowView(i)))
	}
	slices.Sort(likes)
	for i, v := range got {
		x := pool.RawRowView(i)
		want := value(x)
		if i < 400 && like(x) < likes[300] {
			want = math.Inf(-1)
		}
		assert.Equal(t, want, v, "row %d", i)
	}
	all, err := evaluate(t.Context(), target, space, pool)
	if err != nil || slices.Max(got) != slices.Max(all) {
		t.Errorf("the best that is looked at is %g, of all %g (%v)", slices.Max(got), slices.Max(all), err)
	}
}
