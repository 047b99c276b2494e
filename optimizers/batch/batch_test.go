package batch

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

func levels(n int) space.Input {
	in := space.Input{}
	for i := range n {
		in.Levels = append(in.Levels, float64(i)/float64(n-1))
	}
	return in
}

// grid is what a method sees of a problem over 4×6 levels after a few random results.
func grid(t *testing.T, seed uint64) optimizers.Input {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &space.Domain{Inputs: []space.Input{levels(4), levels(6)}}
	data := optimizers.Data{X: mat.NewDense(6, 2, nil), Y: mat.NewDense(6, 1, nil)}
	for i := range 6 {
		x := d.Snap([]float64{rng.Float64(), rng.Float64()})
		data.X.SetRow(i, x)
		data.Y.Set(i, 0, math.Sin(5*x[0]+float64(seed))+math.Cos(7*x[1]*x[0]+2*float64(seed))+rng.NormFloat64()/4)
	}
	in := testbed.InputFor(t, gaussian.EI, 2, data, "initial=2", "kernel=se", "hyperparameters=fitted")
	in.Domain = d
	return in
}

func method(spec optimizers.Spec) Method {
	return Method{Normalize: func(u []float64) []float64 {
		return u
	}, Next: func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
		b, err := spec.Fit(ctx, in)
		if err != nil {
			return optimizers.Suggestion{}, false, err
		}
		s, err := b.Suggest(ctx)
		return s, b.Legend().LowerIsBetter, err
	}}
}

// jointImprovement is the expected improvement of two points together, E max(y* − min(f₁, f₂), 0), by quadrature over
// f₁ with the rest in closed form.
func jointImprovement(best float64, mean [2]float64, v1, v2, cov float64) float64 {
	const steps = 1000
	s1, sum := math.Sqrt(v1), 0.0
	for i := range steps {
		z := -8 + 16*(float64(i)+0.5)/steps
		f1 := mean[0] + s1*z
		m, s := mean[1]+cov/v1*(f1-mean[0]), math.Sqrt(max(v2-cov*cov/v1, 1e-18))
		c := min(best, f1)
		g := (c - m) / s
		sum += 16.0 / steps * distuv.UnitNormal.Prob(z) *
			(max(best-f1, 0) + (c-m)*distuv.UnitNormal.CDF(g) + s*distuv.UnitNormal.Prob(g))
	}
	return sum
}

// enumerate is of every level of the first input the greatest joint expected improvement of two points that share it,
// and the level of the point that is best alone.
func enumerate(t *testing.T, in optimizers.Input) (joint map[float64]float64, first float64) {
	t.Helper()
	p, err := gaussian.Fit(t.Context(), in, 0)
	require.NoError(t, err)
	best, err := p.Incumbent(t.Context(), p.GP.MaxNoise())
	require.NoError(t, err)
	joint = map[float64]float64{}
	most := -1.0
	for _, a := range in.Domain.Inputs[0].Levels {
		var free [][]float64
		for _, b := range in.Domain.Inputs[1].Levels {
			if x := []float64{a, b}; !seen(in, x) {
				free = append(free, x)
			}
		}
		for i, x := range free {
			for _, z := range free[:i] {
				X := mat.NewDense(2, 2, slices.Concat(x, z))
				mean, sd, err := p.GP.Predict(t.Context(), X)
				require.NoError(t, err)
				tie, err := p.GP.CrossCovariance(X)
				require.NoError(t, err)
				joint[a] = max(joint[a], p.Scale.SD*
					jointImprovement(best, [2]float64(mean), sd[0]*sd[0], sd[1]*sd[1], tie.Covariances(X).At(0, 1)))
				for k, u := range [][]float64{x, z} {
					if alone := normdist.ExpectedImprovement(mean[k], sd[k], best); alone > most {
						most, first = alone, u[0]
					}
				}
			}
		}
	}
	return joint, first
}

func seen(in optimizers.Input, x []float64) bool {
	n, _ := in.Data.X.Dims()
	for i := range n {
		if slices.Equal(in.Data.X.RawRowView(i), x) {
			return true
		}
	}
	return false
}

