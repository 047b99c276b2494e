package gp

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/model/kernel"
)

// The neighbors of the best point differ from it in one hyperparameter, or by an exchange of two lengthscales. They are
// in the box and none is known already. If the lengthscales of two inputs are swapped, the exchange is among the
// neighbors.
func TestPointsBesideTheBest(t *testing.T) {
	X, y := data(30, 2, 50)
	for i := range y { // a function of the first input alone
		y[i] = math.Sin(9 * X.At(i, 0))
	}
	e := newEvidence(X, y, Options{Form: kernel.SE, FitNoise: true, Starts: 5})
	wrong := []float64{math.Log(3), math.Log(0.25), 0, math.Log(0.01)}
	value := e.value(wrong, nil, e.workspace())
	known := []localMax{{theta: wrong, value: value}, {theta: []float64{math.Log(0.25), math.Log(3), 0, math.Log(0.5)}, value: value - 1}}
	got := e.neighbors(context.Background(), known)
	if len(got) == 0 || len(got) > hopStarts {
		t.Fatalf("%d points", len(got))
	}
	exchanged := false
	for _, p := range got {
		var differ []int
		for j := range p {
			if p[j] < e.lo[j] || p[j] > e.hi[j] {
				t.Errorf("%v is outside the box", p)
			}
			if p[j] != wrong[j] {
				differ = append(differ, j)
			}
		}
		swapped := slices.Equal(differ, []int{0, 1}) && p[0] == wrong[1] && p[1] == wrong[0]
		exchanged = exchanged || swapped
		if len(differ) != 1 && !swapped {
			t.Errorf("%v is not a neighbor of %v", p, wrong)
		}
		for _, k := range known {
			assert.False(t, e.same(k.theta, p), "%v was already known", p)
		}
		if v := e.value(p, nil, e.workspace()); v < value-maxNeighborDeficitNats {
			t.Errorf("%v is too far below the best: %g below %g", p, v, value)
		}
	}
	assert.True(t, exchanged, "none of %v exchanges the lengthscales", got)
}

// Points that are nearly the same count as one. Differences of lengthscales beyond the cube and of noise far below the
// targets do not count; all other differences do.
func TestNearlyTheSame(t *testing.T) {
	X, y := data(10, 2, 51)
	e := newEvidence(X, y, Options{Form: kernel.SE, FitNoise: true})
	log := func(l1, l2, s, noise float64) []float64 {
		return []float64{math.Log(l1), math.Log(l2), math.Log(s), math.Log(noise)}
	}
	base := log(0.5, 9, 1, 3e-6)
	for _, c := range []struct {
		p    []float64
		want bool
	}{
		{base, true}, {log(0.6, 9, 1, 3e-6), true}, {log(0.7, 9, 1, 3e-6), false}, {log(0.5, 4.1, 1, 3e-6), true},
		{log(0.5, 2.5, 1, 3e-6), false}, {log(0.5, 9, 1.3, 3e-6), true},
		{log(0.5, 9, 1.4, 3e-6), false}, {log(0.5, 9, 0.7, 3e-6), false}, {log(0.5, 9, 1, 9e-6), true},
		{log(0.5, 9, 1, 1e-4), false}, {log(9, 0.5, 1, 3e-6), false},
	} {
		if e.same(base, c.p) != c.want || e.same(c.p, base) != c.want {
			t.Errorf("%v and %v are the same: %v", base, c.p, !c.want)
		}
	}
	sorted := []localMax{{base, 5, nil}, {log(0.6, 9, 1, 3e-6), 4, nil}, {log(2, 9, 1, 3e-6), 3, nil},
		{log(2, 0.1, 1, 3e-6), 2, nil}, {log(0.1, 0.1, 1, 3e-6), 1, nil}}
	for _, c := range []struct {
		count int
		floor float64
		want  []int
	}{{5, 0, []int{0, 2, 3, 4}}, {2, 0, []int{0, 2}}, {5, 2, []int{0, 2, 3}}, {5, 2.5, []int{0, 2}}, {0, 0, nil},
		{3, 9, nil}} {
		got := e.distinct(sorted, c.count, c.floor)
		if !slices.EqualFunc(got, c.want, func(p []float64, i int) bool { return slices.Equal(p, sorted[i].theta) }) {
			t.Errorf("the best %d from %g on are %v, want those at %v", c.count, c.floor, got, c.want)
		}
	}
}

// A search with Starts 0 starts only from WarmStarts, and ignores a process of other inputs. Otherwise it also starts
// from the medians of the priors, and from more points with more inputs and with fewer observations.
func TestStartsOfAFit(t *testing.T) {
	X, y := data(10, 2, 52)
	ctx := context.Background()
	earlier, err := New(kernel.Stationary{Form: kernel.SE, Scale: 1.5, Lengths: []float64{0.4, 2}}, 0.02, X, y)
	require.NoError(t, err)
	other, err := New(kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{0.4}}, 0.02, nil, nil)
	require.NoError(t, err)
	starts := newEvidence(X, y, Options{Form: kernel.SE, FitNoise: true, WarmStarts: []*GP{other, earlier}}).
		givenStarts()
	require.Equal(t, 1, len(starts), "the search starts at %v", starts)
	for j, want := range []float64{0.4, 2, 1.5, 0.02} {
		assert.InDelta(t, want, math.Exp(starts[0][j]), 1e-12, "the search starts at")
	}
	without := newEvidence(X, y, Options{Form: kernel.SE, Noise: 0.5, WarmStarts: []*GP{earlier}}).givenStarts()
	if len(without) != 1 || len(without[0]) != 3 {
		t.Errorf("with fixed noise the search starts at %v", without)
	}
	both := newEvidence(X, y, Options{Form: kernel.SE, FitNoise: true, Starts: 3, WarmStarts: []*GP{earlier}}).
		starts(ctx, newRand(1))
	if len(both) < 4 || !slices.Equal(both[1], starts[0]) {
		t.Errorf("the search starts at %v", both)
	}
	count := func(n, d int) int {
		X, y := data(n, d, 53)
		return newEvidence(X, y, Options{Form: kernel.SE, Starts: 5}).startCount()
	}
	if count(10, 1) < 5 || count(10, 5) <= count(10, 2) || count(200, 5) >= count(10, 5) || count(200, 5) < 5 {
		t.Errorf("the search starts at %d points with one input, %d with two, %d with five, %d with many observations",
			count(10, 1), count(10, 2), count(10, 5), count(200, 5))
	}
}
