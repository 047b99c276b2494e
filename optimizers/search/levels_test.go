package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/space"
)

// waves is a random smooth function of what a model sees of a domain, with its slope by the inputs.
func waves(d *space.Domain, dim int, rng *rand.Rand) Target {
	const count = 12
	columns := len(d.Columns(dim))
	freq, phase, weight := mat.NewDense(count, columns, nil), make([]float64, count), make([]float64, count)
	freq.Apply(func(int, int, float64) float64 { return 4 * rng.NormFloat64() }, freq)
	for i := range phase {
		phase[i], weight[i] = 2*math.Pi*rng.Float64(), rng.NormFloat64()
	}
	valueAt := func(x, grad []float64) (v float64) {
		e, byColumn := d.EncodeRow(x), make([]float64, columns)
		for i, w := range weight {
			arg := phase[i]
			for c, f := range freq.RawRowView(i) {
				arg += f * e[c]
			}
			v += w * math.Cos(arg)
			for c, f := range freq.RawRowView(i) {
				byColumn[c] -= w * f * math.Sin(arg)
			}
		}
		if grad != nil {
			d.Slope(byColumn, grad)
		}
		return v
	}
	return Target{Gradient: valueAt, Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			v[i] = valueAt(X.RawRowView(i), nil)
		}
		return v, nil
	}}
}

// evenLevels are n levels, rising from 0 to 1.
func evenLevels(n int) (l []float64) {
	for i := range n {
		l = append(l, float64(i)/float64(n-1))
	}
	return l
}

// On small random spaces of levels the search by turns finds what looking at all points finds, away from what was seen;
// the study looks at 500.
func TestSearchByTurnsIsExhaustive(t *testing.T) { searchAll(t, 30) }

func searchAll(t *testing.T, spaces int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range spaces {
		dim := 2 + rng.IntN(3)
		d := &space.Domain{Inputs: make([]space.Input, dim)}
		for j := range d.Inputs {
			d.Inputs[j] = space.Input{Levels: evenLevels(2 + rng.IntN(6)), Choice: rng.IntN(2) == 0}
		}
		space := Space{Dim: dim, Domain: d}
		all := space.all()
		for range 3 {
			n, _ := all.Dims()
			space.evaluated = append(space.evaluated, all.RawRowView(rng.IntN(n)))
		}
		target := waves(d, dim, rng)
		if trial%2 == 0 {
			target.Gradient = nil
		}
		want, value, err := Maximize(t.Context(), space, target, rand.New(rand.NewPCG(3, 4)), nil)
		require.NoError(t, err)
		brute := math.Inf(-1)
		values, _ := target.Values(t.Context(), all)
		for i, v := range values {
			if !slices.ContainsFunc(space.evaluated, func(s []float64) bool {
				return slices.Equal(s, all.RawRowView(i))
			}) {
				brute = max(brute, v)
			}
		}
		require.Equal(t, brute, value, "space %d: found %g, the best of all points is %g", trial, value, brute)
		if got, v, err := maximizeByClimbs(t.Context(), space, target, rand.New(rand.NewPCG(3, 4)), nil); err != nil ||
			v != value {
			t.Errorf("space %d: by turns %v of value %g, the best of all points is %v of value %g (%v)", trial, got, v,
				want, value, err)
		}
	}
}

// Over numbers and levels the search finds the best of all combinations of levels, each with its numbers searched
// alone, to the climb's tolerance.
func TestSearchOverNumbersAndLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 2 {
		d := &space.Domain{Inputs: []space.Input{{}, {Levels: evenLevels(4)}, {},
			{Levels: evenLevels(3), Choice: true}}}
		target := waves(d, 4, rng)
		best := math.Inf(-1)
		for _, a := range d.Inputs[1].Levels {
			for _, b := range d.Inputs[3].Levels {
				pinned := Space{Dim: 4, Domain: d, Low: []float64{0, a, 0, b}, High: []float64{1, a, 1, b}}
				_, v, err := Maximize(t.Context(), pinned, target, rand.New(rand.NewPCG(7, 8)), nil)
				require.NoError(t, err)
				best = max(best, v)
			}
		}
		x, v, err := Maximize(t.Context(), Space{Dim: 4, Domain: d}, target, rand.New(rand.NewPCG(7, 8)), nil)
		if err != nil || v < best-1e-6*math.Abs(best) {
			t.Errorf("function %d: found %g at %v, with the levels pinned %g (%v)", trial, v, x, best, err)
		}
		if snapped := d.Snap(slices.Clone(x)); !slices.Equal(snapped, x) {
			t.Errorf("function %d: found between the levels: %v", trial, x)
		}
	}
}

// Where all points of a space were seen one is found again; where bounds leave some levels only, those.
func TestLevelsWithinBounds(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{Levels: evenLevels(5)}, {Levels: evenLevels(3), Choice: true}}}
	target := waves(d, 2, rand.New(rand.NewPCG(1, 1)))
	space := Space{Dim: 2, Domain: d, Low: []float64{0.25, 0.5}, High: []float64{0.6, 0.5}}
	all := space.all()
	if n, _ := all.Dims(); n != 2 || all.At(0, 0) != 0.25 || all.At(1, 0) != 0.5 || all.At(0, 1) != 0.5 {
		t.Fatalf("the points are %v", mat.Formatted(all))
	}
	space.evaluated = rowsFor(all)
	if x, _, err := Maximize(t.Context(), space, target, rand.New(rand.NewPCG(1, 1)), nil); err != nil || x[1] != 0.5 {
		t.Errorf("when all were seen: %v, %v", x, err)
	}
	counts := map[float64]int{}
	rng := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		counts[space.FromUnit([]float64{rng.Float64(), rng.Float64()})[0]]++
	}
	if len(counts) != 2 || counts[0.25] < 1400 || counts[0.5] < 1400 {
		t.Errorf("drawn: %v", counts)
	}
	for _, x := range [][]float64{{0.25, 0.5}, {0.5, 0.5}} {
		if u := space.ToUnit(x); !slices.Equal(space.FromUnit(slices.Clone(u)), x) {
			t.Errorf("%v is lifted to %v and does not come back", x, u)
		}
	}
	if between := (Space{Dim: 2, Domain: d, Low: []float64{0.3, 0}, High: []float64{0.4, 1}}); !slices.Equal(between.levels(0), []float64{0.25}) {
		t.Errorf("between two levels the bounds leave %v", between.levels(0))
	}
}

// A point that differs in one level is another point, however near the levels lie.
func TestLevelsAreApart(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{}, {Levels: evenLevels(101)}}}
	space := Space{Dim: 2, Domain: d, Avoid: [][]float64{{0.5, 0.5}}}
	for _, c := range []struct {
		x    []float64
		want bool
	}{{[]float64{0.52, 0.5}, true}, {[]float64{0.52, 0.51}, false}, {[]float64{0.56, 0.5}, false}} {
		assert.Equal(t, c.want, space.isAvoided(c.x), "%v is avoided", c.x)
	}
}
