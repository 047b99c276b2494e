package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// of is the target of a function with its slopes.
func of(f func(x, grad []float64) float64) Target {
	return Target{Gradient: f, Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, d := X.Dims()
		v := make([]float64, n)
		for i := range v {
			v[i] = f(X.RawRowView(i), make([]float64, d))
		}
		return v, nil
	}}
}

// Constraints are put through a chosen point so that a target's slope there lies in the cone of their normals: by
// Karush, Kuhn and Tucker that point is where the target, linear or concave, is greatest. On a face, an edge, and a
// vertex, with a sum and without.
func TestConstrainedOptimaByKKT(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 8 {
		const dim = 4
		best, slope := make([]float64, dim), make([]float64, dim)
		for j := range best {
			best[j] = 0.2 + 0.6*rng.Float64()
		}
		d := &space.Domain{Inputs: make([]space.Input, dim)}
		through := func(equal bool, mult float64) {
			l := space.Linear{A: make([]float64, dim), Equal: equal}
			for j := range l.A {
				l.A[j] = rng.NormFloat64()
			}
			l.B = floats.Dot(l.A, best)
			d.Linear = append(d.Linear, l)
			floats.AddScaled(slope, mult, l.A)
		}
		active := 1 + trial%4
		if trial%2 == 1 {
			through(true, rng.NormFloat64())
		}
		for range active - len(d.Linear) {
			through(false, 0.2+rng.Float64())
		}
		bend := 3.0
		if active == dim {
			bend = 0 // a linear target has one optimum at a vertex only
		}
		target := of(func(x, grad []float64) (v float64) {
			for j := range x {
				v += slope[j]*(x[j]-best[j]) - bend/2*(x[j]-best[j])*(x[j]-best[j])
				grad[j] = slope[j] - bend*(x[j]-best[j])
			}
			return v
		})
		x, v, err := Maximize(t.Context(), Space{Dim: dim, Domain: d}, target, rand.New(rand.NewPCG(3, 4)), nil)
		if err != nil || floats.Distance(x, best, math.Inf(1)) > 1e-5 || math.Abs(v) > 1e-7 {
			t.Errorf("trial %d, %d constraints meet at %v: found %v of value %g (%v)", trial, active, best, x, v, err)
		}
	}
}

// Where a constraint is not linear the best lies on a curve: of the disc of radius r around c that is greatest along s
// at c + r·s/|s|, and of a·b ≤ 1/8 in the unit square, of 2a + b, at (1, 1/8). Without slopes it is found less exactly.
func TestOptimaOnCurves(t *testing.T) {
	disc := space.Constraint{Text: "disc", Func: func(u []float64) float64 {
		return math.Hypot(u[0]-0.4, u[1]-0.5) - 0.3
	}}
	product := space.Constraint{Text: "product", Func: func(u []float64) float64 { return 40 * (u[0]*u[1] - 0.125) }}
	along := of(func(x, grad []float64) float64 { grad[0], grad[1] = 2, 1; return 2*x[0] + x[1] })
	for _, c := range []struct {
		in   space.Constraint
		want []float64
	}{{disc, []float64{0.4 + 0.6/math.Sqrt(5), 0.5 + 0.3/math.Sqrt(5)}}, {product, []float64{1, 0.125}}} {
		region := Space{Dim: 2, Domain: &space.Domain{Inputs: make([]space.Input, 2),
			Nonlinear: []space.Constraint{c.in}}}
		for _, tolerance := range []float64{1e-6, 1e-3} {
			target := along
			if tolerance > 1e-4 {
				target.Gradient = nil
			}
			x, v, err := Maximize(t.Context(), region, target, rand.New(rand.NewPCG(1, 1)), nil)
			if err != nil || 2*c.want[0]+c.want[1]-v > tolerance || c.in.Func(x) > space.Tolerance {
				t.Errorf("%s: found %v of value %g, the best is %v (%v)", c.in.Text, x, v, c.want, err)
			}
		}
	}
}

// Over integers with a sum, and a number beside them, the best is that of all integers that leave the number a value.
func TestSumsOverIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	l := evenLevels(11)
	for trial := range 4 {
		d := &space.Domain{Inputs: []space.Input{{Levels: l}, {Levels: l}, {Levels: l}, {}},
			Linear: []space.Linear{{A: []float64{1, 1, 1, 0.5}, B: 1.3, Equal: true}}}
		target := waves(d, 4, rng)
		best := math.Inf(-1)
		for _, a := range l {
			for _, b := range l {
				for _, c := range l {
					if u := 2 * (1.3 - a - b - c); u > -1e-9 && u < 1+1e-9 {
						best = max(best, target.Gradient([]float64{a, b, c, min(max(u, 0), 1)}, make([]float64, 4)))
					}
				}
			}
		}
		x, v, err := Maximize(t.Context(), Space{Dim: 4, Domain: d}, target, rand.New(rand.NewPCG(1, 1)), nil)
		if err != nil || math.Abs(x[0]+x[1]+x[2]+x[3]/2-1.3) > 1e-9 || v < best-1e-6 {
			t.Errorf("trial %d: found %v of value %g, the best of all is %g (%v)", trial, x, v, best, err)
		}
	}
}

