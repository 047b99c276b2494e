package weights

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/transform"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// Scalarizations by hand: the weighted sum, the least weighted objective, and that with ρ = 0.05 of the sum (Knowles
// 2006, eq. 2), counted from where they are said to.
func TestScalarize(t *testing.T) {
	for _, c := range []struct {
		kind    string
		weights []float64
		zero    []float64
		u       []float64
		want    float64
		worst   int
	}{
		{Linear, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.5, -1},
		{Tchebyshev, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.2, 0},
		{Augmented, []float64{0.25, 0.75}, nil, []float64{0.8, 0.4}, 0.2 + 0.05*0.5, 0},
		{Augmented, []float64{0.5, 0.5}, nil, []float64{0.8, 0.4}, 0.2 + 0.05*0.6, 1},
		{Augmented, []float64{0.5, 0.3, 0.2}, nil, []float64{0.2, 0.5, 1}, 0.1 + 0.05*0.45, 0},
		{Tchebyshev, []float64{0.5, 0.5}, []float64{-0.4, 0}, []float64{-0.2, 0.6}, 0.1, 0},
		{Linear, []float64{0.5, 0.5}, []float64{-0.4, 0}, []float64{-0.2, 0.6}, 0.4, -1},
	} {
		got, worst := Scalarize(preference.Scalarization{Kind: c.kind, Weights: c.weights, Reference: c.zero}, c.u)
		if math.Abs(got-c.want) > 1e-12 || worst != c.worst {
			t.Errorf("%s %v of %v is %g, decided by %d; want %g, %d", c.kind, c.weights, c.u, got, worst, c.want,
				c.worst)
		}
	}
	// Of two outcomes whose least objective is the same, the augmented one prefers that which is better elsewhere, the
	// other does not.
	worse, better := []float64{0.4, 0.5}, []float64{0.4, 0.9}
	for kind, differ := range map[string]bool{Tchebyshev: false, Augmented: true} {
		s := preference.Scalarization{Kind: kind, Weights: []float64{0.3, 0.7}}
		a, _ := Scalarize(s, worse)
		b, _ := Scalarize(s, better)
		assert.Equal(t, differ, b > a, "%s: %g and %g", kind, a, b)
	}
}

// More of any outcome is never worse, and no outcome counts more than its weight.
func TestScalarizationsAreMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		w, u := make([]float64, 3), make([]float64, 3)
		for k := range w {
			w[k], u[k] = rng.Float64(), rng.Float64()
		}
		for _, kind := range []string{Linear, Tchebyshev, Augmented} {
			before, _ := Scalarize(preference.Scalarization{Kind: kind, Weights: w}, u)
			k := rng.IntN(3)
			copied := append([]float64(nil), u...)
			copied[k] += 0.1
			after, _ := Scalarize(preference.Scalarization{Kind: kind, Weights: w}, copied)
			if after < before-1e-12 || after-before > 0.1*w[k]*(1+Augmentation)+1e-12 {
				t.Errorf("%s: from %g to %g", kind, before, after)
			}
		}
	}
}

// Weights sum to 1; the flat law has the Dirichlet's moments, a concentrated one less spread, and boxes aim where they
// are: λ_1 is u_1/(u_1+u_2), and for Tchebyshev its reciprocal's share.
func TestWeightPriors(t *testing.T) {
	const draws = 4000
	draw := func(k int, set ...string) *mat.Dense {
		in := testbed.InputFor(t, steered, 2, optimizers.Data{}, set...)
		in.Objectives = k
		out := mat.NewDense(draws, k, nil)
		for i, s := range DrawScalarizations(in, draws, rand.New(rand.NewPCG(8, 8))) {
			sum := 0.0
			for _, v := range s.Weights {
				sum += v
			}
			require.InDelta(t, 1, sum, 1e-12, "%v sums to", s.Weights)
			out.SetRow(i, s.Weights)
		}
		return out
	}
	for k := 2; k <= 4; k++ {
		for _, c := range []struct {
			alpha float64
			set   []string
		}{{1, nil}, {5, []string{"prior=dirichlet(5)"}}} {
			m, v := stat.MeanVariance(mat.Col(nil, 0, draw(k, c.set...)), nil)
			n := float64(k)
			want := (1 / n) * (1 - 1/n) / (n*c.alpha + 1)
			if math.Abs(m-1/n) > 5*math.Sqrt(want/draws) || math.Abs(v-want) > 0.1*want {
				t.Errorf("K=%d α=%g: mean %g, variance %g; want %g, %g", k, c.alpha, m, v, 1/n, want)
			}
		}
	}
	box := "prior=box(20%..30%, 80%..90%)"
	for i, share := range mat.Col(nil, 0, draw(2, box, "scalarization=linear")) {
		if share < 0.2/1.1-1e-9 || share > 0.3/1.1+1e-9 {
			t.Fatalf("draw %d has λ_1 = %g", i, share)
		}
	}
	for i, share := range mat.Col(nil, 0, draw(2, box)) {
		if share < 0.8/1.1-1e-9 || share > 0.9/1.1+1e-9 {
			t.Fatalf("Tchebyshev draw %d has λ_1 = %g", i, share)
		}
	}
}

