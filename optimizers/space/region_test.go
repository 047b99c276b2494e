package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// nearestByFaces is the feasible point nearest to y by looking at every set of constraints that could hold with
// equality.
func nearestByFaces(y []float64, all []halfspace) []float64 {
	var best []float64
	least := math.Inf(1)
	for set := range 1 << len(all) {
		var halfspaces []halfspace
		for i, h := range all {
			if set>>i&1 == 1 {
				halfspaces = append(halfspaces, h)
			}
		}
		if len(halfspaces) > len(y) || slices.ContainsFunc(all, func(h halfspace) bool {
			return h.equal && !slices.ContainsFunc(halfspaces, func(o halfspace) bool { return &o.a[0] == &h.a[0] })
		}) {
			continue
		}
		x := slices.Clone(y)
		if len(halfspaces) > 0 {
			gram, rhs := mat.NewSymDense(len(halfspaces), nil), mat.NewVecDense(len(halfspaces), nil)
			for i, h := range halfspaces {
				rhs.SetVec(i, floats.Dot(h.a, y)-h.b)
				for j := range i + 1 {
					gram.SetSym(i, j, floats.Dot(h.a, halfspaces[j].a))
				}
			}
			var c mat.Cholesky
			var mult mat.VecDense
			if !c.Factorize(gram) || c.Cond() > 1e10 || c.SolveVecTo(&mult, rhs) != nil {
				continue
			}
			for i, h := range halfspaces {
				floats.AddScaled(x, -mult.AtVec(i), h.a)
			}
		}
		if slices.ContainsFunc(all, func(h halfspace) bool {
			return floats.Dot(h.a, x) > h.b+1e-9 || h.equal && floats.Dot(h.a, x) < h.b-1e-9
		}) {
			continue
		}
		if distance := floats.Distance(x, y, 2); distance < least {
			best, least = x, distance
		}
	}
	return best
}

// The projection onto random polytopes, with and without an equality, is the nearest point of all their faces, and
// there is none where these have none.
func TestProjectionIsTheNearestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	none := 0
	for trial := range 300 {
		d := 2 + trial%2
		if trial%3 == 1 {
			d = 5
		}
		var all []halfspace
		for range 3 + rng.IntN(d+2) {
			a := make([]float64, d)
			for i := range a {
				a[i] = rng.NormFloat64()
			}
			floats.Scale(1/floats.Norm(a, 2), a)
			all = append(all, halfspace{a, 0.4*rng.NormFloat64() + 0.2, false})
		}
		all[len(all)-1].equal = trial%3 == 0
		y := make([]float64, d)
		for i := range y {
			y[i] = 2 * rng.NormFloat64()
		}
		want := nearestByFaces(y, all)
		got := slices.Clone(y)
		ok := project(got, all)
		require.Equal(t, want != nil, ok, "trial %d: found %v, want %v", trial, ok, want)
		if !ok {
			none++
		} else if floats.Distance(got, want, math.Inf(1)) > 1e-9 {
			t.Fatalf("trial %d: %v, the nearest is %v", trial, got, want)
		}
	}
	if none < 20 || none > 250 {
		t.Errorf("%d of 300 are empty: the test says little", none)
	}
}

