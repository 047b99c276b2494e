package space

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// moments are the means of the inputs, of their squares and of the products of neighbours.
func moments(points [][]float64) []float64 {
	d := len(points[0])
	m := make([]float64, 3*d)
	for _, x := range points {
		for j, v := range x {
			m[j] += v / float64(len(points))
			m[d+j] += v * v / float64(len(points))
			m[2*d+j] += v * x[(j+1)%d] / float64(len(points))
		}
	}
	return m
}

// tiled are points that stand for the uniform law on a set of a plane: the middles of a fine grid over two inputs, from
// which the others follow. Where these are linear in the two, equal areas stay equal.
func tiled(complete func(x, y float64) []float64) (points [][]float64) {
	const n = 200
	for i := range n {
		for k := range n {
			if x := complete((float64(i)+0.5)/n, (float64(k)+0.5)/n); x != nil && slices.Min(x) >= 0 &&
				slices.Max(x) <= 1 {
				points = append(points, x)
			}
		}
	}
	return points
}

// listed are all points of three inputs with so many levels that pass.
func listed(levels int, pass func(x []float64) bool) (points [][]float64) {
	n := float64(levels - 1)
	for i := range levels {
		for j := range levels {
			for k := range levels {
				if x := []float64{float64(i) / n, float64(j) / n, float64(k) / n}; pass(x) {
					points = append(points, x)
				}
			}
		}
	}
	return points
}

// simplex are the moments of d proportions: the uniform law is Dirichlet(1, …, 1), with E x = 1/d, E x² = 2/(d(d+1))
// and E xy = 1/(d(d+1)).
func simplex(d int) []float64 {
	n := float64(d)
	return slices.Concat(slices.Repeat([]float64{1 / n}, d), slices.Repeat([]float64{2 / n / (n + 1)}, d),
		slices.Repeat([]float64{1 / n / (n + 1)}, d))
}

func grid(levels int) (in Input) {
	for i := range levels {
		in.Levels = append(in.Levels, float64(i)/float64(levels-1))
	}
	return in
}

