package gaussian

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// restarted is an input of turbo in four variables after a restart, with some further results, whose suggestions it
// evaluates.
func restarted(t *testing.T, count int) (optimizers.Input, []optimizers.Suggestion) {
	in := regionInput(t, 4, slices.Repeat([]float64{9}, 4+7*4), "restarts=1")
	in.Step = in.Data.Len()
	var all []optimizers.Suggestion
	for range count {
		s, err := testbed.Fit(t, TuRBO, in).Suggest(t.Context())
		require.NoError(t, err)
		all = append(all, s)
		in.Data = optimizers.Data{X: search.Stack(in.Data.X, s.X),
			Y: search.Stack(in.Data.Y, mat.NewDense(1, 1, []float64{math.Cos(float64(in.Step))}))}
		in.Step++
	}
	return in, all
}

// A trust region that became too small restarts: with a Latin hypercube, with a model of its own results alone, and
// with its first length. Only afterwards it is a box.
func TestTrustRegionRestarts(t *testing.T) {
	in, all := restarted(t, 6)
	for j := range 4 {
		var slots []int
		for _, s := range all[:4] {
			slots = append(slots, int(4*s.X.At(0, j)))
		}
		if slices.Sort(slots); !slices.Equal(slots, []int{0, 1, 2, 3}) {
			t.Errorf("the design after a restart has the values %v of variable %d", slots, j)
		}
	}
	if !strings.Contains(all[0].Note, "restarts") || strings.Contains(all[4].Note, "restarts") {
		t.Errorf("the notes are %q and %q", all[0].Note, all[4].Note)
	}
	b := testbed.Fit(t, TuRBO, in).(*regionsBelief)
	r := b.places[0].region
	if r.restarts != 1 || r.length != initialLength || len(r.results) != 6 || b.SampledBelief.In.Data.Len() != 6 {
		t.Errorf("the trust region is %+v, its model has %d results", r, b.SampledBelief.In.Data.Len())
	}
	if _, err := b.LeaveOneOut(t.Context()); !errors.Is(err, optimizers.ErrUnsupported) {
		t.Errorf("a model of some results predicts all: %v", err)
	}
	if len(b.SearchRegions()) != 1 {
		t.Errorf("there are %d boxes", len(b.SearchRegions()))
	}
	in, _ = restarted(t, 2)
	b = testbed.Fit(t, TuRBO, in).(*regionsBelief)
	allowed, err := b.Feasible(t.Context(), testbed.Probes(5, 4))
	if b.SearchRegions() != nil || allowed != nil || err != nil {
		t.Errorf("during a design the boxes are %v, and %v, %v of the points are allowed", b.SearchRegions(), allowed, err)
	}
}

// With points pending, the next points of a design are those after them, and all differ when it is used up.
func TestTrustRegionDesignWithPendingPoints(t *testing.T) {
	in, _ := restarted(t, 0)
	_, want := restarted(t, 4)
	for k := range 7 {
		s, err := testbed.Fit(t, TuRBO, in).Suggest(t.Context())
		require.NoError(t, err)
		if k < 4 && !mat.Equal(s.X, want[k].X) {
			t.Errorf("with %d points pending, the next one is %v, want %v", k, s.X.RawRowView(0), want[k].X.RawRowView(0))
		}
		for _, p := range search.NewSpace(in).Pending {
			assert.False(t, slices.Equal(p, s.X.RawRowView(0)), "with %d points pending, %v is one of them", k, p)
		}
		in.Pending = search.Stack(in.Pending, s.X)
		in.Step++
	}
}

