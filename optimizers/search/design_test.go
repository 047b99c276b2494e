package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// A design that fails, or whose point was refused, says what took its place; one that is cancelled suggests nothing.
func TestFailedDesign(t *testing.T) {
	spec, err := registry.Find("random")
	require.NoError(t, err)
	in := testbed.InputFor(t, *spec, 2, optimizers.Data{X: mat.NewDense(1, 2, []float64{math.NaN(), 0}),
		Y: mat.NewDense(1, 1, nil)}, "design=uncertainty", "initial=4")
	in.Step = 1
	failed, err := search.InitialPoint(t.Context(), in)
	if err != nil || !strings.Contains(failed.Note,
		"Latin hypercube, because the design by uncertainty failed: ") {
		t.Fatalf("%q, %v", failed.Note, err)
	}
	lhs := testbed.InputFor(t, *spec, 2, optimizers.Data{}, "initial=4")
	lhs.Step = 1
	if x, _ := testbed.Initial(t, lhs); failed.X.At(0, 0) != x[0] || failed.X.At(0, 1) != x[1] {
		t.Errorf("it suggests %v, the Latin hypercube %v", mat.Formatted(failed.X), x)
	}
	lhs.Avoid = [][]float64{mat.Row(nil, 0, failed.X)}
	if s, err := search.InitialPoint(t.Context(), lhs); err != nil || !strings.Contains(s.Note, "was discarded") {
		t.Errorf("%q, %v", s.Note, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	in.Data = optimizers.Data{}
	if s, err := search.InitialPoint(ended, in); !errors.Is(err, context.Canceled) || s.X != nil {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}

// The design by uncertainty looks where nobody has looked and nobody is looking: a point that is out counts like one
// whose outcome is known.
func TestDesignWithPointsOut(t *testing.T) {
	spec, err := registry.Find("random")
	require.NoError(t, err)
	inputs := mat.NewDense(2, 2, []float64{0.2, 0.7, 0.9, 0.4})
	point := func(data optimizers.Data, out *mat.Dense) *mat.Dense {
		in := testbed.InputFor(t, *spec, 2, data, "design=uncertainty", "initial=4")
		in.Step, in.Pending = 2, out
		s, err := search.InitialPoint(t.Context(), in)
		if err != nil || s.Note != "" {
			t.Fatalf("%q, %v", s.Note, err)
		}
		return s.X
	}
	rows := func(i, j int) *mat.Dense { return mat.DenseCopyOf(inputs.Slice(i, j, 0, 2)) }
	done := point(optimizers.Data{X: inputs, Y: mat.NewDense(2, 1, nil)}, nil)
	for name, got := range map[string]*mat.Dense{
		"both out": point(optimizers.Data{}, inputs),
		"one out":  point(optimizers.Data{X: rows(0, 1), Y: mat.NewDense(1, 1, nil)}, rows(1, 2)),
	} {
		if !mat.EqualApprox(got, done, 1e-9) {
			t.Errorf("%s: %v, with both done %v", name, mat.Formatted(got), mat.Formatted(done))
		}
	}
	if alone := point(optimizers.Data{X: rows(0, 1), Y: mat.NewDense(1, 1, nil)}, nil); mat.EqualApprox(alone, done,
		1e-3) {
		t.Error("the point that is out does not matter")
	}
}

// By the budget, the design has 5d points, within a part of the budget (Paria et al. 2022, App. F.2); by the space, it
// has two per effective dimension and one more, at least five, at most a third of the budget, and no more than there are
// points.
func TestInitialCount(t *testing.T) {
	choice := space.Input{Levels: []float64{0, 0.25, 0.5, 0.75, 1}, Choice: true}
	mixed := &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.5, 1}}, {Levels: []float64{0.5}}, choice}}
	few := &space.Domain{Inputs: []space.Input{{Levels: []float64{0, 1}}, {Levels: []float64{0, 1}, Choice: true}}}
	rows := &space.Domain{Inputs: few.Inputs, Pool: space.NewPool([][]float64{{0, 0}, {1, 0}, {1, 1}})}
	for _, c := range []struct {
		domain            *space.Domain
		dim, budget       int
		byBudget, bySpace int
	}{
		{nil, 1, 50, 3, 5}, {nil, 2, 50, 3, 5}, {nil, 6, 200, 15, 13}, {nil, 1, 20, 2, 5}, {nil, 2, 1000, 25, 5},
		{nil, 20, 200, 15, 41}, {nil, 6, 20, 2, 6}, {nil, 2, 4, 2, 2}, {mixed, 4, 100, 7, 7}, {mixed, 4, 16, 2, 5},
		{few, 2, 50, 3, 4}, {rows, 2, 50, 3, 3}} {
		for size, want := range map[string]int{"budget": c.byBudget, "space": c.bySpace} {
			params, err := param.Defaults(search.Params()).With("design_size", size)
			require.NoError(t, err)
			in := optimizers.Input{Dim: c.dim, Budget: c.budget, Params: params, Domain: c.domain}
			if got := search.InitialCount(in); got != want {
				t.Errorf("d = %d, T = %d, by the %s: %d initial points, want %d", c.dim, c.budget, size, got, want)
			}
		}
	}
}