// Bounds in the objectives' own units are outcomes over the range of the first points, whichever way the objective is
// better.
func TestOutcomesOfBounds(t *testing.T) {
	data := testbed.ObserveAll(t, "branin-currin", 8)
	in := testbed.InputFor(t, steered, 2, data, "initial=8")
	in.Objectives, in.Transforms = 2, []transform.Transform{{Sign: 1}, {Sign: -1}}
	lo, hi := ObjectiveRange(in)
	outcome := OutcomesFor(in)
	for _, c := range []struct {
		k     int
		b     preference.Bound
		wants float64
	}{{0, preference.Bound{Value: lo[0]}, 1}, {0, preference.Bound{Value: hi[0]}, 0},
		{1, preference.Bound{Value: -lo[1]}, 1}, {1, preference.Bound{Value: -hi[1]}, 0},
		{1, preference.Bound{Value: 30, Percent: true}, 0.3}} {
		assert.InDelta(t, c.wants, outcome(c.k, c.b), 1e-12, "%v of objective %d is the outcome", c.b, c.k)
	}
	in = testbed.InputFor(t, steered, 2, data, "reference=-20%")
	in.Objectives = 2
	if r := Reference(in); r[0] != -0.2 || r[1] != -0.2 {
		t.Errorf("the reference point is %v", r)
	}
}

// The hypervolume is counted within the limits of objectives, in the direction of each.
func TestReferenceWithinLimits(t *testing.T) {
	inf := math.Inf(1)
	in := testbed.InputFor(t, steered, 2, testbed.ObserveAll(t, "branin-currin", 8), "initial=8", "reference=-10%")
	in.Objectives, in.Transforms = 2, []transform.Transform{{Sign: 1}, {Sign: -1}}
	lo, hi := ObjectiveRange(in)
	valueAt := func(k int, share float64) float64 { // in the unit of the objective
		return in.Transforms[k].Sign * (hi[k] - share*(hi[k]-lo[k]))
	}
	for _, c := range []struct {
		name  string
		limit optimizers.Limit
		wants []float64
	}{
		{"at most, minimized", optimizers.Limit{Objective: 0, Min: -inf, Max: valueAt(0, 0.75)}, []float64{0.75, -0.1}},
		{"at least, minimized: the better side", optimizers.Limit{Objective: 0, Min: valueAt(0, 0.75), Max: inf}, []float64{-0.1, -0.1}},
		{"at least, maximized", optimizers.Limit{Objective: 1, Min: valueAt(1, 0.4), Max: inf}, []float64{-0.1, 0.4}},
		{"at most, maximized: the better side", optimizers.Limit{Objective: 1, Min: -inf, Max: valueAt(1, 0.4)}, []float64{-0.1, -0.1}},
		{"beyond the reference point", optimizers.Limit{Objective: 0, Min: -inf, Max: valueAt(0, -0.5)}, []float64{-0.1, -0.1}},
		{"another quantity", optimizers.Limit{Objective: -1, Min: -inf, Max: 0}, []float64{-0.1, -0.1}},
	} {
		in.Limits = []optimizers.Limit{c.limit}
		r := ReferenceWithinLimits(in)
		for k, w := range c.wants {
			if math.Abs(r[k]-w) > 1e-12 {
				t.Errorf("%s: the reference point is %v, want %v", c.name, r, c.wants)
				break
			}
		}
	}
}

// What a prior or a reference point asks of another number of objectives is refused.
func TestCheckWeights(t *testing.T) {
	for _, c := range []struct {
		set  string
		fits bool
	}{{"prior=flat", true}, {"prior=box(1..2, any)", true}, {"prior=box(1..2)", false},
		{"prior=dirichlet(1, 2, 3)", false}, {"prior=nowhere", false},
		{"reference=0%, 0%", true}, {"reference=1, 2, 3", false}} {
		in := testbed.InputFor(t, steered, 2, optimizers.Data{}, c.set)
		in.Objectives = 2
		if err := Check(in); (err == nil) != c.fits {
			t.Errorf("%s: %v", c.set, err)
		}
	}
}

// What 0 and 1 of an outcome are is frozen by the initial design.
func TestFrozenRange(t *testing.T) {
	data := testbed.ObserveAll(t, "schaffer", 9)
	in := testbed.InputFor(t, steered, 1, data, "initial=4")
	in.Objectives = 2
	lo, hi := ObjectiveRange(in)
	in.Data = optimizers.Data{X: data.X.Slice(0, 4, 0, 1).(*mat.Dense), Y: data.Y.Slice(0, 4, 0, 2).(*mat.Dense)}
	lo4, hi4 := ObjectiveRange(in)
	for k := range 2 {
		if lo[k] != lo4[k] || hi[k] != hi4[k] {
			t.Errorf("the range is %v to %v, was %v to %v", lo, hi, lo4, hi4)
		}
	}
}

// steered is what a method declares whose search follows the prior.
var steered = optimizers.Spec{Name: "steered", Multi: true, Params: append(Params(), search.Params()...)}