// The projection onto random polytopes within two equalities is the nearest point of all their faces; an equality that
// follows from these two changes nothing, and one that contradicts them leaves no point.
func TestProjectionWithinEqualities(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	direction := func() []float64 {
		a := make([]float64, 4)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		floats.Scale(1/floats.Norm(a, 2), a)
		return a
	}
	found := 0
	for trial := range 200 {
		equal := []halfspace{{direction(), 0.3 * rng.NormFloat64(), true}, {direction(), 0.3 * rng.NormFloat64(), true}}
		all := slices.Clone(equal)
		for range 2 + rng.IntN(4) {
			all = append(all, halfspace{a: direction(), b: 0.4*rng.NormFloat64() + 0.3})
		}
		y := direction()
		floats.Scale(3*rng.Float64(), y)
		want := nearestByFaces(y, all)
		third := halfspace{make([]float64, 4), 2*equal[0].b - equal[1].b, true}
		floats.AddScaledTo(third.a, third.a, 2, equal[0].a)
		floats.AddScaled(third.a, -1, equal[1].a)
		long := floats.Norm(third.a, 2)
		floats.Scale(1/long, third.a)
		third.b /= long
		for name, key := range map[string][]halfspace{"two equalities": nil, "one that follows": {third}} {
			got := slices.Clone(y)
			if ok := project(got, slices.Concat(equal, key, all[2:])); ok != (want != nil) {
				t.Errorf("trial %d, %s: found %v, want %v", trial, name, ok, want)
			} else if ok && floats.Distance(got, want, math.Inf(1)) > 1e-9*(1+floats.Norm(want, 2)) {
				t.Errorf("trial %d, %s: %v, the nearest is %v", trial, name, got, want)
			}
		}
		if want != nil {
			found++
		}
		third.b += 0.1
		if got := slices.Clone(y); project(got, slices.Concat(equal, []halfspace{third}, all[2:])) {
			t.Errorf("trial %d: %v fulfils equalities that contradict each other", trial, got)
		}
	}
	if found < 50 || found > 180 {
		t.Errorf("%d of 200 have points: the test says little", found)
	}
}

// Projections x of y are the points of a polytope for which (y − x)·(z − x) ≤ 0 for all points z of it: here for the
// projections z of other points, of many polytopes.
func TestProjectionsSeparate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(d int, scale float64) []float64 {
		a := make([]float64, d)
		for i := range a {
			a[i] = scale * rng.NormFloat64()
		}
		return a
	}
	for trial := range 3000 {
		d := 2 + trial%4
		var all []halfspace
		for range 3 + rng.IntN(d+4) {
			a := random(d, 1)
			floats.Scale(1/floats.Norm(a, 2), a)
			all = append(all, halfspace{a, 0.4*rng.NormFloat64() + 0.5, false})
		}
		var from, values [][]float64
		for range 8 {
			y := random(d, 2)
			x := slices.Clone(y)
			if !project(x, all) {
				break // TestProjectionIsTheNearestPoint is about these
			}
			if slices.ContainsFunc(all, func(h halfspace) bool { return floats.Dot(h.a, x) > h.b+1e-12 }) {
				t.Fatalf("trial %d: %v is no point of the polytope", trial, x)
			}
			from, values = append(from, y), append(values, x)
		}
		for i, x := range values {
			out := floats.SubTo(make([]float64, d), from[i], x)
			for _, z := range values {
				if along := floats.Dot(out, z) - floats.Dot(out, x); along > 1e-9*
					(1+floats.Norm(x, 2)*floats.Norm(out, 2)) {
					t.Fatalf("trial %d: towards %v one comes nearer to %v than its projection %v", trial, z, from[i], x)
				}
			}
		}
	}
}

// sum is the constraint that some inputs of d sum to b.
func sum(d int, b float64, indices ...int) Linear {
	a := make([]float64, d)
	for _, j := range indices {
		a[j] = 1
	}
	return Linear{Text: "the sum", A: a, B: b, Equal: true}
}

// over is the region of a domain within the unit cube.
func over(d *Domain) *Region {
	low, high, levels := make([]float64, len(d.Inputs)), make([]float64, len(d.Inputs)),
		make([][]float64, len(d.Inputs))
	for j, in := range d.Inputs {
		high[j], levels[j] = 1, in.Levels
	}
	return New(d, low, high, levels)
}

