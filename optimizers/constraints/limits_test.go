package constraints

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
	"bandscope/optimizers/testbed"
)

// observed is what a method sees of a limited problem at some points of the unit cube.
func observed(t testing.TB, spec optimizers.Spec, name string, x *mat.Dense,
	limits ...optimizers.Limit) optimizers.Input {
	t.Helper()
	p, err := functions.Find(name, 1)
	require.NoError(t, err)
	n, _ := x.Dims()
	y, l := mat.NewDense(n, len(p.Objectives), nil), mat.NewDense(n, len(p.LimitedOutputs()), nil)
	for i := range n {
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(i)))
		require.NoError(t, err)
		for k, o := range p.Objectives {
			y.Set(i, k, v[k]*o.Direction.Sign())
		}
		for k, limitedOutput := range p.LimitedOutputs() {
			l.Set(i, k, v[limitedOutput])
		}
	}
	in := testbed.InputFor(t, spec, p.Dim(), optimizers.Data{X: x, Y: y, Limits: l}, "kernel=se",
		"hyperparameters=fitted")
	if in.Objectives, in.Limits = len(p.Objectives), limits; limits == nil {
		for _, limitedOutput := range p.LimitedOutputs() {
			o := p.Outputs()[limitedOutput]
			limit := optimizers.Limit{Name: o.Name, Min: math.Inf(-1), Max: math.Inf(1), Objective: -1}
			if o.AtLeast != nil {
				limit.Min = *o.AtLeast
			}
			if o.AtMost != nil {
				limit.Max = *o.AtMost
			}
			in.Limits = append(in.Limits, limit)
		}
	}
	return in
}

func fit(t testing.TB, in optimizers.Input, limitHandling optimizers.LimitHandling) *Belief {
	t.Helper()
	b, err := Fit(t.Context(), in, limitHandling)
	require.NoError(t, err)
	return b
}

func logProbability(t testing.TB, b optimizers.Feasibility, X *mat.Dense) []float64 {
	t.Helper()
	v, err := b.LogProbability(t.Context(), X)
	require.NoError(t, err)
	return v
}

// The probability to meet two limits, one of them on both sides, is how often joint draws of their processes do.
func TestProbabilityIsThatOfDraws(t *testing.T) {
	in := observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2),
		optimizers.Limit{Name: "wave", Min: -0.4, Max: 0.4, Objective: -1},
		optimizers.Limit{Name: "radius", Min: math.Inf(-1), Max: 0.8, Objective: -1})
	b := fit(t, in, optimizers.LimitsByProbability)
	X := testbed.Probes(12, 2)
	const draws = 4000
	met := make([]float64, 12)
	rng := rand.New(rand.NewPCG(1, 2))
	var drawn [2]*mat.Dense
	for k, p := range b.models {
		var err error
		if drawn[k], err = p.(*quantityModel).of.GP.Sample(t.Context(), X, draws, rng); err != nil {
			t.Fatal(err)
		}
	}
	for s := range draws {
		for i := range met {
			if b.models[0].(*quantityModel).excess(drawn[0].At(s, i)) <= 0 &&
				b.models[1].(*quantityModel).excess(drawn[1].At(s, i)) <= 0 {
				met[i] += 1.0 / draws
			}
		}
	}
	for i, v := range logProbability(t, b, X) {
		p := math.Exp(v)
		if se := math.Sqrt(max(p*(1-p), 1.0/draws) / draws); math.Abs(p-met[i]) > 4*se {
			t.Errorf("at %v it is %.4f, and of draws %.4f meet the limits (standard error %.4f)", X.RawRowView(i), p,
				met[i], se)
		}
	}
}