// Several trust regions have designs of their own; then every result belongs to the nearest, and the next point is in
// the one whose sample is lowest, in the units of the objective.
func TestSeveralTrustRegions(t *testing.T) {
	p, data := testbed.Observe(t, "levy:4", 5)
	in := testbed.InputFor(t, TuRBO, 4, data, "initial=5", "regions=3", "restarts=1")
	count := map[string]int{}
	for range 25 {
		b := testbed.Fit(t, TuRBO, in).(*regionsBelief)
		s, err := b.Suggest(t.Context())
		require.NoError(t, err)
		if strings.Contains(s.Note, "design") {
			count[s.Note[strings.Index(s.Note, "region"):]]++
		} else {
			if len(b.SearchRegions()) != 3 {
				t.Fatalf("there are %d boxes", len(b.SearchRegions()))
			}
			least := math.Inf(1)
			for _, place := range b.places {
				suggestion, _, err := place.suggest(t.Context(), in)
				require.NoError(t, err)
				least = min(least, suggestion.Acquisition[0])
			}
			if s.Acquisition[0] != least {
				t.Errorf("the sample is %g at the next point, and %g in another trust region", s.Acquisition[0], least)
			}
		}
		v, err := p.TrueValues(p.Domain.FromUnit(s.X.RawRowView(0)))
		require.NoError(t, err)
		in.Data = optimizers.Data{X: search.Stack(in.Data.X, s.X), Y: search.Stack(in.Data.Y, mat.NewDense(1, 1, v))}
		in.Step++
	}
	if count["region 2"] != 5 || count["region 3"] != 5 || len(count) != 2 {
		t.Errorf("the designs have %v points", count)
	}
	seen := map[int]bool{}
	for _, r := range followRegions(in).regions {
		if len(r.results) < 5 {
			t.Errorf("a trust region has %d results", len(r.results))
		}
		for _, i := range r.results {
			if seen[i] {
				t.Errorf("result %d belongs to two trust regions", i)
			}
			seen[i] = true
		}
	}
	if len(seen) != in.Data.Len() {
		t.Errorf("%d of %d results belong to a trust region", len(seen), in.Data.Len())
	}
}

// The center is the best result or, with noise, that with the least mean; with limits, the best of the feasible ones.
func TestCenterOfATrustRegion(t *testing.T) {
	n := 30
	data := optimizers.Data{X: mat.NewDense(n, 1, nil), Y: mat.NewDense(n, 1, nil)}
	for i := range n {
		x := float64(i) / float64(n-1)
		data.X.Set(i, 0, x)
		data.Y.Set(i, 0, (x-0.3)*(x-0.3))
	}
	data.Y.Set(25, 0, -0.02) // an outlier
	for noise, want := range map[string]float64{"noise_sd=0.000001": data.X.At(25, 0), "noise_sd=0.5": data.X.At(9, 0)} {
		in := testbed.InputFor(t, TuRBO, 1, data, "noise=fixed", "lengthscale=0.3", noise)
		b := testbed.Fit(t, TuRBO, in).(*regionsBelief)
		if got := b.places[0].center[0]; math.Abs(got-want) > 0.1 || noise == "noise_sd=0.000001" && got != want {
			t.Errorf("%s: the center is %g, want %g", noise, got, want)
		}
	}
}

// 60 steps after 20 results in ten variables find less than the best of 1600 random points.
func TestTuRBOFindsTheMinimum(t *testing.T) {
	p, data := testbed.Observe(t, "levy:10", 20)
	for step := range 60 {
		in := testbed.InputFor(t, TuRBO, 10, data, "restarts=1")
		in.Seed = 102 // of six seeds, five find less than 4
		in.Step, in.Budget = 20+step, 80
		s, err := testbed.Fit(t, TuRBO, in).Suggest(t.Context())
		require.NoError(t, err)
		v, err := p.TrueValues(p.Domain.FromUnit(s.X.RawRowView(0)))
		require.NoError(t, err)
		data = optimizers.Data{X: search.Stack(data.X, s.X), Y: search.Stack(data.Y, mat.NewDense(1, 1, v))}
	}
	random := math.Inf(1)
	X := testbed.Probes(20*80, 10)
	for i := range 20 * 80 {
		v, err := p.TrueValues(p.Domain.FromUnit(X.RawRowView(i)))
		require.NoError(t, err)
		random = min(random, v[0])
	}
	if best := mat.Min(data.Y); best > 0.75*random {
		t.Errorf("the best value is %g, of %d random points %g", best, 20*80, random)
	}
}