// levelsOf are the levels of an input with n levels, evenly spaced.
func levelsOf(n int) (levels []float64) {
	for i := range n {
		levels = append(levels, float64(i)/float64(n-1))
	}
	return levels
}

// finite is a domain of inputs with so many levels each; every second input is a choice.
func finite(counts ...int) *space.Domain {
	d := &space.Domain{}
	for j, n := range counts {
		d.Inputs = append(d.Inputs, space.Input{Levels: levelsOf(n), Choice: j%2 == 1})
	}
	return d
}

// The points of a design differ, with the earlier ones pending or evaluated, also where the space has few points; and
// none is replaced by a random one.
func TestDesignPointsDiffer(t *testing.T) {
	sum := finite(4, 3, 2)
	sum.Linear = []space.Linear{{Text: "a + b <= 1", A: []float64{1, 1, 0}, B: 1}}
	for name, domain := range map[string]*space.Domain{"3x2x2": finite(3, 2, 2), "2x3": finite(2, 3),
		"5x3x4": finite(5, 3, 4), "constrained": sum} {
		for _, design := range []string{"lhs", "uniform", "uncertainty"} {
			for seed := range uint64(12) {
				params, err := param.Defaults(search.Params()).With("design", design)
				require.NoError(t, err)
				in := optimizers.Input{Dim: len(domain.Inputs), Budget: 60, Params: params, Domain: domain, Seed: seed}
				seen := map[string]bool{}
				for in.Step = range search.InitialCount(in) {
					s, err := search.InitialPoint(t.Context(), in)
					require.NoError(t, err)
					key := fmt.Sprint(s.X.RawRowView(0))
					if seen[key] || design == "lhs" && s.Note != "" {
						t.Errorf("%s, %s, seed %d: point %d is %s, seen: %t, %q", name, design, seed, in.Step+1, key,
							seen[key], s.Note)
					}
					seen[key] = true
					if in.Step%2 == 0 {
						in.Pending = search.Stack(in.Pending, s.X)
						continue
					}
					in.Data.X = search.Stack(in.Data.X, s.X)
					in.Data.Y = mat.NewDense(in.Data.Len(), 1, nil)
				}
			}
		}
	}
}

// A discarded point of the design is replaced by one of a later step, and each of those comes once.
func TestDesignGoesOnAfterADiscardedPoint(t *testing.T) {
	in := optimizers.Input{Dim: 2, Budget: 60, Params: param.Defaults(search.Params()), Seed: 3}
	first, err := search.InitialPoint(t.Context(), in)
	require.NoError(t, err)
	in.Avoid = [][]float64{mat.Row(nil, 0, first.X)}
	var notes []string
	seen := map[string]bool{fmt.Sprint(first.X.RawRowView(0)): true}
	for in.Step = range search.InitialCount(in) {
		s, err := search.InitialPoint(t.Context(), in)
		require.NoError(t, err)
		if key := fmt.Sprint(s.X.RawRowView(0)); seen[key] {
			t.Errorf("point %d repeats %s", in.Step+1, key)
		} else {
			seen[key] = true
		}
		notes = append(notes, s.Note)
		in.Pending = search.Stack(in.Pending, s.X)
	}
	if !strings.HasSuffix(notes[0], "because its point was discarded") ||
		!strings.HasPrefix(notes[len(notes)-1], "a random point") {
		t.Errorf("the notes are %q", notes)
	}
}

// The default design contains every level of an input that has no more levels than the design has points.
func TestDesignContainsEveryLevel(t *testing.T) {
	domain := &space.Domain{Inputs: []space.Input{{}, {Levels: levelsOf(3)}, {Levels: levelsOf(5), Choice: true}}}
	for seed := range uint64(20) {
		in := optimizers.Input{Dim: 3, Budget: 28, Params: param.Defaults(search.Params()), Domain: domain, Seed: seed}
		n := search.InitialCount(in)
		seen := map[int]map[float64]bool{1: {}, 2: {}}
		for in.Step = range n {
			s, err := search.InitialPoint(t.Context(), in)
			require.NoError(t, err)
			for j, levels := range seen {
				levels[s.X.At(0, j)] = true
			}
		}
		if n != 7 || len(seen[1]) != 3 || len(seen[2]) != 5 {
			t.Errorf("seed %d: %d points with %d and %d levels", seed, n, len(seen[1]), len(seen[2]))
		}
	}
}