// The slope of the log-probability is that of its differences, also if hyperparameters are integrated over.
func TestSlopeIsThatOfDifferences(t *testing.T) {
	in := observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2),
		optimizers.Limit{Name: "wave", Min: -0.4, Max: 0.4, Objective: -1},
		optimizers.Limit{Name: "radius", Min: 0.7, Max: math.Inf(1), Objective: -1})
	in.Params = param.Defaults(in.Params.Decls())
	b := fit(t, in, optimizers.LimitsByProbability)
	const h = 1e-5
	valueAt := func(x []float64) float64 { return logProbability(t, b, mat.NewDense(1, 2, x))[0] }
	probes := testbed.Probes(28, 2)
	for i := 8; i < 28; i++ { // the first eight are observed
		x, grad := probes.RawRowView(i), make([]float64, 2)
		if v := b.LogProbabilityGradient(x, grad); !scalar.EqualWithinAbsOrRel(v, valueAt(x), 1e-9, 1e-9) {
			t.Errorf("at %v it is %g with its slope and %g without", x, v, valueAt(x))
		}
		for j := range x {
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[j], down[j] = x[j]+h, x[j]-h
			if want := (valueAt(up) - valueAt(down)) / (2 * h); !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-4, 1e-4) {
				t.Errorf("at %v the slope along %d is %g, by differences %g", x, j, grad[j], want)
			}
		}
	}
}

// After one datum y₀ at x₀ a process with the prior variance 1 and the correlation k = k(x, x₀) believes N(y₀, 1 − k²),
// as noise is next to nothing: it is standardized by the datum alone, which leaves the unit as it is.
func TestOneDatum(t *testing.T) {
	x0 := mat.NewDense(1, 1, []float64{0.3})
	in := observed(t, gaussian.EI, "forrester-hot", x0,
		optimizers.Limit{Name: "heat", Min: math.Inf(-1), Max: 2.1, Objective: -1})
	b := fit(t, in, optimizers.LimitsByProbability)
	y0 := math.Exp(0.6)
	for _, x := range []float64{0.1, 0.35, 0.8} {
		r := (x - 0.3) / 0.2 // the lengthscale of one input without a fit: 0.3/1.5
		k := math.Exp(-r * r / 2)
		want := distuv.UnitNormal.CDF((2.1 - y0) / math.Sqrt(1-k*k))
		if got := math.Exp(logProbability(t, b, mat.NewDense(1, 1, []float64{x}))[0]); math.Abs(got-want) > 1e-4 {
			t.Errorf("at %g it is %.6f, want %.6f", x, got, want)
		}
	}
	assert.True(t, b.FeasibleData()[0], "the datum is within the limit")
}

// Where no datum is within all limits the search goes where that is most probable.
func TestNothingIsFeasible(t *testing.T) {
	spec := WithLimits(gaussian.EI)
	in := observed(t, spec, "forrester-hot", mat.NewDense(4, 1, []float64{0.75, 0.8, 0.9, 1}))
	belief := testbed.Fit(t, spec, in)
	f := optimizers.FeasibilityFor(belief)
	s, err := belief.Suggest(t.Context())
	require.NoError(t, err)
	grid := mat.NewDense(501, 1, nil)
	for i := range 501 {
		grid.Set(i, 0, float64(i)/500)
	}
	best := math.Inf(-1)
	for _, v := range logProbability(t, f, grid) {
		best = max(best, v)
	}
	if got := logProbability(t, f, s.X)[0]; got < best-1e-9 {
		t.Errorf("it goes to %g, where the probability is %g, and it can be %g", s.X.At(0, 0), math.Exp(got),
			math.Exp(best))
	}
	if l := belief.Legend(); l.Acquisition != "probability that all limits are met, higher is better" ||
		math.Abs(s.Acquisition[0]-math.Exp(logProbability(t, f, s.X)[0])) > 1e-9 {
		t.Errorf("it is told as %q, %g", l.Acquisition, s.Acquisition[0])
	}
}

// reaches runs a method on a limited problem of its unit cube from five points that are always the same, and returns
// the least of the objective within the limits.
func reaches(t *testing.T, spec optimizers.Spec, name string, seed uint64, steps int) float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	p, err := functions.Find(name, 1)
	require.NoError(t, err)
	d := p.Dim()
	var x []float64
	for range 5 * d {
		x = append(x, rng.Float64())
	}
	for n := 5; n < steps; n++ {
		in := observed(t, spec, name, mat.NewDense(n, d, x))
		in.Seed, in.Budget = seed, steps
		s, err := testbed.Fit(t, spec, in).Suggest(context.Background())
		require.NoError(t, err)
		x = append(x, s.X.RawRowView(0)...)
	}
	in := observed(t, spec, name, mat.NewDense(steps, d, x))
	best := math.Inf(1)
	for i := range steps {
		if in.IsFeasible(i) {
			best = min(best, in.Data.Y.At(i, 0))
		}
	}
	return best
}