// constrainedDomain is a random domain with constraints that some point fulfils.
func constrainedDomain(rng *rand.Rand) *space.Domain {
	dim := 1 + rng.IntN(4)
	d, inside := &space.Domain{Inputs: make([]space.Input, dim)}, make([]float64, dim)
	for j := range d.Inputs {
		inside[j] = rng.Float64()
		switch rng.IntN(4) {
		case 0:
			d.Inputs[j].Levels = evenLevels(2 + rng.IntN(9))
		case 1:
			d.Inputs[j] = space.Input{Levels: evenLevels(2 + rng.IntN(3)), Choice: true}
		}
	}
	d.Snap(inside)
	for k := range 1 + rng.IntN(3) {
		a := make([]float64, dim)
		for j := range a {
			if a[j] = float64(rng.IntN(5) - 2); d.Choice(j) {
				a[j] = 0
			}
		}
		value := floats.Dot(a, inside)
		switch rng.IntN(3) {
		case 0:
			d.Linear = append(d.Linear, space.Linear{A: a, B: value + 0.1*rng.Float64()})
		case 1:
			d.Linear = append(d.Linear, space.Linear{A: a, B: value, Equal: k == 0})
		case 2:
			radius := 0.1 + rng.Float64()
			d.Nonlinear = append(d.Nonlinear, space.Constraint{Text: "near", Func: func(u []float64) float64 {
				return floats.Distance(u, inside, 2) - radius
			}})
		}
	}
	return d
}

func neverInfeasible(t *testing.T, domains int) {
	rng := rand.New(rand.NewPCG(11, 12))
	params := param.Defaults(Params())
	for trial := range domains {
		d := constrainedDomain(rng)
		dim := len(d.Inputs)
		check := func(subject string, x []float64, err error) {
			t.Helper()
			if err != nil || !d.Feasible(x) || !slices.Equal(d.Snap(slices.Clone(x)), x) {
				t.Fatalf("domain %d: %s: %v is not feasible (%v): %+v", trial, subject, x, err, d)
			}
		}
		in := optimizers.Input{Dim: dim, Domain: d, Budget: 20, Seed: uint64(trial), Params: params}
		for in.Step = range InitialCount(in) {
			s, err := InitialPoint(t.Context(), in)
			require.NoError(t, err)
			check("a design", s.X.RawRowView(0), nil)
		}
		x, err := RandomPoint(t.Context(), in, "test")
		require.NoError(t, err, "domain %d: %v: %+v", trial, err, d)
		check("a random point", x.RawRowView(0), nil)
		target := waves(d, dim, rng)
		if trial%2 == 0 {
			target.Gradient = nil
		}
		best, _, err := Maximize(t.Context(), NewSpace(in), target, in.Stream("test"), x)
		check("a search", best, err)
	}
}

// Nothing that is suggested is infeasible, over random domains with random constraints; the study looks at 10,000.
func TestNothingInfeasible(t *testing.T) { neverInfeasible(t, 15) }

// Six integers from 0 to 9 that sum to 9 are 2,002 of a million points: all of them are looked at, and what climbing
// finds from a sample is the same.
func TestFewPointsUnderASum(t *testing.T) {
	l := evenLevels(10)
	d := &space.Domain{Inputs: slices.Repeat([]space.Input{{Levels: l}}, 6),
		Linear: []space.Linear{{A: []float64{1, 1, 1, 1, 1, 1}, B: 1, Equal: true}}}
	space := Space{Dim: 6, Domain: d}.withRegion()
	if n, _ := space.all().Dims(); n != 2002 {
		t.Fatalf("%d points", n)
	}
	target := waves(d, 6, rand.New(rand.NewPCG(1, 2)))
	_, want, err := Maximize(t.Context(), space, target, rand.New(rand.NewPCG(1, 1)), nil)
	require.NoError(t, err)
	if _, v, err := maximizeByClimbs(t.Context(), space, target, rand.New(rand.NewPCG(1, 1)), nil); err != nil ||
		v != want {
		t.Errorf("by climbing %g, of all points %g (%v)", v, want, err)
	}
}

// Where a sum binds no level can change alone: what one gives up another takes, by one, two or four levels.
func TestNeighboursKeepASum(t *testing.T) {
	d := &space.Domain{Inputs: slices.Repeat([]space.Input{{Levels: evenLevels(5)}}, 3),
		Linear: []space.Linear{{A: []float64{1, 1, 1}, B: 1, Equal: true}}}
	around := Space{Dim: 3, Domain: d}.withRegion().pairNeighbours([]float64{1, 0, 0})
	got := map[[3]float64]bool{}
	for _, x := range rowsFor(around) {
		got[[3]float64(x)] = true
	}
	for _, want := range [][3]float64{
		{0.75, 0.25, 0}, {0.5, 0.5, 0}, {0, 1, 0}, {0.75, 0, 0.25}, {0.5, 0, 0.5}, {0, 0, 1}} {
		assert.True(t, got[want], "%v is missing", want)
		delete(got, want)
	}
	if len(got) > 0 {
		t.Errorf("%v besides", got)
	}
}
