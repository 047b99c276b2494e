package picture

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
)

// The box of a trust region is drawn where the method has it, on a plane and along each variable, with a description;
// not on a slice that passes beside it.
func TestRegionsAreDrawn(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "hartmann:3", Optimizer: "turbo", Seed: 2,
		Params: map[string]any{"initial": 4, "restarts": 1}}, 12)
	st := s.State()
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	want := b.(optimizers.LocalSearcher).SearchRegions()
	require.Equal(t, 1, len(want), "the method looks in %d regions", len(want))
	low, high := st.Problem.Domain.FromUnit(want[0].Low), st.Problem.Domain.FromUnit(want[0].High)
	plane, err := Compute(t.Context(), s, WholePlane(0, 1), nil, nil, func(*Posterior) {})
	require.NoError(t, err)
	drawing := Drawing{Style: drawn, State: st, Posterior: plane}
	name := func(l chart.Box) string { return l.Name }
	boxes := trial.LayersNamed(drawing.Chart(MeanField), name, "trust region")
	if len(boxes) != 1 || math.Abs(boxes[0].X0-low[0])+math.Abs(boxes[0].X1-high[0])+math.Abs(boxes[0].Y0-low[1])+
		math.Abs(boxes[0].Y1-high[1]) > 1e-9 {
		t.Errorf("the boxes are %+v, want %v to %v", boxes, low, high)
	}
	if !plane.Fields[AllowedField].Empty() {
		t.Error("without limits, the region is drawn twice")
	}
	says, term := Describe(drawing, MeanField, nil).Describe("trust region")
	if !strings.Contains(says, "looks for the next point only there") || term != "trust region" {
		t.Errorf("the box is described as %q, %q", says, term)
	}
	for _, f := range plane.Legend.Facts {
		if says, _ := DescribeFact(f, st); says == "" {
			t.Errorf("the fact %s has no description", f.Name)
		}
	}
	p, err := ComputeSlice(t.Context(), s, View{X: 2}, Anchor(st), nil)
	require.NoError(t, err)
	rules := trial.LayersNamed(Drawing{Style: drawn, State: st, Posterior: p}.Chart(MeanField),
		func(l chart.Rule) string { return l.Name }, "trust region")
	for _, r := range rules {
		if math.Abs(r.At-low[2]) > 1e-9 && math.Abs(r.At-high[2]) > 1e-9 {
			t.Errorf("a rule is at %g, want %g or %g", r.At, low[2], high[2])
		}
	}
	if inside := low[2] > 0 || high[2] < 1; inside != (len(rules) > 0) {
		t.Errorf("there are %d rules for %g to %g", len(rules), low[2], high[2])
	}
	beside := Anchor(st)
	if beside[2] = 0; low[2] == 0 {
		beside[2] = 1
	}
	if plane, err = Compute(t.Context(), s, WholePlane(0, 1), beside, nil, func(*Posterior) {}); err != nil {
		t.Fatal(err)
	}
	drawing.Posterior = plane
	if boxes := trial.LayersNamed(drawing.Chart(MeanField), name, "trust region"); len(boxes) > 0 {
		t.Errorf("a plane beside the box has %d boxes", len(boxes))
	}
}

// During an initial design the method does not look in a region, and none is drawn.
func TestNoRegionDuringADesign(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: "turbo", Seed: 2}, 3)
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	assert.Nil(t, regionsOf(s.State(), b), "the regions")
}

// Along a variable with levels a region ends between two of them.
func TestRegionsEndBetweenLevels(t *testing.T) {
	v := functions.Variable{Name: "n", Low: 1, High: 5, Kind: functions.Integer}
	for level, want := range map[float64][2]float64{1: {0.5, 1.5}, 3: {2.5, 3.5}, 5: {4.5, 5.5}} {
		u := v.ToUnit(level)
		if low, high := regionEnd(v, u, -1), regionEnd(v, u, 1); math.Abs(low-want[0])+math.Abs(high-want[1]) > 1e-9 {
			t.Errorf("a region of the level %g is from %g to %g, want %v", level, low, high, want)
		}
	}
}