// The rule: after 25 evaluations, five of them at random, the best of Gramacy's toy within its limits is within 0.01 of
// the optimum 0.5998. Here it is tried with one seed, in the study with five.
func TestGramacysToyIsSolved(t *testing.T) {
	if testing.Short() {
		t.Skip("25 fits one after the other; the other tests here share the same search")
	}
	if best := reaches(t, WithLimits(gaussian.EI), "gramacy-toy", 1, 25); best > 0.5998+0.01 {
		t.Errorf("the best is %.4f", best)
	}
}

// failing is what a method sees after 6 results of a function that falls towards a corner, and 4 failures in that
// corner.
func failing(t *testing.T, spec optimizers.Spec, learn bool) optimizers.Input {
	t.Helper()
	x := mat.NewDense(6, 2, []float64{0.1, 0.1, 0.5, 0.2, 0.2, 0.6, 0.45, 0.5, 0.8, 0.1, 0.1, 0.9})
	y := mat.NewDense(6, 1, nil)
	for i := range 6 {
		y.Set(i, 0, -x.At(i, 0)-x.At(i, 1))
	}
	in := testbed.InputFor(t, spec, 2, optimizers.Data{X: x, Y: y,
		Failed: mat.NewDense(4, 2, []float64{1, 1, 0.9, 0.95, 0.85, 0.8, 0.95, 0.75})})
	in.Params, _ = in.Params.WithAll(map[string]any{"kernel": "se", "hyperparameters": "fitted"})
	in.LearnFailures = learn
	return in
}

// What fails is learned from three failures on, where it is to be: suggestions leave the corner where evaluations fail,
// to which they go if it is not.
func TestFailuresAreLearned(t *testing.T) {
	for _, spec := range []optimizers.Spec{WithLimits(gaussian.EI), WithLimits(gaussian.TS), WithLimits(gaussian.UCB)} {
		before, err := testbed.Fit(t, spec, failing(t, spec, false)).Suggest(t.Context())
		require.NoError(t, err)
		if near := min(before.X.At(0, 0), before.X.At(0, 1)); near < 0.8 {
			t.Errorf("%s: without learning it suggests %v", spec.Name, before.X)
		}
		b := testbed.Fit(t, spec, failing(t, spec, true))
		after, err := b.Suggest(t.Context())
		require.NoError(t, err)
		if near := min(after.X.At(0, 0), after.X.At(0, 1)); near > 0.75 {
			t.Errorf("%s: it suggests %v, where evaluations fail", spec.Name, after.X)
		}
		facts := b.Legend().Facts
		assert.Equal(t, optimizers.Fact{Name: "failures", Value: "4 of 10, modeled"}, facts[0], "%s: it", spec.Name)
	}
	few := failing(t, gaussian.EI, true)
	few.Data.Failed = few.Data.Failed.Slice(0, MinFailures-1, 0, 2).(*mat.Dense)
	assert.Nil(t, fit(t, few, optimizers.LimitsByProbability), "two failures are learned")
}

// The probability to succeed has the slope of its differences, and that of what succeeded is greater than that of what
// failed.
func TestSlopeOfFailures(t *testing.T) {
	b := fit(t, failing(t, gaussian.EI, true), optimizers.LimitsByProbability)
	valueAt := func(x ...float64) float64 { return math.Exp(logProbability(t, b, mat.NewDense(1, 2, x))[0]) }
	if bad, good := valueAt(0.92, 0.9), valueAt(0.15, 0.15); !(bad < 0.3 && good > 0.75) {
		t.Errorf("success has the probability %.3f where all failed and %.3f where all succeeded", bad, good)
	}
	const h = 1e-5
	for _, x := range [][]float64{{0.3, 0.7}, {0.8, 0.7}, {1, 0.2}} {
		grad := make([]float64, 2)
		v := b.LogProbabilityGradient(x, grad)
		for j := range x {
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[j], down[j] = x[j]+h, x[j]-h
			want := (logProbability(t, b, mat.NewDense(1, 2, up))[0] -
				logProbability(t, b, mat.NewDense(1, 2, down))[0]) / (2 * h)
			if !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-4, 1e-4) || math.Abs(math.Exp(v)-valueAt(x...)) > 1e-9 {
				t.Errorf("at %v the slope along %d is %g, by differences %g", x, j, grad[j], want)
			}
		}
	}
}