// constrained are regions with linear constraints, most of them equalities, each with the moments of the uniform law on
// it.
func constrained() map[string]struct {
	region *Region
	want   []float64
} {
	made := func(inputs []Input, linear []Linear, others ...Constraint) *Region {
		return over(&Domain{Inputs: inputs, Linear: linear, Nonlinear: others})
	}
	numbers := func(d int) []Input { return make([]Input, d) }
	weighted := Linear{Text: "weighted", A: []float64{1, 2, 3}, B: 2, Equal: true}
	first := Linear{Text: "first", A: []float64{1, 0, 0}, B: 0.5}
	disc := Constraint{Text: "disc", Func: func(u []float64) float64 { return math.Hypot(u[0]-0.4, u[1]-0.3) - 0.25 }}
	eleven := []Input{grid(11), grid(11), grid(11)}
	third := func(x, y float64) []float64 { return []float64{x, y, 1 - x - y} }
	sumsToOne := func(x []float64) bool { return math.Abs(x[0]+x[1]+x[2]-1) < 1e-9 }
	pinned := over(&Domain{Inputs: numbers(3), Linear: []Linear{sum(3, 1, 0, 1, 2)}})
	pinned = New(pinned.domain, []float64{0, 0, 0.25}, []float64{1, 1, 0.25}, pinned.levels)
	narrowed := func(linear []Linear, others ...Constraint) *Region {
		d := &Domain{Inputs: numbers(3), Linear: linear, Nonlinear: others}
		return New(d, []float64{0.2, 0.1, 0.15}, []float64{0.6, 0.7, 0.9}, make([][]float64, 3))
	}
	inside := func(x []float64) []float64 {
		for j, v := range x {
			if v < []float64{0.2, 0.1, 0.15}[j] || v > []float64{0.6, 0.7, 0.9}[j] {
				return nil
			}
		}
		return x
	}
	list := map[string]struct {
		region *Region
		want   []float64
	}{
		"3 proportions": {made(numbers(3), []Linear{sum(3, 1, 0, 1, 2)}), simplex(3)},
		"6 proportions": {made(numbers(6), []Linear{sum(6, 1, 0, 1, 2, 3, 4, 5)}), simplex(6)},
		// x has the density (1 − |x − 1/2|)·4/3, so that E x² = 1/4 + 5/72, and of y on its slice E y = (3/2 − x)/2, so
		// that E xy = 3/8 − E x²/2
		"a hexagon": {made(numbers(3), []Linear{sum(3, 1.5, 0, 1, 2)}),
			slices.Concat(slices.Repeat([]float64{0.5}, 3), slices.Repeat([]float64{23.0 / 72}, 3),
				slices.Repeat([]float64{3.0/8 - 23.0/144}, 3))},
		"a slanted slice": {made(numbers(3), []Linear{weighted}),
			moments(tiled(func(x, y float64) []float64 { return []float64{x, y, (2 - x - 2*y) / 3} }))},
		"two equalities": {made(numbers(4), []Linear{sum(4, 2, 0, 1, 2, 3),
			{A: []float64{1, -1, 0, 0}, B: 0.3, Equal: true}}),
			moments(tiled(func(x, y float64) []float64 { return []float64{x, x - 0.3, y, 2.3 - 2*x - y} }))},
		"a bounded proportion": {made(numbers(3), []Linear{sum(3, 1, 0, 1, 2), first}),
			moments(tiled(func(x, y float64) []float64 {
				if x > 0.5 {
					return nil
				}
				return third(x, y)
			}))},
		"proportions in a disc": {made(numbers(3), []Linear{sum(3, 1, 0, 1, 2)}, disc),
			moments(tiled(func(x, y float64) []float64 {
				if disc.Func([]float64{x, y}) > 0 {
					return nil
				}
				return third(x, y)
			}))},
		"narrowed proportions": {narrowed([]Linear{sum(3, 1, 0, 1, 2)}),
			moments(tiled(func(x, y float64) []float64 { return inside(third(x, y)) }))},
		"narrowed proportions in a disc": {narrowed([]Linear{sum(3, 1, 0, 1, 2)}, disc),
			moments(tiled(func(x, y float64) []float64 {
				if disc.Func([]float64{x, y}) > 0 {
					return nil
				}
				return inside(third(x, y))
			}))},
		"a narrowed corner": {New(&Domain{Inputs: numbers(2), Linear: []Linear{{A: []float64{1, 2}, B: 1}}},
			[]float64{0.2, 0.1}, []float64{0.6, 0.7}, make([][]float64, 2)),
			moments(tiled(func(x, y float64) []float64 {
				if x < 0.2 || x > 0.6 || y < 0.1 || y > 0.7 || x+2*y > 1 {
					return nil
				}
				return []float64{x, y}
			}))},
		// x is uniform from 0 to 3/4
		"a pinned proportion": {pinned, []float64{3.0 / 8, 3.0 / 8, 1.0 / 4, 3.0 / 16, 3.0 / 16, 1.0 / 16, 3.0 / 32,
			3.0 / 32, 3.0 / 32}},
		"integers": {made(eleven, []Linear{sum(3, 1, 0, 1, 2)}), moments(listed(11, sumsToOne))},
		"bounded integers": {made(eleven, []Linear{first, sum(3, 1, 0, 1, 2)}),
			moments(listed(11, func(x []float64) bool {
				return sumsToOne(x) && x[0] < 0.55
			}))},
	}
	// A level k/4 has a segment of the length 1 − k/4, on which both numbers are uniform: the levels have the weights
	// 4, 3, 2, 1, 0 of 10.
	var mixed [][]float64
	for k, weight := range []int{4, 3, 2, 1} {
		long := 1 - float64(k)/4
		for i := range 1000 * weight {
			x := long * (float64(i) + 0.5) / float64(1000*weight)
			mixed = append(mixed, []float64{float64(k) / 4, x, long - x})
		}
	}
	list["an integer and numbers"] = struct {
		region *Region
		want   []float64
	}{made([]Input{grid(5), {}, {}}, []Linear{sum(3, 1, 0, 1, 2)}), moments(mixed)}
	return list
}