func drawn(t *testing.T, r *Region, n int) [][]float64 {
	t.Helper()
	points, err := r.Draw(t.Context(), n, rand.New(rand.NewPCG(3, 4)))
	if err != nil || len(points) != n {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for _, x := range points {
		if !r.domain.Feasible(x) || !slices.Equal(r.domain.Snap(slices.Clone(x)), x) {
			t.Fatalf("%v is not feasible", x)
		}
	}
	return points
}

// Proportions are drawn by the uniform law on the simplex, Dirichlet(1, 1, 1): mean 1/3, variance 1/18, and 1/4 of them
// with a first above 1/2. The limits are four standard errors of as many independent draws, of which a walk has fewer,
// doubled.
func TestDrawsOfProportions(t *testing.T) {
	const n = 4000
	points := drawn(t, over(&Domain{Inputs: make([]Input, 3), Linear: []Linear{sum(3, 1, 0, 1, 2)}}), n)
	for j := range 3 {
		mean, square, above := 0.0, 0.0, 0.0
		for _, x := range points {
			mean += x[j] / n
			square += x[j] * x[j] / n
			if x[j] > 0.5 {
				above += 1.0 / n
			}
		}
		if math.Abs(mean-1.0/3) > 8*math.Sqrt(1.0/18/n) || math.Abs(square-mean*mean-1.0/18) > 0.01 ||
			math.Abs(above-0.25) > 8*math.Sqrt(0.25*0.75/n) {
			t.Errorf("proportion %d: mean %g, variance %g, above a half %g", j, mean, square-mean*mean, above)
		}
	}
}

// In a corner that a linear constraint cuts off a quarter of the points lies in the corner of half its size, and the
// mean is a third of its sides.
func TestDrawsInACorner(t *testing.T) {
	const n = 4000
	inner, mean := 0.0, 0.0
	for _, x := range drawn(t, over(&Domain{Inputs: make([]Input, 2),
		Linear: []Linear{{A: []float64{1, 2}, B: 0.02}}}), n) {
		if x[0]+2*x[1] < 0.01 {
			inner += 1.0 / n
		}
		mean += x[0] / n
	}
	if math.Abs(inner-0.25) > 8*math.Sqrt(0.25*0.75/n) || math.Abs(mean-0.02/3) > 8*0.02/math.Sqrt(18*n) {
		t.Errorf("%g in the corner of half the size, mean %g", inner, mean)
	}
}

// Points go all along a slab that is thin, or has no thickness: the first of two numbers that sum to a half, nearly or
// in two constraints, is uniform from 0 to a half.
func TestDrawsInAThinSlab(t *testing.T) {
	const n = 2000
	for _, thin := range []float64{1e-5, 0} {
		var values []float64
		for _, x := range drawn(t, over(&Domain{Inputs: make([]Input, 2),
			Linear: []Linear{{A: []float64{1, 1}, B: 0.5}, {A: []float64{-1, -1}, B: thin - 0.5}}}), n) {
			values = append(values, 2*x[0])
		}
		slices.Sort(values)
		distance := 0.0 // the statistic of Kolmogorov and Smirnov
		for i, v := range values {
			distance = max(distance, math.Abs(v-(float64(i)+0.5)/n))
		}
		if distance > 2*1.63/math.Sqrt(n) {
			t.Errorf("a slab of %g: the law is off by %g", thin, distance)
		}
	}
}

// Three integers from 0 to 10 that sum to 10 are 66 points, equally likely: χ² with 65 degrees of freedom is below 110
// but once in 2,500.
func TestDrawsOfIntegersWithASum(t *testing.T) {
	in := Input{}
	for i := range 11 {
		in.Levels = append(in.Levels, float64(i)/10)
	}
	counts := map[[2]float64]float64{}
	const n = 6600
	for _, x := range drawn(t, over(&Domain{Inputs: []Input{in, in, in}, Linear: []Linear{sum(3, 1, 0, 1, 2)}}), n) {
		counts[[2]float64{x[0], x[1]}]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += (c - n/66) * (c - n/66) / (n / 66)
	}
	if len(counts) != 66 || chi > 2*110 {
		t.Errorf("%d of 66 points, χ² = %g", len(counts), chi)
	}
}

// Within a disc, a constraint that is not linear, of two numbers beside a choice the points are uniform too: a quarter
// of them within half the radius.
func TestDrawsWithinADisc(t *testing.T) {
	disc := Constraint{Text: "disc", Func: func(u []float64) float64 {
		return (u[0]-0.3)*(u[0]-0.3) + (u[1]-0.6)*(u[1]-0.6) - 0.01
	}}
	const n = 4000
	inner, second := 0.0, 0.0
	for _, x := range drawn(t, over(&Domain{Inputs: []Input{{}, {}, {Levels: []float64{0, 1}, Choice: true}},
		Nonlinear: []Constraint{disc}}), n) {
		if math.Hypot(x[0]-0.3, x[1]-0.6) < 0.05 {
			inner += 1.0 / n
		}
		second += x[2] / n
	}
	if limit := 8 * math.Sqrt(0.25*0.75/n); math.Abs(inner-0.25) > limit || math.Abs(second-0.5) > 8*0.5/math.Sqrt(n) {
		t.Errorf("%g within half the radius, %g of the second choice", inner, second)
	}
}

// A region without points says which constraint has none.
func TestEmptyRegions(t *testing.T) {
	three := []Input{{Levels: []float64{0, 0.5, 1}}, {Levels: []float64{0, 0.5, 1}}, {}}
	for name, c := range map[string]struct {
		d    Domain
		want string
	}{
		"a sum out of reach":   {Domain{Linear: []Linear{sum(3, 4, 0, 1, 2)}}, "'the sum': widen"},
		"a sum between levels": {Domain{Linear: []Linear{sum(3, 0.7, 0, 1)}}, "'the sum': widen"},
		"two that exclude": {Domain{Linear: []Linear{{Text: "one", A: []float64{0, 0, 1}, B: 0.4},
			{Text: "two", A: []float64{0, 0, -1}, B: -0.6}}}, "'one' and 'two'"},
		"one that is not linear": {Domain{Nonlinear: []Constraint{
			{Text: "often", Func: func(u []float64) float64 { return u[2] - 0.5 }},
			{Text: "never", Func: func(u []float64) float64 { return 1 }}}}, "'never' was found in 100000 tries"},
		"the other way round": {Domain{Nonlinear: []Constraint{
			{Text: "never", Func: func(u []float64) float64 { return 1 }},
			{Text: "often", Func: func(u []float64) float64 { return u[2] - 0.5 }}}},
			"'never' was found in 100000 tries"},
	} {
		c.d.Inputs = three
		if _, err := over(&c.d).Draw(t.Context(), 5, rand.New(rand.NewPCG(1, 1))); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is settled is feasible and near: onto the nearest point of a line, and of a circle from outside.
func TestSettledPointsAreNear(t *testing.T) {
	line := over(&Domain{Inputs: make([]Input, 2), Linear: []Linear{sum(2, 1, 0, 1)}})
	x := []float64{0.9, 0.7}
	if !line.Project(x) || floats.Distance(x, []float64{0.6, 0.4}, math.Inf(1)) > 1e-12 {
		t.Errorf("on the line: %v", x)
	}
	narrow := New(&Domain{Inputs: make([]Input, 2), Linear: []Linear{sum(2, 1, 0, 1)}}, []float64{0.4, 0.1},
		[]float64{0.8, 0.5}, make([][]float64, 2))
	for _, c := range [][2][]float64{{{0, 1}, {0.5, 0.5}}, {{0.4, 0.1}, {0.65, 0.35}}, {{0.8, 0.1}, {0.8, 0.2}}} {
		x = slices.Clone(c[0])
		if !narrow.Project(x) || floats.Distance(x, c[1], math.Inf(1)) > 1e-12 {
			t.Errorf("within bounds: from %v to %v, want %v", c[0], x, c[1])
		}
	}
	low := New(narrow.domain, []float64{0.7, 0.1}, []float64{0.9, 0.5}, make([][]float64, 2))
	if x = []float64{0.7, 0.5}; !low.Project(x) || floats.Distance(x, []float64{0.7, 0.3}, math.Inf(1)) > 1e-12 {
		t.Errorf("at the lower bound: %v", x)
	}
	circle := over(&Domain{Inputs: make([]Input, 2), Nonlinear: []Constraint{{Func: func(u []float64) float64 {
		return (u[0]-0.5)*(u[0]-0.5) + (u[1]-0.5)*(u[1]-0.5) - 0.04
	}}}})
	x = []float64{1, 1}
	if want := 0.5 + 0.2/math.Sqrt2; !circle.Project(x) || math.Hypot(x[0]-want, x[1]-want) > 1e-4 {
		t.Errorf("on the circle: %v", x)
	}
	in := Input{Levels: []float64{0, 0.25, 0.5, 0.75, 1}}
	levels := over(&Domain{Inputs: []Input{in, in, in}, Linear: []Linear{sum(3, 1, 0, 1, 2)}})
	x = []float64{0.75, 0.75, 0.25}
	if !levels.Project(x) || !slices.Equal(x, []float64{0.5, 0.5, 0}) {
		t.Errorf("levels: %v", x)
	}
}

// The numbers are moved to the nearest point of a curve that is no circle, which the normal there leads to, and of a
// curve on a plane.
func TestFitFindsTheNearestPoint(t *testing.T) {
	ellipse := func(u []float64) float64 {
		return (u[0]-0.5)*(u[0]-0.5)/0.16 + (u[1]-0.5)*(u[1]-0.5)/0.01 - 1
	}
	plane := over(&Domain{Inputs: make([]Input, 2), Nonlinear: []Constraint{{Func: ellipse}}})
	for _, from := range [][]float64{{0.9, 0.9}, {0.95, 0.6}, {0.3, 0.75}, {0.1, 0.1}, {0.7, 0.62}} {
		near := math.Inf(1)
		for i := range 100000 {
			a := 2 * math.Pi * float64(i) / 100000
			near = min(near, math.Hypot(0.5+0.4*math.Cos(a)-from[0], 0.5+0.1*math.Sin(a)-from[1]))
		}
		x := slices.Clone(from)
		if !plane.Fit(x) {
			t.Errorf("from %v nothing is found", from)
		} else if distance := floats.Distance(x, from, 2); distance > 1.05*near {
			t.Errorf("from %v it goes to %v, %.4f away; the nearest is %.4f away", from, x, distance, near)
		}
	}
}

// All points of a region are listed where there are no numbers and they are few; the search for them is bounded.
func TestAllPoints(t *testing.T) {
	three := []Input{grid(3), grid(3), {Levels: []float64{0, 1}, Choice: true}}
	for name, c := range map[string]struct {
		d    Domain
		most int
		want int
	}{
		"all":                  {Domain{Inputs: three}, 18, 18},
		"more than are wanted": {Domain{Inputs: three}, 17, 0},
		"under a sum":          {Domain{Inputs: three, Linear: []Linear{sum(3, 1, 0, 1)}}, 18, 6},
		"as many as wanted":    {Domain{Inputs: three, Linear: []Linear{sum(3, 1, 0, 1)}}, 6, 6},
		"a number":             {Domain{Inputs: []Input{grid(3), {}}}, 18, 0},
		"none": {Domain{Inputs: three,
			Nonlinear: []Constraint{{Func: func([]float64) float64 { return 1 }}}}, 18, 0},
		"far too many": {Domain{Inputs: slices.Repeat(three[:1], 25),
			Nonlinear: []Constraint{{Func: func([]float64) float64 { return 1 }}}}, 50, 0},
		"some of far too many": {Domain{Inputs: slices.Repeat(three[:1], 25),
			Nonlinear: []Constraint{{Func: func(u []float64) float64 { return slices.Max(u[:24]) - 0.1 }}}}, 50, 0},
	} {
		r := over(&c.d)
		list := r.All(c.most)
		seen := map[string]bool{}
		for _, x := range list {
			if seen[fmt.Sprint(x)] = true; !c.d.Feasible(x) || !slices.Equal(c.d.Snap(slices.Clone(x)), x) {
				t.Errorf("%s: %v is not feasible", name, x)
			}
		}
		if len(list) != c.want || len(seen) != c.want {
			t.Errorf("%s: %d points, %d different, want %d", name, len(list), len(seen), c.want)
		}
	}
	narrow := New(&Domain{Inputs: three[:2]}, make([]float64, 2), []float64{1, 1}, [][]float64{{0.5}, {0, 0.5}})
	if list := narrow.All(9); len(list) != 2 || list[0][0] != 0.5 || list[1][1] != 0.5 {
		t.Errorf("within bounds: %v", list)
	}
}