// What is out at a place that is surely beyond a limit is no outcome to improve upon: what is expected elsewhere stays
// what it was.
func TestOutBeyondALimit(t *testing.T) {
	spec := WithLimits(gaussian.EI)
	in := observed(t, spec, "gramacy-toy", testbed.Probes(10, 2))
	inputs := mat.NewDense(1, 2, []float64{0.2, 0.45})
	acquisition := func() float64 {
		v, err := testbed.Fit(t, spec, in).Acquisition(t.Context(), inputs)
		require.NoError(t, err)
		return v[0]
	}
	before := acquisition()
	in.Pending = mat.NewDense(1, 2, []float64{0, 0}) // the least of the objective, and far beyond the wave
	if after := acquisition(); !(after > before/2 && after < before*2) {
		t.Errorf("%g is expected while that is out, and %g before", after, before)
	}
}

// The slack of one limit pays for no excess of another: the excess of both limits is the sum of what each is exceeded
// by, where one that is met counts as 0.
func TestSlackOfOneLimitDoesNotPayForAnother(t *testing.T) {
	in := observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2),
		optimizers.Limit{Name: "wave", Min: math.Inf(-1), Max: 0, Objective: -1},
		optimizers.Limit{Name: "radius", Min: math.Inf(-1), Max: 0.8, Objective: -1})
	X := testbed.Probes(60, 2)
	within := func(limits ...int) []float64 {
		some := in
		some.Limits, some.Data.Limits = nil, mat.NewDense(in.Data.Len(), len(limits), nil)
		for i, k := range limits {
			some.Limits = append(some.Limits, in.Limits[k])
			some.Data.Limits.SetCol(i, mat.Col(nil, k, in.Data.Limits))
		}
		v, err := fit(t, some, optimizers.LimitsByProbability).OptimisticExcess(0.5)(t.Context(), X)
		require.NoError(t, err)
		return v
	}
	first, second, both := within(0), within(1), within(0, 1)
	mixed := 0
	for i, got := range both {
		if want := first[i] + second[i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("probe %d: both are exceeded by %g, one by %g and the other by %g", i, got, first[i], second[i])
		}
		if min(first[i], second[i]) == 0 && max(first[i], second[i]) > 0 {
			mixed++
		}
		if min(first[i], second[i]) < 0 {
			t.Errorf("probe %d: a limit that is met is exceeded by %g and %g", i, first[i], second[i])
		}
	}
	if mixed < 10 {
		t.Errorf("%d of 60 probes meet one limit only: the test says little", mixed)
	}
}

// The limits are drawn independently of each other: two limits on the same measurements, one below and one above, are
// met together as often as the probability says. Functions drawn from one random stream would be the same function,
// which is never on both sides. The limits are four standard errors.
func TestLimitsAreDrawnIndependently(t *testing.T) {
	below := optimizers.Limit{Name: "below", Min: math.Inf(-1), Max: 0, Objective: -1}
	above := optimizers.Limit{Name: "above", Min: 0, Max: math.Inf(1), Objective: -1}
	in := observed(t, gaussian.TS, "gramacy-toy", testbed.Probes(5, 2), below, above)
	in.Data.Limits.SetCol(1, mat.Col(nil, 0, in.Data.Limits))
	b := fit(t, in, optimizers.LimitsByDraws)
	X := testbed.Probes(20, 2)
	const draws = 200
	met := make([]float64, 20)
	for s := range uint64(draws) {
		excess, err := b.SampleExcess(s)
		require.NoError(t, err)
		v, err := excess(t.Context(), X)
		require.NoError(t, err)
		for i := range met {
			if v[i] <= 0 {
				met[i] += 1.0 / draws
			}
		}
	}
	for i, v := range logProbability(t, b, X) {
		p := math.Exp(v)
		if se := math.Sqrt(max(p*(1-p), 1.0/draws) / draws); math.Abs(p-met[i]) > 4*se {
			t.Errorf("at %v both are met with probability %.3f, and by %.3f of the draws (standard error %.3f)",
				X.RawRowView(i), p, met[i], se)
		}
	}
}