// Draws from regions within linear constraints have the moments of the uniform law, whether many are asked for at once
// or few. Draws of different seeds are independent, which gives the standard errors; the limits are four of them. Of
// many, the errors are at most two and a half times those of independent points.
func TestDrawsAreUniform(t *testing.T) {
	for name, c := range constrained() {
		for _, size := range []struct{ points, seeds int }{{200, 25}, {1, 200}, {2, 100}, {3, 100}} {
			means := make([][]float64, size.seeds) // of each seed
			var all [][]float64
			for seed := range means {
				points, err := c.region.Draw(t.Context(), size.points,
					rand.New(rand.NewPCG(uint64(seed), uint64(size.points))))
				require.NoError(t, err, name)
				for _, x := range points {
					if !c.region.domain.Feasible(x) ||
						slices.ContainsFunc(c.region.free, func(j int) bool {
							return x[j] < c.region.low[j] || x[j] > c.region.high[j]
						}) {
						t.Fatalf("%s: %v is not feasible", name, x)
					}
				}
				means[seed], all = moments(points), append(all, points...)
			}
			d, n := len(all[0]), float64(len(all))
			for k, want := range c.want {
				mean, square, count := 0.0, 0.0, 0.0 // the last is of single points
				for _, m := range means {
					mean += m[k] / float64(size.seeds)
					square += m[k] * m[k] / float64(size.seeds)
				}
				for _, x := range all {
					v := x[k%d]
					if k >= d {
						v *= x[(k%d+k/d-1)%d]
					}
					count += (v - mean) * (v - mean) / n
				}
				se, independent := math.Sqrt(max(square-mean*mean, 0)/float64(size.seeds-1)), math.Sqrt(count/n)
				if math.Abs(mean-want) > 4*se+1e-6+1e-3*want {
					t.Errorf("%s, %d at once: moment %d is %.4f, want %.4f (standard error %.4f)", name, size.points,
						k, mean, want, se)
				}
				if size.points > 100 && se > 2.5*independent+1e-7 {
					t.Errorf("%s: moment %d has the standard error %.5f, independent points %.5f", name, k, se,
						independent)
				}
			}
		}
	}
}

// Where a constraint has no slope a walk over what the others leave finds the points: an island of 2 % on the simplex,
// and levels beside numbers.
func TestDrawsOnAnIsland(t *testing.T) {
	island := Constraint{Text: "island", Func: func(u []float64) float64 {
		if math.Abs(u[0]-0.2) < 0.05 && math.Abs(u[1]-0.3) < 0.05 {
			return -1
		}
		return 1
	}}
	for name, inputs := range map[string][]Input{
		"numbers": make([]Input, 3), "with a choice": {{}, {}, {}, {Levels: []float64{0, 1}, Choice: true}}} {
		r := over(&Domain{Inputs: inputs, Linear: []Linear{sum(len(inputs), 1, 0, 1, 2)},
			Nonlinear: []Constraint{island}})
		var mean [4]float64
		for seed := range uint64(20) {
			points, err := r.Draw(t.Context(), 50, rand.New(rand.NewPCG(seed, 1)))
			require.NoError(t, err, name)
			for _, x := range points {
				for j := range x {
					mean[j] += x[j] / 1000
				}
			}
		}
		for j, want := range []float64{0.2, 0.3, 0.5, 0.5}[:len(inputs)] {
			if limit := 8 * 0.1 / math.Sqrt(12*1000); j < 3 && math.Abs(mean[j]-want) > limit ||
				math.Abs(mean[j]-want) > 0.15 {
				t.Errorf("%s: the mean of input %d is %.4f, want %.4f", name, j, mean[j], want)
			}
		}
	}
}

// Draws stop when their context ends, in the search for a start and afterwards.
func TestDrawsStop(t *testing.T) {
	for name, least := range map[string]float64{"nothing is feasible": 1, "all is": -1} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		r := over(&Domain{Inputs: make([]Input, 2),
			Nonlinear: []Constraint{{Text: "slow", Func: func([]float64) float64 {
				if calls++; calls == 3000 {
					cancel()
				}
				return least
			}}}})
		if points, err := r.Draw(ctx, 20000, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.Canceled) ||
			points != nil {
			t.Errorf("%s: %d points, %v", name, len(points), err)
		}
		if calls > 10000 {
			t.Errorf("%s: %d points are looked at after the context has ended", name, calls-3000)
		}
	}
}
