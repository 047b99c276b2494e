package search

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// towards is a target that is greatest at a point of the unit cube.
func towards(x ...float64) Target {
	return Target{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		v := make([]float64, n)
		for i := range v {
			for j, xj := range x {
				v[i] -= math.Abs(X.At(i, j) - xj)
			}
		}
		return v, nil
	}}
}

// A maximum that was evaluated is found again only if repeats are allowed: by the parameter, by noise, or in sessions
// without the parameter. Otherwise the search leaves out its neighborhood, and says whether the other point promises
// anything; if not, it is far from all others.
func TestMaximizeWithoutRepeats(t *testing.T) {
	data := optimizers.Data{X: mat.NewDense(2, 2, []float64{0, 1, 0.3, 0.3}), Y: mat.NewDense(2, 1, []float64{1, 2})}
	defaults := param.Defaults(Params())
	allowed, err := defaults.With(repeatsKey, true)
	require.NoError(t, err)
	again := RepeatNote(data, []float64{0, 1})
	no := func(_ context.Context, X *mat.Dense) (optimizers.Band, error) {
		n, _ := X.Dims()
		return optimizers.Band{Mean: slices.Repeat([]float64{9}, n)}, nil
	}
	for name, c := range map[string]struct {
		in      optimizers.Input
		predict Prediction
		target  Target
		repeats bool
		note    string
	}{
		"an evaluated corner":   {optimizers.Input{Params: defaults}, nil, towards(0, 1), false, nextBestNote},
		"no promise":            {optimizers.Input{Params: defaults}, no, towards(0, 1), false, StopNote},
		"another point":         {optimizers.Input{Params: defaults}, no, towards(0.6, 0.5), false, ""},
		"allowed":               {optimizers.Input{Params: allowed}, nil, towards(0, 1), true, again},
		"noisy evaluations":     {optimizers.Input{Params: defaults, Noisy: true}, nil, towards(0, 1), true, again},
		"declared noise":        {optimizers.Input{Params: defaults, Noise: []float64{0.1}}, nil, towards(0, 1), true, again},
		"declared as noiseless": {optimizers.Input{Params: defaults, Noise: []float64{0}}, nil, towards(0, 1), false, nextBestNote},
	} {
		c.in.Dim, c.in.Objectives, c.in.Data = 2, 1, data
		x, _, note, err := MaximizeWithoutRepeats(t.Context(), c.in, NewSpace(c.in), c.target, rng.New(1, 0, "test"), nil,
			c.predict)
		require.NoError(t, err)
		distance := max(math.Abs(x[0]), math.Abs(x[1]-1))
		if repeats := distance < RepeatRadius; repeats != c.repeats || !repeats && distance < maxSpacing || note != c.note {
			t.Errorf("%s: %v, with the note %q", name, x, note)
		}
		if note == StopNote && x[0] < 0.9 {
			t.Errorf("%s: %v is not the farthest point", name, x)
		}
	}
}

// Where every point of a space was evaluated, a repeat says to stop; where one is left, it is taken.
func TestLastPointOfALevel(t *testing.T) {
	in := optimizers.Input{Dim: 1, Objectives: 1, Params: param.Defaults(Params()),
		Domain: &space.Domain{Inputs: []space.Input{{Levels: []float64{0, 0.5, 1}}}}}
	for n, want := range map[int]string{2: "", 3: StopNote} {
		in.Data = optimizers.Data{X: mat.NewDense(3, 1, []float64{0, 0.5, 1}).Slice(0, n, 0, 1).(*mat.Dense),
			Y: mat.NewDense(n, 1, nil)}
		x, _, note, err := MaximizeWithoutRepeats(t.Context(), in, NewSpace(in), towards(0), rng.New(1, 0, "test"), nil, nil)
		if err != nil || note != want || n == 2 && x[0] != 1 {
			t.Errorf("after %d of 3 levels: %v, %q, %v", n, x, note, err)
		}
		random, err := RandomPoint(t.Context(), in, "test")
		if err != nil || n == 2 && random.At(0, 0) != 1 {
			t.Errorf("after %d of 3 levels: the random point is %v (%v)", n, random, err)
		}
	}
}