// On tiny problems the level that two points share is the one with the greatest joint expected improvement of all
// pairs, which the sum of their acquisitions is, and often not that of the best single point.
func TestSharedLevelAgainstEnumeration(t *testing.T) {
	others := 0
	for _, seed := range []uint64{0, 5, 7, 12, 15, 24, 31, 48, 50} {
		in := grid(t, seed)
		exact, first := enumerate(t, in)
		b, err := Choose(t.Context(), in, Request{Points: 2, Shared: []int{0}}, method(gaussian.EI))
		require.NoError(t, err)
		best := 0.0
		for _, v := range exact {
			best = max(best, v)
		}
		joint := b.Suggestions[0].Acquisition[0] + b.Suggestions[1].Acquisition[0]
		// greedy pairs fall short of the best pair: by a tenth at the most here
		if exact[b.Shared[0]] < best || joint > 1.01*best || joint < 0.9*best || b.Compared != 4 {
			t.Errorf("seed %d: %v for %g, of %d, by enumeration %v", seed, b.Shared, joint, b.Compared, exact)
		}
		for _, s := range b.Suggestions {
			if s.X.At(0, 0) != b.Shared[0] {
				t.Errorf("seed %d: %v does not share %v", seed, s.X.RawRowView(0), b.Shared)
			}
		}
		if b.Shared[0] != first {
			others++
		}
	}
	if others < 6 {
		t.Errorf("in %d cases it is another level than that of the best point", others)
	}
}

// along is a method whose acquisition depends on the first input alone; where that is free it suggests 0.9.
func along(apply func(u float64) float64, lower bool) Method {
	return Method{Normalize: func(u []float64) []float64 {
		return u
	}, Next: func(_ context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
		u := 0.9
		if in.Low != nil && in.Low[0] == in.High[0] {
			u = in.Low[0]
		}
		s := optimizers.Suggestion{X: mat.NewDense(1, 2, []float64{u, float64(in.Step) / 10})}
		if apply != nil {
			s.Acquisition = []float64{apply(u)}
		}
		return s, lower, nil
	}}
}

// A number is found near where the joint acquisition is best, whichever way is better; without one it is that of the
// first point, and so it is within bounds where nothing better lies.
func TestSharedNumber(t *testing.T) {
	peak := func(u float64) float64 { return math.Exp(-40 * (u - 0.37) * (u - 0.37)) }
	for name, c := range map[string]struct {
		method Method
		low    float64
		want   float64
		tried  bool
	}{
		"higher":      {along(peak, false), 0, 0.37, true},
		"lower":       {along(func(u float64) float64 { return -peak(u) }, true), 0, 0.37, true},
		"narrowed":    {along(peak, false), 0.6, 0.6, true},
		"none":        {along(nil, false), 0, 0.9, false},
		"no number":   {along(func(float64) float64 { return math.NaN() }, false), 0, 0.9, true},
		"all alike":   {along(func(float64) float64 { return 1 }, false), 0, 0.9, true},
		"wrong order": {along(func(u float64) float64 { return -u }, true), 0, 1, true},
	} {
		in := optimizers.Input{Dim: 2, Seed: 3, Low: []float64{c.low, 0}, High: []float64{1, 1}}
		b, err := Choose(t.Context(), in, Request{Points: 3, Shared: []int{0}}, c.method)
		require.NoError(t, err, name)
		if math.Abs(b.Shared[0]-c.want) > 0.05 || (b.Compared > 1) != c.tried || len(b.Suggestions) != 3 {
			t.Errorf("%s: %v of %d, want %v", name, b.Shared, b.Compared, c.want)
		}
	}
}

// A value that has no room for all points gives way to one that has; where none has, the error says how many there are.
func TestRoom(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{levels(3), levels(3)},
		Nonlinear: []space.Constraint{{Text: "x + y <= 1.2", Func: func(u []float64) float64 {
			return u[0] + u[1] - 1.2
		}}}}
	in := testbed.InputFor(t, baselines.Random, 2, optimizers.Data{}, "initial=1")
	in.Domain = d
	m := method(baselines.Random)
	m.Next = func(next func(context.Context, optimizers.Input) (optimizers.Suggestion, bool, error)) func(
		context.Context, optimizers.Input) (optimizers.Suggestion, bool, error) {
		return func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			if in.Low == nil { // the first has the value with the least room
				return optimizers.Suggestion{X: mat.NewDense(1, 2, []float64{1, 0})}, false, nil
			}
			return next(ctx, in)
		}
	}(m.Next)
	b, err := Choose(t.Context(), in, Request{Points: 3, Shared: []int{0}}, m)
	if err != nil || b.Shared[0] != 0 {
		t.Errorf("%v, %v", b.Shared, err)
	}
	_, err = Choose(t.Context(), in, Request{Points: 4, Shared: []int{0}}, m)
	assert.ErrorContains(t, err, "found only 3; ask for fewer")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Choose(ctx, grid(t, 0), Request{Points: 2, Shared: []int{0}}, method(gaussian.EI))
	assert.ErrorIs(t, err, context.Canceled, err)
}
